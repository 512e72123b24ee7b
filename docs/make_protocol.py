"""Writes docs/protocol.md from the types of the messages: python -m docs.make_protocol"""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, get_args

import msgspec

from docs import field_notes
from pytlik.game import Action, Event, Expire, Shift
from pytlik.games import GAMES
from pytlik.i18n import catalogue
from pytlik.protocol import messages
from pytlik.protocol.reasons import all_reasons
from pytlik.protocol.table_agreement import Agreement
from pytlik.server import table_socket
from pytlik.server.access import socket_limits
from pytlik.server.access.rate_limits import Kind, SlotLimit
from pytlik.server.live import connection, table_change_throttle
from pytlik.server.match import delay_credit
from pytlik.server.routes.dependencies import Body
from pytlik.server.routes.seats import Sit as Seat
from pytlik.server.routes.tables import NewTable
from pytlik.server.transport import websocket_protocol
from pytlik.ubongo.timing import MAX_CREDIT_MS
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat.view import View as UnikatView
from tools.message_types import collect_named_types, field_docstrings, own_docstring, type_tag

HERE = Path(__file__).parent
PAGE = HERE / "protocol.md"
EVERY = Event.__struct_fields__
"""The fields that every event has."""
MOST = 12
"""Longer lists of values aren't written out."""
LIMITED = {
    Kind.READ: "looking at something, from one address",
    Kind.CHANGE: "changing something, from one address",
    Kind.CREATE: "creating tokens, tables and circles, from one address",
    Kind.TABLE: "changing a table where you sit or are the host",
    Kind.STRANGER_AT_TABLE: "changing another table (sitting down), from one address",
    Kind.CONNECT: "opening sockets, from one address",
    Kind.CONNECT_PERSON: "opening sockets, with one token",
    Kind.CONNECT_STRANGER: "opening sockets at another table, from one address",
    Kind.MESSAGE: "messages over the socket of a table where you sit or are the host",
    Kind.MESSAGE_STRANGER: "messages over the socket of another table, from one address",
    Kind.TALK: "reactions and lines of chat at a table",
}
VIEWS = {"unikat": UnikatView, "ubongo": UbongoView}

