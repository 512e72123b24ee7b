"""docs/hosting.md and the Docker files match the server's settings. Without a Docker engine, we can
check that every variable exists and is accepted, and that the command is one of ours."""

import ipaddress
import json
import re
from pathlib import Path

import pytest

from pytlik.cli import build_main_parser
from pytlik.i18n import catalogue
from pytlik.server.access.admission import admit
from pytlik.server.settings import PREFIX, Settings, load_settings

ROOT = Path(__file__).parents[3]
HOSTING_PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
COMPOSE_FILE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")

SETTING_VARIABLES = {PREFIX + field.upper() for field in Settings.__struct_fields__}


def test_table_lists_every_setting_once() -> None:
    rows = re.findall(rf"^\| `({PREFIX}\w+)` \| (.+?) \| .+ \|$", HOSTING_PAGE, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(SETTING_VARIABLES)


@pytest.mark.parametrize(
    "name",
    [
        "host",
        "port",
        "workers",
        "bot_pause",
        "keep_days",
        "limit_scale",
        "log_level",
    ],
)
def test_table_lists_the_defaults(name: str) -> None:
    default = getattr(Settings(), name)
    assert f"| `{PREFIX}{name.upper()}` | `{default}` |" in HOSTING_PAGE


@pytest.mark.parametrize(
    "text", [HOSTING_PAGE, COMPOSE_FILE, DOCKERFILE], ids=["page", "compose", "Dockerfile"]
)
def test_only_existing_variables_are_named(text: str) -> None:
    assert set(re.findall(rf"{PREFIX}[A-Z_]+", text)) - {PREFIX} <= SETTING_VARIABLES


def test_compose_settings_are_accepted() -> None:
    values = dict(re.findall(rf'^ +({PREFIX}\w+): "(.*)"$', COMPOSE_FILE, re.MULTILINE))
    settings = load_settings(
        {name: value.replace("${PASSWORD:?say PASSWORD}", "pw") for name, value in values.items()}
    )
    assert settings.workers == 2
    assert settings.uses_postgres
    assert settings.redis is not None


def test_compose_trusts_only_its_own_network() -> None:
    (trusted,) = re.findall(rf'{PREFIX}TRUSTED_PROXIES: "(.*)"', COMPOSE_FILE)
    subnets = re.findall(r'^ +- subnet: "(.*)"$', COMPOSE_FILE, re.MULTILINE)
    assert subnets == [trusted]
    network = ipaddress.ip_network(trusted)
    assert network.is_private
    assert network.num_addresses <= 256
    # On this network the server is reached only through the proxy: no port is open to others.
    assert re.findall(r'^ +- "(.*:8000)"$', COMPOSE_FILE, re.MULTILINE) == ["127.0.0.1:8000:8000"]
    settings = load_settings({f"{PREFIX}TRUSTED_PROXIES": trusted}, host="0.0.0.0")
    outside = ("172.17.0.1", "172.29.83.255", "172.29.85.0", "10.0.0.1", "192.168.0.1", "::1")
    for peer, believed in ((str(network[1]), True), *((peer, False) for peer in outside)):
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "scheme": "http",
            "client": (peer, 1),
            "headers": [(b"host", b"games.example"), (b"x-forwarded-for", b"198.51.100.7")],
        }
        assert (admit(scope, settings).address == "198.51.100.7") is believed


def test_dockerfile_settings_are_accepted() -> None:
    values = dict(re.findall(rf"({PREFIX}\w+)=(\S+)", DOCKERFILE))
    settings = load_settings(values)
    assert (settings.host, settings.port) == ("0.0.0.0", 8000)
    found = re.search(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert found is not None
    program, *words = json.loads(found[1])
    assert program == "pytlik"
    assert build_main_parser(catalogue("en")).parse_args(words).command == "serve"
