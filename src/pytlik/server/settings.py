"""The settings of a server, from arguments or from PYTLIK_* variables."""

import ipaddress
import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from pytlik.data_folder import data_folder

PREFIX = "PYTLIK_"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LIST_SETTINGS = {"trusted_proxies", "origins", "hosts"}

UNIX_SOCKET = "unix"
"""The trusted proxy that speaks through a Unix socket, which has no address."""

MIN_ADMIN_TOKEN_LENGTH = 16


class BadSetting(ValueError):
    """A setting that can't be used, and why."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{PREFIX}{name.upper()}: {problem}")
        self.name = name
        self.problem = problem


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    database: str = ""
    """A PostgreSQL URL, or the path of a SQLite file (also as sqlite:///path)."""
    redis: str | None = None
    workers: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    gather_tables: bool = True
    """Bring the people at a table to the same worker, which saves the others work."""
    bot_workers: Annotated[int, msgspec.Meta(ge=0, le=64)] | None = None
    """How many processes bots think in, for each worker; 0 for threads. By default, the workers
    share the cores."""
    bot_pause: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.9
    """How many seconds a bot seems to think, so that people can follow."""
    base_path: str = ""
    """Where the proxy serves this server: "" or "/games". It passes the path on as it is."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose X-Forwarded-* headers are believed, or "unix"."""
    origins: tuple[str, ...] = ()
    """The addresses under which browsers know this server. By default, the Host header is
    trusted."""
    hosts: tuple[str, ...] = ()
    """The names that the server accepts in Host, besides its addresses. By default, a server for
    this machine accepts only names of this machine, and any other server accepts every name."""
    passphrase: str | None = None
    """Makes the server private."""
    admin_token: str | None = None
    keep_days: Annotated[int, msgspec.Meta(ge=1, le=36_500)] = 90
    """How long tables that nobody touches are kept, with their matches and names."""
    limit_scale: Annotated[float, msgspec.Meta(gt=0, le=1e6)] = 1.0
    """A factor for all rate limits."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def proxies(self) -> tuple[Network, ...]:
        return tuple(parse_network(text) for text in self.trusted_proxies if text != UNIX_SOCKET)

    @property
    def own_host_names(self) -> frozenset[str]:
        """The names of the server that the settings give."""
        known = (urlsplit(text).hostname or "" for text in self.origins)
        return frozenset({*self.hosts, *known})

    @property
    def bot_process_count(self) -> int:
        """How many processes bots think in. They give way to everything else, so they may use all
        cores."""
        if self.bot_workers is not None:
            return self.bot_workers
        return max(1, (os.cpu_count() or 1) // self.workers)

    @property
    def uses_postgres(self) -> bool:
        return self.database.startswith(("postgresql://", "postgres://"))


def load_settings(environ: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """The settings from arguments or, failing that, from variables. Raises BadSetting."""
    values: dict[str, Any] = {}
    for field in Settings.__struct_fields__:
        text = environ.get(PREFIX + field.upper())
        if text:
            values[field] = split_list(text) if field in LIST_SETTINGS else text
    values |= {name: value for name, value in given.items() if value is not None}
    values.setdefault("database", str(data_folder() / "pytlik.db"))
    for name, value in values.items():
        # One by one, so that the error can name the one that is wrong.
        try:
            msgspec.convert({name: value}, Settings, strict=False)
        except msgspec.ValidationError as error:
            raise BadSetting(name, str(error).partition(" - at ")[0]) from None
    return normalize_settings(msgspec.convert(values, Settings, strict=False))


def split_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def normalize_settings(settings: Settings) -> Settings:
    """The same settings in normal form. Raises BadSetting if any can't be used."""
    base_path = settings.base_path.rstrip("/")
    if base_path and not base_path.startswith("/"):
        raise BadSetting("base_path", 'begins with "/"')
    if any(character in base_path for character in "{}?#;, \"'<>\\"):
        raise BadSetting("base_path", "is a plain path")
    for text in settings.trusted_proxies:
        if text != UNIX_SOCKET:
            try:
                parse_network(text)
            except ValueError as error:
                raise BadSetting("trusted_proxies", str(error)) from None
    for name in ("passphrase", "admin_token"):
        if getattr(settings, name) == "":
            raise BadSetting(name, "is empty")
    if settings.admin_token is not None and len(settings.admin_token) < MIN_ADMIN_TOKEN_LENGTH:
        raise BadSetting("admin_token", f"has at least {MIN_ADMIN_TOKEN_LENGTH} characters")
    if settings.workers > 1 and not settings.uses_postgres:
        raise BadSetting("workers", "more than one needs a PostgreSQL database")
    if settings.redis is not None and urlsplit(settings.redis).scheme not in {
        "redis",
        "rediss",
        "unix",
    }:
        raise BadSetting("redis", "is a redis:// URL")
    if "://" in settings.database.removeprefix("sqlite:///") and not settings.uses_postgres:
        raise BadSetting("database", "is a postgresql:// URL or the path of a file")
    origins = tuple(normalize_origin(text) for text in settings.origins)
    hosts = tuple(normalize_host(text) for text in settings.hosts)
    return replace(settings, base_path=base_path, origins=origins, hosts=hosts)


def parse_network(text: str) -> Network:
    return ipaddress.ip_network(text, strict=False)


def normalize_host(text: str) -> str:
    """A host name or address in the form in which it's compared."""
    name = text.lower().removeprefix("[").removesuffix("]").removesuffix(".")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    if not re.fullmatch(r"[a-z0-9._-]+", name):
        raise BadSetting("hosts", "are names like games.example, separated by commas")
    return name


def is_loopback(host: str) -> bool:
    """Whether this is a name or address of this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def normalize_origin(text: str) -> str:
    """An origin as browsers send it: scheme, host, and the port if it isn't the usual one."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadSetting("origins", str(error)) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
        raise BadSetting("origins", "are like https://games.example, separated by commas")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in {None, usual} else "")