INTRODUCTION = """\
# The protocol of a table

<!-- Written from the types in src/pytlik: change those, and run python -m docs.make_protocol. -->

A program plays with the same messages as a person's browser. It takes a seat over HTTP and then
talks over the table's WebSocket: it sends what it wants to do, and receives what happened. The
server describes all its other calls (tables, seats, matches, replays) at `/schema/openapi.json`.

[Write a bot](bots.md) shows two programs that do all of this, in Python and in TypeScript.

## Getting a seat

People share a table as a link, `https://games.example/t/<table>`. The last part is the table's id.
What comes before `/t/` is the server's address, which may include a path
(`https://example.org/games/t/<table>`); all paths below follow it.

| call | does |
| --- | --- |
| `POST /api/tokens` | answers `{{"token": ...}}`, which says who you are: keep it, and keep it secret |
| `GET /api/tables/<table>` | the table as it is: `table` (a [TableInfo](#tableinfo)), `yours`, `host`, `now`; needs no token |
| `POST /api/tables/<table>/seats` | takes a free seat: {sit}. Answers the same, with your `seat` and `recovery`, a code that gets the seat back if you lose the token |
| `POST /api/tables` | creates a table with you as its host: {new_table} |
| `PUT /api/tables/<table>/seats/<seat>/bot` | as the host, seat a bot: `{{"level": "easy"}}` |
| `POST /api/tables/<table>/start` | as the host, or on the first seat if the host has none, start the match: `{{}}`, or `{{"without_free": true}}` if seats are free |
| `POST /api/tables/<table>/rematch` | as the host, call everyone to another match: `{{}}` |
| `POST /api/tables/<table>/again` | after a match, ask for another: `{{}}`. Once everyone present has asked, the table returns to its lobby with `again`, and the match starts when the last share arrives. If too few sit there by then, the host starts it later |
| `PUT /api/tables/<table>/seats/<seat>/share` | your part of the seed of a rematch: `{{"share": ...}}` |
| `POST /api/tables/<table>/seats/<seat>/back` | play for yourself again, after a bot played for you: `{{}}` |
| `POST /api/tables/<table>/pause` | ask for a pause, or to end one: `{{}}`. It happens once everyone present has asked, so ask as soon as `pausing` names others: without you, people can never have a pause. `{{"wanted": false}}` takes your wish back, or refuses the pause for everyone |
| `POST /api/tables/<table>/skip` | skip the time in which only bots still solve: `{{}}` |
| `DELETE /api/tables/<table>/seats/<seat>` | leave |
| `GET /api/tables/<table>/socket` | the WebSocket |

Bodies are `application/json`. Send the token with every call and with the socket, as
`Authorization: Bearer <token>`, and send no `Origin`. (A browser has its token in a cookie, and its
`Origin` must be the server's own.) On a private server, get the token with `POST /api/enter` and
`{{"passphrase": ..., "program": true}}`. Without a token you're a spectator.

The `share` is your part of the seed that the deal is drawn from. Send something random of up to 64
characters, and nobody can choose the deal alone. If a seat is free, you can take it during a match;
then the share of whoever sat there stays. A name has 1 to 24 characters.

A refusal has a status of 400 or more and a code from [the list below](#reasons):
`{{"error": {{"reason": "seat_taken", "detail": {{}}}}}}`. With 429, the header `Retry-After` says how
many seconds to wait. The rate limits are:

| | at once | then, a second |
| --- | --- | --- |
{limits}

## The socket

Every message is one text frame with one JSON object, and its `kind` says which message it is. The
server refuses unknown fields; you should ignore fields and kinds that you don't know. Objects whose
keys are seats or numbers have them as strings: `"0"`.

This is what you receive, in this order:

1. `hello`, with the protocol's version ({version}), the table, and your seats.
2. During a match, an `update` with everything your seat may know. If you have several seats, it's
   the first of them; `sit` asks for another seat's view. Before a match there is none.
3. An `update` after everything that happens in the match; a `table_changed` after everything else
   (someone came, a pause, the end of a match); a `line` when someone says something; a `ping` at
   once, again after each of your first answers, and then every {ping_every} seconds.
4. One `done` or one `refused` for each `act`, in the order in which you sent them. The update that
   shows what you did may come before or after its `done`: it's the first one whose `seq` is at
   least the `done`'s.
5. The last update of a match has an `outcome` in its view. The socket stays open. After a rematch
   the next updates have another `match`.

An update is complete: if you missed some, you need the next one and nothing else. **If the
connection breaks, connect again** with the same token, after a second or so, and wait longer each
time it fails. You get `hello` and a complete update. If you sent something and got no answer, send
it again with the same id.

- Answer every `ping` with a `pong`, at once. Your delay is half of a typical round trip: the median
  of the last {measurements}, once there are {fewest}. If you have several connections, the smallest
  delay counts. Everyone sees it. In a race against the sand, up to {credit} ms of it are credited
  to you, but in a whole match at most {quota} ms beyond the smallest delay you acted with.
- Give every `act` an id of your own. If you don't hear whether it was done, send it again with the
  same id and `match`: it's answered again and done once, even if another match has started since.
- `done` means that it's on disk.
- `view.choices` in the update says what your seat may do now. Do one thing at a time: wait for the
  `done`, and for the update that shows it.
- A refusal changes nothing. After `paused`, ask again when a `table_changed` says that the pause is
  over (`paused` is null). After `unavailable`, and after `too_early` in the countdown that ends a
  pause, ask again in a second. After any other refusal, look at the next update.
- If you're away for longer than the table allows (`agreement.away_seconds`, or `turn_seconds` for a
  turn), a bot plays for you, and your chair has `stand_in`. This doesn't happen if you're the only
  person who plays, because nobody is waiting. Connect again to take over; if you were connected all
  the time, use `POST .../back`.
- Times are milliseconds since 1970 on the server's clock. `now` tells you what it shows.

| limit | |
| --- | --- |
| size of a message you send | {frame:,} bytes |
| messages you send | {frames} in {window} seconds |
| pings, pongs and fragments you send | {control} in {control_window} seconds |
| sockets open at once | {sockets} from one address; {own} for one person at a table; {spectators} for a table's spectators, {spectators_address} of them from one address |
| `table_changed` | at most one in {pause} ms, with the newest state, unless a `line` or an `update` needs it earlier |
| messages waiting for you | {queue}; if you read more slowly, you're disconnected and can come back |
| compression | none |

| closed with | means |
| --- | --- |
| HTTP 403 | not opened: wrong origin or token, no passphrase, or too many attempts (then it comes after {slow} to {slowest} seconds) |
| {policy} | too many messages or control frames |
| {too_big} | a message that is too long |
| 1007 | a text frame that isn't UTF-8 |
| {try_later} | the server closed it: connect again, unless you received `table_gone`. If the reason is `too_many_sockets` or `too_fast`, wait a minute first; the server says so after {slow} to {slowest} seconds |
| 1011, 1012 | you didn't answer the WebSocket's own pings, or the server is stopping: connect again |
| {not_found} | there is no such table |
"""


