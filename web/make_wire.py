"""Writes web/src/lib/wire.ts from the types of the messages: python -m web.make_wire

The page's types are those of the server: its socket's messages, its HTTP interface, and what is in
the boxes of the games. A test compares, so they can't drift apart.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args

import msgspec
from msgspec import inspect

from pytlik.game import Action, AnyGame, Event, Expire, Hidden, Outcome, Ready, Shift
from pytlik.games import OURS as GAMES
from pytlik.matchfile import Flaw
from pytlik.protocol import agreement, messages
from pytlik.protocol import circles as circle_types
from pytlik.protocol.reasons import all_reasons
from pytlik.score_sheet import Row, Starts
from pytlik.server import errors
from pytlik.server.routes import (
    auth,
    circles,
    dependencies,
    forget_me,
    health,
    lan,
    lessons,
    matches,
    notifications,
    seats,
    ubongo_daily,
    unikat_daily,
)
from pytlik.server.routes import tables as table_routes
from pytlik.store import Actor
from pytlik.ubongo import model as ubongo_model
from pytlik.ubongo.hexes import Shape
from pytlik.unikat import coach, solo_puzzles
from pytlik.unikat import messages as unikat
from pytlik.unikat import model as unikat_model
from pytlik.unikat import view as unikat_view
from tools.read_message_types import collect_named_types, field_docstrings, own_docstring, type_tag

FILE = Path(__file__).parent / "src" / "lib" / "wire.ts"
WIDTH = 100

HEAD = """\
/**
 * What the server and the page say to each other.
 *
 * Written by web/make_wire.py from the types in src/pytlik: change those, and run
 * `python -m web.make_wire`.
 *
 * Seats are counted clockwise from 0. Moments are milliseconds since 1970 on the server's clock.
 */
"""


def title(game: AnyGame) -> str:
    return game.name.capitalize()


REACTIONS = msgspec.structs.fields(messages.React)[0].type

ALIASES = {
    "GameName": Literal[tuple(game.name for game in GAMES)],
    "Level": agreement.Level,
    "Reaction": REACTIONS,
    "TablePhase": agreement.Phase,
    "Starts": Starts,
    "Source": unikat.Source,
    "UnikatEnded": unikat_model.Ended,
    "Take": unikat.Take,
    "Whereabouts": coach.Whereabouts,
    "SideName": ubongo_model.SideName,
    "Shape": Shape,
    "Pieces": ubongo_model.Pieces,
    "Purse": ubongo_model.Purse,
}
"""Types that have a name in Python, which they themselves don't know."""

NOTES = {
    "Starts": "Who begins the next round: the same seat, the next one, or the last winner (U4).",
    "Take": "What is taken: a tile of the display, or one from the bag.",
    "SideName": "A side of a card, by how many pieces it takes.",
    "Shape": "Cells in ascending order; where only the form counts, the first one is [0, 0].",
    "Pieces": "For each colour the pieces by their number (G2).",
    "Purse": "How many there are of each gem.",
}

WRITTEN = {"Take": "Tile | 'bag'", "Tile": "`${Digit}${Digit}${Digit}${Digit}`"}
"""What TypeScript can say more exactly than Python."""

