"""Settings from variables and arguments."""

import os

import pytest

from pytlik.server.settings import BadSetting, Settings, load_settings


def test_defaults_serve_only_this_machine() -> None:
    settings = load_settings({"XDG_DATA_HOME": "/data"})
    assert settings == Settings(database=settings.database)
    assert settings.host == "127.0.0.1"
    assert not settings.uses_postgres


def test_arguments_override_variables() -> None:
    environ = {"PYTLIK_PORT": "9000", "PYTLIK_HOST": "0.0.0.0", "PYTLIK_WORKERS": ""}
    settings = load_settings(environ, port=9001, host=None)
    assert (settings.host, settings.port, settings.workers) == ("0.0.0.0", 9001, 1)


def test_bot_processes_are_divided_among_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert Settings().bot_process_count == 8
    assert Settings(workers=3).bot_process_count == 2
    assert Settings(workers=16).bot_process_count == 1
    assert Settings(bot_workers=0).bot_process_count == 0


def test_every_setting_can_come_from_a_variable() -> None:
    settings = load_settings(
        {
            "PYTLIK_HOST": "::",
            "PYTLIK_PORT": "0",
            "PYTLIK_DATABASE": "postgresql://db/pytlik",
            "PYTLIK_REDIS": "redis://cache",
            "PYTLIK_WORKERS": "4",
            "PYTLIK_BOT_WORKERS": "0",
            "PYTLIK_BOT_PAUSE": "0.5",
            "PYTLIK_BASE_PATH": "/games/",
            "PYTLIK_TRUSTED_PROXIES": "10.0.0.1, fd00::/8,unix",
            "PYTLIK_ORIGINS": "https://games.example:443,http://[::1]:8000",
            "PYTLIK_HOSTS": "Games.example., [2001:DB8::1],10.0.0.2",
            "PYTLIK_PASSPHRASE": "open sesame",
            "PYTLIK_ADMIN_TOKEN": "x" * 16,
            "PYTLIK_KEEP_DAYS": "30",
            "PYTLIK_LIMIT_SCALE": "2.5",
            "PYTLIK_LOG_LEVEL": "debug",
            "PATH": "/bin",
        }
    )
    assert settings == Settings(
        host="::",
        port=0,
        database="postgresql://db/pytlik",
        redis="redis://cache",
        workers=4,
        bot_workers=0,
        bot_pause=0.5,
        base_path="/games",
        trusted_proxies=("10.0.0.1", "fd00::/8", "unix"),
        origins=("https://games.example", "http://[::1]:8000"),
        hosts=("games.example", "2001:db8::1", "10.0.0.2"),
        passphrase="open sesame",
        admin_token="x" * 16,
        keep_days=30,
        limit_scale=2.5,
        log_level="debug",
    )
    assert settings.uses_postgres
    assert [str(network) for network in settings.proxies] == ["10.0.0.1/32", "fd00::/8"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "70000"),
        ("port", "http"),
        ("workers", "0"),
        ("database", "mysql://db"),
        ("redis", "localhost"),
        ("base_path", "games"),
        ("base_path", "/a{b}"),
        ("trusted_proxies", "proxy.example"),
        ("origins", "games.example"),
        ("origins", "https://games.example/path"),
        ("origins", "https://games.example:port"),
        ("hosts", "https://games.example"),
        ("hosts", "games.example:8000"),
        ("hosts", "*.games.example"),
        ("admin_token", "short"),
        ("bot_pause", "-1"),
        ("bot_pause", "3600"),
        ("keep_days", "0"),
        ("limit_scale", "0"),
        ("log_level", "loud"),
    ],
)
def test_bad_setting_is_named_in_the_error(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as bad:
        load_settings({f"PYTLIK_{name.upper()}": value})
    assert bad.value.name == name
    assert str(bad.value).startswith(f"PYTLIK_{name.upper()}: ")


def test_empty_passphrase_is_refused() -> None:
    with pytest.raises(BadSetting):
        load_settings({}, passphrase="")