def render_page() -> str:
    said = "".join(
        [
            introduction(),
            "\n## What you post\n",
            "\nThe bodies of two of the calls above. The table shows the others.\n",
            body_section("`POST /api/tables/<table>/seats`: take a seat", Seat),
            body_section("`POST /api/tables`: create a table", NewTable),
            *sections([Agreement], level=3),
            "\n## What you send\n",
            *sections(get_args(messages.ClientMessage), level=3),
            "\n## What you are sent\n",
            *sections(get_args(messages.ServerMessage), level=3),
            *sections(types_mentioned_in(get_args(messages.ServerMessage)), level=3),
            *reasons(),
            *(text for name in GAMES for text in game_sections(name)),
        ]
    )
    return said.rstrip("\n") + "\n"


def introduction() -> str:
    version = msgspec.structs.fields(messages.Hello)[0].default
    return INTRODUCTION.format(
        new_table=list_fields(NewTable),
        sit=list_fields(Seat),
        version=version,
        measurements=delay_credit.MAX_MEASUREMENTS,
        fewest=delay_credit.MIN_MEASUREMENTS,
        quota=delay_credit.EXTRA_CREDIT_QUOTA_MS,
        credit=MAX_CREDIT_MS,
        frame=table_socket.MAX_MESSAGE_BYTES,
        frames=table_socket.MAX_MESSAGES,
        window=table_socket.WINDOW_MS // 1000,
        control=websocket_protocol.MAX_CONTROL_FRAMES,
        control_window=int(websocket_protocol.CONTROL_SECONDS),
        sockets=SlotLimit.ADDRESS.value,
        own=SlotLimit.PERSON.value,
        spectators=SlotLimit.SPECTATORS.value,
        spectators_address=SlotLimit.SPECTATORS_ADDRESS.value,
        pause=round(1000 * table_change_throttle.NEWS_PAUSE_SECONDS),
        queue=connection.MAX_QUEUED_MESSAGES,
        policy=table_socket.POLICY,
        too_big=table_socket.TOO_BIG,
        try_later=connection.TRY_LATER,
        not_found=table_socket.NOT_FOUND,
        ping_every=int(table_socket.PING_EVERY_SECONDS),
        slow=int(socket_limits.SHORTEST_REFUSAL_SECONDS),
        slowest=int(socket_limits.LONGEST_REFUSAL_SECONDS),
        limits="\n".join(limits()),
    )


def body_section(title: str, kind: type[msgspec.Struct]) -> str:
    _, components = msgspec.json.schema_components([kind], ref_template="{name}")
    return f"\n### {title}\n{fields_table(kind, components[kind.__name__])}"


def limits() -> Iterator[str]:
    for kind, said in LIMITED.items():
        yield f"| {said} | {kind.value.burst} | {kind.value.per_second:g} |"


def reasons() -> Iterator[str]:
    """All reasons, with their sentences in English and the fields of `detail` in those."""
    translate = catalogue("en")
    yield "\n### Reasons\n\n"
    yield "The page shows these sentences; programs should look only at the code.\n"
    yield "\n| reason | says | `detail` |\n| --- | --- | --- |\n"
    for reason in all_reasons():
        key = f"reason.{reason}"
        fields = sorted(translate.fields(key))
        said = translate(key, **{field: f"<{field}>" for field in fields})
        named = ", ".join(f"`{field}`" for field in fields) or "–"
        yield f"| `{reason}` | {escape_cell(escape(said, quote=False))} | {named} |\n"


def list_fields(struct: type[msgspec.Struct]) -> str:
    """The fields of a body: `name`, and optionally `seat`, `share`."""
    fields = msgspec.structs.fields(struct)
    needed = ", ".join(f"`{field.encode_name}`" for field in fields if field.required)
    others = ", ".join(f"`{field.encode_name}`" for field in fields if not field.required)
    return f"{needed}, and optionally {others}"