FIELDS: dict[tuple[Any, str], str] = {
    **{(game.view_type, "game"): f"'{game.name}'" for game in GAMES},
    (unikat_view.Choices, "lay"): "Partial<Record<Tile, Cell[]>>",
    (unikat_view.Choices, "take"): "Take[]",
    (coach.Judged, "action"): "UnikatAction",
    (messages.Act, "action"): "GameAction",
    (messages.ChairInfo, "level"): "Level | null",
    (messages.Refused, "reason"): "Reason",
    (messages.Line, "reaction"): "Reaction | null",
    (messages.TableInfo, "game"): "Game",
    (messages.TableInfo, "options"): "Options",
    (messages.TableInfo, "agreement"): "Agreement",
    (messages.Update, "events"): "Event[]",
    (messages.Update, "view"): "View",
    (errors.Problem, "reason"): "Reason",
    (matches.Events, "events"): "GameEvent[]",
    (matches.Verdict, "flaw"): "Flaw | null",
    (circle_types.CircleScore, "game"): "GameName",
    (circle_types.CircleSeat, "bot"): "Level | null",
    (circle_types.CircleResult, "game"): "GameName",
    (circles.PlayedInCircle, "game"): "GameName",
    (matches.Sitter, "level"): "Level | null",
    (matches.Views, "game"): "GameName",
    (matches.Views, "views"): "View[]",
    (lessons.Lesson, "events"): "GameEvent[]",
    (lessons.Lesson, "view"): "View",
    (unikat_daily.DailyUnikat, "view"): "UnikatView | null",
    (unikat_daily.DailyTurn, "view"): "UnikatView",
    (unikat_daily.DailyTurn, "events"): "UnikatEvent[]",
    (lessons.Lesson, "example"): "GameAction[]",
    (table_routes.NewTable, "options"): " | ".join(
        f"Partial<{title(game)}Options>" for game in GAMES
    ),
    (table_routes.NewTable, "agreement"): "Partial<Agreement>",
}
"""Where the server leaves open what the page has to know."""

ROUTES = (
    dependencies,
    table_routes,
    seats,
    matches,
    circle_types,
    circles,
    coach,
    ubongo_daily,
    unikat_daily,
    lessons,
    forget_me,
    notifications,
    auth,
    health,
    lan,
)
INNER = {dependencies.Body, matches.Last}
"""Structs of those modules that are never sent as such."""

GENERIC = {
    messages.TableInfo: "TableOf<Game extends GameName, Options>",
    messages.Update: "UpdateOf<View, Event>",
}
"""These are of one game, and a union of both has their name."""

LISTS = {
    "Level": get_args(agreement.Level),
    "Reaction": get_args(REACTIONS),
    "Grade": tuple(map(str, solo_puzzles.Grade)),
    "Gem": tuple(map(str, ubongo_model.Gem)),
    "Colour": tuple(map(str, ubongo_model.Colour)),
}
"""What the page also shows one after the other."""

UNNAMED = {repr(inspect.type_info(kind)): name for name, kind in ALIASES.items()}
PACKAGES = {game.view_type.__module__.rpartition(".")[0] + ".": game for game in GAMES}
"""Where the types of each game are."""
TWICE = {"View", "Choices", "Options", "Phase"}
"""What all games have, by the same name."""


def page() -> str:
    games = chain.from_iterable(map(of_game, GAMES))
    return "\n".join([HEAD, *socket(), *http(), *shared_types(), *games])


def socket() -> Iterator[str]:
    asked, said = get_args(messages.ClientMessage), get_args(messages.ServerMessage)
    yield heading("The socket")
    yield f"export const PROTOCOL = {msgspec.structs.fields(messages.Hello)[0].default};\n"
    yield from map(declare, asked)
    yield alias("ClientMessage", union(asked))
    yield from map(declare, said)
    for name in map(title, GAMES):
        yield alias(f"{name}Update", f"UpdateOf<{name}View, {name}Event>")
    yield alias("Update", of_any("Update"))
    yield alias("ServerMessage", union(said))
    yield declare(messages.TableInfo)
    for game in GAMES:
        yield alias(f"{title(game)}Table", f"TableOf<'{game.name}', {title(game)}Options>")
    yield alias("TableInfo", of_any("Table"))
    yield declare(messages.ChairInfo)
    yield declare(agreement.Agreement)


def http() -> Iterator[str]:
    yield heading("HTTP")
    yield from (declare(kind) for module in ROUTES for kind in structs(module))
    yield from map(declare, (errors.Error, errors.Problem))


