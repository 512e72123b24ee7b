"""Writes docs/protocol.md from the types of the messages: python docs/make_protocol.py"""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec

from pytlik.game import Event, Expire, Reason, Shift
from pytlik.games import GAMES
from pytlik.server import hub, sockets, wire
from pytlik.server.routes.seats import Sit
from pytlik.server.routes.tables import NewTable
from pytlik.ubongo.hourglass import CREDIT
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat.view import View as UnikatView

HERE = Path(__file__).parent
PAGE = HERE / "protocol.md"
EVERY = Event.__struct_fields__
"""What every event has."""
MOST = 12
"""More values than these are not written out."""
VIEWS = {"unikat": UnikatView, "ubongo": UbongoView}

INTRODUCTION = """\
# The protocol of a table

<!-- Written by docs/make_protocol.py from the types in src/pytlik: change those, and run it. -->

A program plays with the same messages as a person's browser. It takes a seat by HTTP, and then
speaks over the table's WebSocket: it says what it wants, and is told what has happened. All other
calls (tables, seats, matches, replays) are described by the server itself at
`/schema/openapi.json`.

## Getting a seat

| call | does |
| --- | --- |
| `POST /api/tokens` | answers `{{"token": ...}}`, which is who you are: keep it |
| `POST /api/tables` | makes a table: {new_table} |
| `POST /api/tables/<table>/seats` | takes a free seat: {sit}. Answers with your `seat` |
| `PUT /api/tables/<table>/seats/<seat>/bot` | the host seats a bot: `{{"level": "easy"}}` |
| `POST /api/tables/<table>/start` | the host lets the match begin: `{{}}` |
| `GET /api/tables/<table>/socket` | the WebSocket |

Bodies are `application/json`. Send the token with every call and with the socket, as
`Authorization: Bearer <token>`, and no `Origin`. (A browser has its token in a cookie, and then its
`Origin` must be the server's own.) On a private server ask for the token with `POST /api/enter` and
`{{"passphrase": ..., "program": true}}`. Without any token you are a spectator.

## The socket

Every message is one text frame with one JSON object, and its `kind` says which. Unknown fields in
what you send are refused; ignore those that you are sent. The first message is `hello`, with the
protocol's version, {version}. Then, if a match is on, comes an `update` with all that your seat may
know, and one after everything that happens. An update is whole: whoever has missed some needs the
next one, and nothing else. So to come back after a broken connection just connect again.

- Answer every `ping` with a `pong`, at once. The least of the last {pings} measured delays is shown
  to all, and up to {credit} ms of it are credited to you in a race against the sand.
- Give every `act` an id of your own. If you do not hear whether it was done, send it again with the
  same id and `match`: it is answered again and done once, even if another match has begun since.
- `done` means that it is on disk. The update that shows it to you may come before or after.
- What your seat may do now is in the update: `view.choices`.
- Moments are milliseconds since 1970 on the server's clock; `now` tells you how it stands.

| limit | |
| --- | --- |
| a message of yours | {frame:,} bytes |
| messages of yours | {frames} in {window} seconds |
| messages that wait for you | {queue}; whoever reads more slowly is cut off, and comes back |
| compression | none |

| closed with | means |
| --- | --- |
| HTTP 403 | not opened: wrong origin or token, no passphrase, or too often |
| {policy} | too many messages |
| {too_big} | a message that is too long |
| 1007 | a text frame that is not UTF-8 |
| {try_later} | the server ends it: connect again, unless you were told `table_gone` |
| 1011, 1012 | you did not answer the WebSocket's own pings; the server stops: connect again |
| {not_found} | there is no such table |

## A bot

In plain Python, with `pip install websockets`. Two of it, at a table of two chairs that you have
made, play a match of Unikat to its end (`docs/examples/bot.py`):

```python
{bot}```
"""


def page() -> str:
    said = "".join(
        [
            introduction(),
            "\n## What you send\n",
            *sections(get_args(wire.ClientMessage), level=3),
            "\n## What you are sent\n",
            *sections(get_args(wire.ServerMessage), level=3),
            *sections(spoken_of(get_args(wire.ServerMessage)), level=3),
            "\nReasons: " + ", ".join(f"`{reason}`" for reason in Reason) + ".\n",
            *(text for name in GAMES for text in of_game(name)),
        ]
    )
    return said.rstrip("\n") + "\n"


def introduction() -> str:
    version = msgspec.structs.fields(wire.Hello)[0].default
    return INTRODUCTION.format(
        new_table=listed(NewTable),
        sit=listed(Sit),
        version=version,
        pings=hub.PINGS,
        credit=CREDIT,
        frame=sockets.FRAME,
        frames=sockets.FRAMES,
        window=sockets.WINDOW // 1000,
        queue=hub.QUEUE,
        policy=sockets.POLICY,
        too_big=sockets.TOO_BIG,
        try_later=hub.TRY_LATER,
        not_found=sockets.NOT_FOUND,
        bot=(HERE / "examples" / "bot.py").read_text(),
    )


