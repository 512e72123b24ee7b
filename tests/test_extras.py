"""A missing package is named, with the command that installs it."""

import pickle
import re
import sys
import tomllib
from pathlib import Path

import pytest

import pytlik
from pytlik.cli import main
from pytlik.extras import ExtraReason, Missing, explain_missing_extra
from pytlik.i18n import catalogue, languages

PACKAGE_FOLDER = Path(pytlik.__file__).parent
PROJECT_FOLDER = PACKAGE_FOLDER.parents[1]


def test_a_missing_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(Missing) as refused, explain_missing_extra("plot"):
        import matplotlib.figure  # noqa: F401, PLC0415
    assert refused.value.reason is ExtraReason.NOT_INSTALLED
    assert (
        str(refused.value)
        == "matplotlib isn't installed. Install it with: pip install 'pytlik[plot]'"
    )
    assert isinstance(refused.value, ImportError)
    again = pickle.loads(pickle.dumps(refused.value))
    assert str(again) == str(refused.value)


def test_missing_module_of_ours_is_not_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError) as refused, explain_missing_extra("plot"):
        import pytlik.nothing  # type: ignore[import-not-found] # noqa: F401, PLC0415
    assert not isinstance(refused.value, Missing)


@pytest.mark.parametrize("lang", languages())
def test_missing_extra_is_reported_in_every_language(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["arena", "unikat", "longest", "random", "--games", "1", "--ray", "local"]
    assert main([*words, "--lang", lang]) == 1
    message = catalogue(lang)(
        "reason.not_installed", package="ray", command="pip install 'pytlik[ray]'"
    )
    assert message in capsys.readouterr().err


def test_a_server_without_its_bus_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    monkeypatch.delitem(sys.modules, "pytlik.bus.redis", raising=False)
    words = ["serve", "--lang", "en", "--port", "0", "--database", str(tmp_path / "pytlik.db")]
    assert main([*words, "--workers", "1", "--redis", "redis://localhost"]) == 1
    assert "pip install 'pytlik[redis]'" in capsys.readouterr().err


def declared_extras() -> set[str]:
    project = tomllib.loads((PROJECT_FOLDER / "pyproject.toml").read_text())["project"]
    return set(project["optional-dependencies"])


def test_every_extra_is_described() -> None:
    page = (PROJECT_FOLDER / "docs" / "extras.md").read_text(encoding="utf-8")
    assert declared_extras() <= set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))


def test_every_extra_is_requested_by_name() -> None:
    """Except for `bench`: peers that aren't installed are left out of its measurements."""
    requested = {
        extra
        for path in PACKAGE_FOLDER.rglob("*.py")
        if path.name != "extras.py"
        for extra in re.findall(r"explain_missing_extra\(\"(\w+)\"\)", path.read_text())
    }
    assert requested == declared_extras() - {"bench"}