def structs(module: ModuleType) -> Iterator[Any]:
    for kind in vars(module).values():
        is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        if is_struct and kind.__module__ == module.__name__ and kind not in INNER:
            yield kind


def shared_types() -> Iterator[str]:
    yield heading("What all games have")
    yield declare_alias("GameName")
    yield comment("How many can play a game, where there is no table yet that says so.") + (
        "export const PLAYERS: Record<GameName, { fewest: number; most: number }> = {\n"
        + "".join(
            f"  {game.name}: {{ fewest: {game.players[0]}, most: {game.players[-1]} }},\n"
            for game in sorted(GAMES, key=lambda game: game.name)
        )
        + "};\n"
    )
    yield alias("View", of_any("View"))
    yield alias("GameAction", of_any("Action"))
    yield alias("GameEvent", of_any("Event"))
    yield from (declare_alias(name) for name in ("Level", "Reaction", "TablePhase", "Source"))
    enum: Any = StrEnum  # no checker knows the members of an enum that is put together here
    every_reason = enum("Reason", [(reason.name, reason.value) for reason in all_reasons()])
    said = "Why something is refused. A code: the sentences are in the catalogues."
    yield comment(said) + declare_alias("Reason", every_reason)
    yield from map(declare, (Flaw, Actor, Ready, Hidden, Outcome))


def of_any(kind: str) -> str:
    """The union over all games of what each of them has."""
    return " | ".join(f"{title(game)}{kind}" for game in GAMES)


def of_game(game: AnyGame) -> Iterator[str]:
    # A game with only one kind of action has no union of them.
    kinds = get_args(game.action) or (game.action,)
    actions = [kind for kind in kinds if kind not in (Expire, Shift)]
    events = get_args(game.event)
    yield heading(title(game))
    yield alias(f"{title(game)}Action", union(actions))
    yield alias(f"{title(game)}Event", union(events))
    for kind in collect_named_types([*actions, *events, game.view_type]).values():
        if game_of(kind) is game:
            yield declare(kind)
    yield from MORE.get(game.name, lambda: ())()


def more_of_unikat() -> Iterator[str]:
    yield "type Digit = '0' | '1' | '2';\n"
    yield from (declare_alias(name) for name in ("Take", "UnikatEnded", "Starts", "Whereabouts"))
    yield from map(declare, (Row, solo_puzzles.Grade))


def more_of_ubongo() -> Iterator[str]:
    yield from (declare_alias(name) for name in ("SideName", "Shape", "Pieces", "Purse"))
    worth = ", ".join(f"{gem}: {points}" for gem, points in ubongo_model.POINTS.items())
    yield comment("What a gem is worth (G3).") + (
        f"export const POINTS: Record<Gem, number> = {{ {worth} }};\n"
    )


MORE: dict[str, Callable[[], Iterable[str]]] = {
    "unikat": more_of_unikat,
    "ubongo": more_of_ubongo,
}
"""What is neither an action nor an event nor in a view, and the page needs."""


# --------------------------------------------------------------------------- declarations


def declare(kind: Any) -> str:
    """A class as an interface, a tuple or a union of texts."""
    name, said = name_of(kind), comment(own_docstring(kind))
    info = inspect.type_info(kind)
    if name in LISTS or isinstance(info, inspect.EnumType):
        return said + declare_alias(name, kind)
    if fields := tuple_fields(info):
        parts = ", ".join(f"{field.encode_name}: {ts(field.type)}" for field in fields)
        return said + alias(name, f"[{parts}]")
    head = GENERIC.get(kind, name)
    return f"{said}export interface {head} {{\n{''.join(members(kind, info))}}}\n"