def listed(struct: type[msgspec.Struct]) -> str:
    """The fields of a body: `name`, and `seat`, `share` if you like."""
    fields = msgspec.structs.fields(struct)
    needed = ", ".join(f"`{field.encode_name}`" for field in fields if field.required)
    others = ", ".join(f"`{field.encode_name}`" for field in fields if not field.required)
    return f"{needed}, and if you like {others}"


def of_game(name: str) -> Iterator[str]:
    game, title = GAMES[name], name.capitalize()
    actions = [kind for kind in get_args(game.action) if kind not in (Expire, Shift)]
    events, view = get_args(game.event), VIEWS[name]
    yield f"\n## {title}\n"
    yield f"\n### {title}: actions\n"
    yield from sections(actions, level=4)
    yield f"\n### {title}: events\n"
    yield "\nEach also has `v`, the version of its form (1), and `at`, when it happened.\n"
    yield from sections(events, level=4)
    yield f"\n### {title}: the view\n"
    yield from sections([view], level=4)
    yield f"\n### {title}: what they speak of\n"
    yield from sections(spoken_of([*actions, *events, view]), level=4)


# -------------------------------------------------------------------------------------- types


def sections(types: Iterable[Any], level: int) -> Iterator[str]:
    """A section for each message or type."""
    _, components = msgspec.json.schema_components(list(types), ref_template="{name}")
    for kind in types:
        schema = components[kind.__name__]
        yield f"\n{'#' * level} {tag(kind) or kind.__name__}\n"
        description = doc(kind)
        yield f"\n{description}\n" if description else ""
        if "enum" in schema:
            yield f"\n{described(schema)}.\n"
        elif schema.get("type") == "array":
            fields = getattr(kind, "__struct_fields__", None) or kind._fields
            yield f"\nA list: {', '.join(f'`{field}`' for field in fields)}.\n"
        else:
            yield table(kind, schema)


def spoken_of(messages: Iterable[Any]) -> list[Any]:
    """The types that messages speak of."""
    messages = list(messages)
    return [kind for kind in classes_of(messages).values() if kind not in messages]


def table(kind: Any, schema: dict[str, Any]) -> str:
    notes = field_notes(kind)
    rows = [
        f"| `{name}` | {cell(described(field))} | {cell(notes.get(name, ''))} |"
        for name, field in schema["properties"].items()
        if not (name == "kind" and tag(kind)) and not (name in EVERY and issubclass(kind, Event))
    ]
    if not rows:
        return ""
    return "\n" + "\n".join(["| field | is | |", "| --- | --- | --- |", *rows]) + "\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def tag(kind: Any) -> str | None:
    config = getattr(kind, "__struct_config__", None)
    return config.tag if config and config.tag else None


def doc(kind: Any) -> str:
    """A class's own docstring, and not its parent's."""
    return " ".join((ast.get_docstring(parsed(kind)) or "").split())


@cache
def parsed(kind: type) -> ast.ClassDef:
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(made, ast.ClassDef)
    return made


def classes_of(parts: list[Any]) -> dict[str, Any]:
    """All types that have a name, as they are met."""
    found: dict[str, Any] = {}

    def visit(node: Any) -> None:
        kind = getattr(node, "cls", None)
        if kind is not None and not isinstance(node, msgspec.inspect.CollectionType):
            if kind.__name__ in found:
                return
            found[kind.__name__] = kind
        for part in getattr(node, "fields", ()):
            visit(part.type)
        for name in ("types", "item_types"):
            for part in getattr(node, name, ()):
                visit(part)
        for name in ("item_type", "key_type", "value_type"):
            if hasattr(node, name):
                visit(getattr(node, name))

    for part in parts:
        visit(msgspec.inspect.type_info(part))
    return found


def described(schema: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " or ".join(described(part) for part in schema["anyOf"])
    if "enum" in schema and len(schema["enum"]) > MOST:
        first, *_, last = (f"`{msgspec.json.encode(value).decode()}`" for value in schema["enum"])
        return f"{first} to {last}"
    if "enum" in schema:
        return " or ".join(f"`{msgspec.json.encode(value).decode()}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{msgspec.json.encode(schema['const']).decode()}`"
    match schema.get("type"):
        case "array" if schema.get("items"):
            return f"list of {described(schema['items'])}"
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(described(part) for part in schema['prefixItems'])}]"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object with values: {described(schema['additionalProperties'])}"
        case str(name):
            return {"integer": "whole number", "array": "list", "string": text(schema)}.get(
                name, name
            )
        case _:
            return "anything"


def text(schema: dict[str, Any]) -> str:
    longest, pattern = schema.get("maxLength"), schema.get("pattern")
    words = ["text"]
    if longest:
        words.append(f"of up to {longest} characters")
    if pattern:
        words.append(f"like `{pattern}`")
    return " ".join(words)


def field_notes(kind: type) -> dict[str, str]:
    """What stands below each field in the source."""
    notes: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("pytlik"):
            continue
        for field, note in pairwise(parsed(base).body):
            match field, note:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(said))),
                ):
                    notes[name] = " ".join(said.split())
                case _:
                    pass
    return notes


if __name__ == "__main__":
    PAGE.write_text(page())