def game_sections(name: str) -> Iterator[str]:
    game, title = GAMES[name], name.capitalize()
    actions = [kind for kind in get_args(game.action) if kind not in (Expire, Shift)]
    events, view = get_args(game.event), VIEWS[name]
    yield f"\n## {title}\n"
    yield f"\n### {title}: actions\n"
    yield from sections(actions, level=4)
    yield f"\n### {title}: events\n"
    yield "\nEach also has `v`, the version of its format (1), and `at`, when it happened.\n"
    yield from sections(events, level=4)
    yield f"\n### {title}: the view\n"
    yield from sections([view], level=4)
    yield f"\n### {title}: other types\n"
    yield from sections(types_mentioned_in([*actions, *events, view]), level=4)


# -------------------------------------------------------------------------------------- types


def sections(types: Iterable[Any], level: int) -> Iterator[str]:
    """A section for each message or type."""
    _, components = msgspec.json.schema_components(list(types), ref_template="{name}")
    for kind in types:
        schema = components[kind.__name__]
        yield f"\n{'#' * level} {type_tag(kind) or kind.__name__}\n"
        description = own_docstring(kind)
        yield f"\n{description}\n" if description else ""
        if "enum" in schema:
            yield f"\n{describe_type(schema)}.\n"
        elif schema.get("type") == "array":
            fields = getattr(kind, "__struct_fields__", None) or kind._fields
            yield f"\nA list: {', '.join(f'`{field}`' for field in fields)}.\n"
        else:
            yield fields_table(kind, schema)


def types_mentioned_in(kinds: Iterable[Any]) -> list[Any]:
    """The types that messages refer to."""
    kinds = list(kinds)
    return [kind for kind in collect_named_types(kinds).values() if kind not in kinds]


def fields_table(kind: Any, schema: dict[str, Any]) -> str:
    notes, optional, defaults = (
        field_docstrings(kind),
        optional_fields(kind, schema),
        describe_defaults(kind),
    )
    rows = [
        f"| `{name}` | {escape_cell(describe_type(field))}{', optional' if name in optional else ''}"
        f"{escape_cell(defaults.get(name, ''))} "
        f"| {escape_cell(notes.get(name) or field_notes.note_for_field(kind, name))} |"
        for name, field in schema["properties"].items()
        if not (name == "kind" and type_tag(kind))
        and not (name in EVERY and issubclass(kind, Event))
    ]
    if not rows:
        return ""
    return "\n" + "\n".join(["| field | is | |", "| --- | --- | --- |", *rows]) + "\n"


def optional_fields(kind: Any, schema: dict[str, Any]) -> set[str]:
    """The fields that a program may leave out of a message. The server sends all of them."""
    if not issubclass(kind, messages.FromClient | Action):
        return set()
    return set(schema["properties"]) - set(schema["required"])


def describe_defaults(kind: Any) -> dict[str, str]:
    """The defaults of fields that options and bodies may leave out."""
    if not (issubclass(kind, Body) or kind.__name__ in ("Options", "Agreement")):
        return {}
    return {
        field.encode_name: f"; if absent `{msgspec.json.encode(field.default).decode()}`"
        for field in msgspec.structs.fields(kind)
        if field.default is not msgspec.NODEFAULT and not isinstance(field.default, Agreement)
    }


def escape_cell(text: str) -> str:
    return text.replace("|", "\\|")


def describe_type(schema: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " or ".join(describe_type(part) for part in schema["anyOf"])
    if "enum" in schema and len(schema["enum"]) > MOST:
        first, *_, last = (f"`{msgspec.json.encode(value).decode()}`" for value in schema["enum"])
        return f"{first} to {last}"
    if "enum" in schema:
        return " or ".join(f"`{msgspec.json.encode(value).decode()}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{msgspec.json.encode(schema['const']).decode()}`"
    match schema.get("type"):
        case "array" if schema.get("items"):
            return f"list of {describe_type(schema['items'])}"
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(describe_type(part) for part in schema['prefixItems'])}]"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object with values: {describe_type(schema['additionalProperties'])}"
        case "integer" if "minimum" in schema:
            return f"whole number from {schema['minimum']} to {schema['maximum']}"
        case str(name):
            return {
                "integer": "whole number",
                "array": "list",
                "string": describe_text_type(schema),
            }.get(name, name)
        case _:
            return "anything"


def describe_text_type(schema: dict[str, Any]) -> str:
    longest, pattern = schema.get("maxLength"), schema.get("pattern")
    words = ["text"]
    if longest:
        words.append(f"of up to {longest} characters")
    if pattern:
        words.append(f"like `{pattern}`")
    return " ".join(words)


if __name__ == "__main__":
    PAGE.write_text(render_page())