def members(kind: Any, info: Any) -> Iterator[str]:
    if type_tag(kind):
        yield f"  kind: '{type_tag(kind)}';\n"
    notes = field_docstrings(kind)
    optional = issubclass(kind, dependencies.Body)
    for field in info.fields:
        mark = "?" if optional and not field.required else ""
        written = FIELDS.get((kind, field.name)) or ts(field.type)
        # What may be left out is left out, and not sent as nothing.
        written = written.removesuffix(" | null") if mark else written
        yield comment(notes.get(field.name, ""), indent="  ")
        yield f"  {field.encode_name}{mark}: {written};\n"


def declare_alias(name: str, kind: Any = None) -> str:
    note = comment(NOTES.get(name, ""))
    if name in LISTS:
        values = ", ".join(f"'{value}'" for value in LISTS[name])
        plural = f"{name.upper()}S"
        return (
            f"{note}export const {plural} = [{values}] as const;\n"
            f"export type {name} = (typeof {plural})[number];\n"
        )
    if name in WRITTEN:
        return note + alias(name, WRITTEN[name])
    if kind is not None:
        return note + alias(name, literals(kind))
    return note + alias(name, type_expression(inspect.type_info(ALIASES[name])))


def alias(name: str, written: str) -> str:
    """Broken where Prettier would."""
    head = f"export type {name} ="
    if len(f"{head} {written};") <= WIDTH:
        return f"{head} {written};\n"
    if len(f"  {written};") <= WIDTH:
        return f"{head}\n  {written};\n"
    parts = "".join(f"\n  | {part}" for part in written.split(" | "))
    return f"{head}{parts};\n"


def union(kinds: Iterable[Any]) -> str:
    return " | ".join(map(name_of, kinds))


def literals(values: Iterable[Any]) -> str:
    return " | ".join(
        f"'{value}'" if isinstance(value, str) else msgspec.json.encode(value).decode()
        for value in values
    )


def heading(text: str) -> str:
    return f"// {'-' * (WIDTH - 4 - len(text))} {text}\n"


def comment(text: str, indent: str = "") -> str:
    if not text:
        return ""
    line = f"{indent}/** {text} */\n"
    if len(line) <= WIDTH + 1:
        return line
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return f"{indent}/**\n" + "".join(f"{indent} * {part}\n" for part in lines) + f"{indent} */\n"


# --------------------------------------------------------------------------------- types


def name_of(kind: Any) -> str:
    """Its own, with the game's before it where all games have it; and all actions and events."""
    name: str = kind.__name__
    if kind is errors.Error:
        return "ErrorAnswer"  # Error is JavaScript's own
    if issubclass(kind, dependencies.Body):
        return f"{name}Body"
    game = game_of(kind)
    if game is None:
        return name
    is_message = issubclass(kind, Action | Event)
    return f"{title(game)}{name}" if is_message or name in TWICE else name


def game_of(kind: Any) -> AnyGame | None:
    """The game whose own type this is."""
    found = (game for package, game in PACKAGES.items() if kind.__module__.startswith(package))
    return next(found, None)


def ts(node: inspect.Type) -> str:
    """A type in TypeScript, by its name if it has one."""
    return UNNAMED.get(repr(node)) or type_expression(node)


def type_expression(node: inspect.Type) -> str:
    match node:
        case inspect.Metadata(type=inner):
            return ts(inner)
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType() | inspect.DateType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType() | inspect.RawType():
            return "unknown"
        case inspect.LiteralType(values=values):
            return literals(values)
        case inspect.EnumType() | inspect.StructType() | inspect.NamedTupleType():
            return name_of(node.cls)
        case inspect.UnionType(types=types):
            return " | ".join(map(ts, types))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            one = ts(item)
            return f"({one})[]" if isinstance(item, inspect.UnionType) else f"{one}[]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(ts, items))}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"Record<{ts(key)}, {ts(value)}>"
        case _:
            raise TypeError(f"no TypeScript for {node}")


def tuple_fields(info: Any) -> tuple[Any, ...]:
    if isinstance(info, inspect.NamedTupleType) or getattr(info, "array_like", False):
        return tuple(info.fields)
    return ()


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(page())
