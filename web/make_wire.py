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
from pytlik.games import BUILT_IN_GAMES as GAMES
from pytlik.matchfile import Flaw
from pytlik.protocol import circles as circle_types
from pytlik.protocol import messages, table_agreement
from pytlik.protocol.reasons import all_reasons
from pytlik.score_sheet import Row, StarterRule
from pytlik.server.responses import error_responses
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
from tools.message_types import collect_named_types, field_docstrings, own_docstring, type_tag

WIRE_FILE = Path(__file__).parent / "src" / "lib" / "wire.ts"
LINE_WIDTH = 100

FILE_HEADER = """\
/**
 * What the server and the page say to each other.
 *
 * Written by web/make_wire.py from the types in src/pytlik: change those, and run
 * `python -m web.make_wire`.
 *
 * Seats are counted clockwise from 0. Moments are milliseconds since 1970 on the server's clock.
 */
"""


def type_prefix(game: AnyGame) -> str:
    return game.name.capitalize()


REACTION_TYPE = msgspec.structs.fields(messages.React)[0].type

ALIASES = {
    "GameName": Literal[tuple(game.name for game in GAMES)],
    "Level": table_agreement.Level,
    "Reaction": REACTION_TYPE,
    "TablePhase": table_agreement.Phase,
    "StarterRule": StarterRule,
    "Source": unikat.Source,
    "UnikatEnded": unikat_model.Ended,
    "Take": unikat.Take,
    "Whereabouts": coach.Whereabouts,
    "SideName": ubongo_model.SideName,
    "Shape": Shape,
    "Pieces": ubongo_model.Pieces,
    "Purse": ubongo_model.Purse,
}
"""Type aliases: msgspec sees only what they stand for, so their names are given here."""

ALIAS_COMMENTS = {
    "StarterRule": (
        "Who begins the next round: the same seat, the next one, or the last winner (U4)."
    ),
    "Take": "What is taken: a tile of the display, or one from the bag.",
    "SideName": "A side of a card, by how many pieces it takes.",
    "Shape": "Cells in ascending order; where only the form counts, the first one is [0, 0].",
    "Pieces": "For each colour the pieces by their number (G2).",
    "Purse": "How many there are of each gem.",
}

HANDWRITTEN_TYPES = {"Take": "Tile | 'bag'", "Tile": "`${Digit}${Digit}${Digit}${Digit}`"}
"""Types that TypeScript can express more exactly than Python."""

HANDWRITTEN_FIELD_TYPES: dict[tuple[Any, str], str] = {
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
    (error_responses.Problem, "reason"): "Reason",
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
        f"Partial<{type_prefix(game)}Options>" for game in GAMES
    ),
    (table_routes.NewTable, "agreement"): "Partial<Agreement>",
}
"""Fields whose Python type is wider than what the page has to know."""

MESSAGE_MODULES = (
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
UNSENT_STRUCTS = {dependencies.Body, matches.EventKind}
"""Structs of those modules that are never sent by themselves."""

GENERIC_HEADS = {
    messages.TableInfo: "TableOf<Game extends GameName, Options>",
    messages.Update: "UpdateOf<View, Event>",
}
"""Generic over the game; the plain name is the union over all games."""

LISTED_VALUES = {
    "Level": get_args(table_agreement.Level),
    "Reaction": get_args(REACTION_TYPE),
    "Grade": tuple(map(str, solo_puzzles.Grade)),
    "Gem": tuple(map(str, ubongo_model.Gem)),
    "Colour": tuple(map(str, ubongo_model.Colour)),
}
"""Types whose values the page also needs as a list."""

ALIAS_BY_TYPE = {repr(inspect.type_info(kind)): name for name, kind in ALIASES.items()}
GAME_BY_PACKAGE = {game.view_type.__module__.rpartition(".")[0] + ".": game for game in GAMES}
"""Which game the types of a package belong to."""
NAMES_IN_EVERY_GAME = {"View", "Choices", "Options", "Phase"}
"""Types that every game has under the same name."""


def wire_file_text() -> str:
    games = chain.from_iterable(map(game_types, GAMES))
    return "\n".join([FILE_HEADER, *socket_types(), *http_types(), *shared_types(), *games])


def socket_types() -> Iterator[str]:
    asked, said = get_args(messages.ClientMessage), get_args(messages.ServerMessage)
    yield section_heading("The socket")
    yield f"export const PROTOCOL = {msgspec.structs.fields(messages.Hello)[0].default};\n"
    yield from map(declare_type, asked)
    yield format_alias("ClientMessage", name_union(asked))
    yield from map(declare_type, said)
    for name in map(type_prefix, GAMES):
        yield format_alias(f"{name}Update", f"UpdateOf<{name}View, {name}Event>")
    yield format_alias("Update", union_over_games("Update"))
    yield format_alias("ServerMessage", name_union(said))
    yield declare_type(messages.TableInfo)
    for game in GAMES:
        yield format_alias(
            f"{type_prefix(game)}Table", f"TableOf<'{game.name}', {type_prefix(game)}Options>"
        )
    yield format_alias("TableInfo", union_over_games("Table"))
    yield declare_type(messages.ChairInfo)
    yield declare_type(table_agreement.Agreement)


def http_types() -> Iterator[str]:
    yield section_heading("HTTP")
    yield from (
        declare_type(kind) for module in MESSAGE_MODULES for kind in message_structs(module)
    )
    yield from map(declare_type, (error_responses.Error, error_responses.Problem))


def message_structs(module: ModuleType) -> Iterator[Any]:
    for kind in vars(module).values():
        is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        if is_struct and kind.__module__ == module.__name__ and kind not in UNSENT_STRUCTS:
            yield kind


def shared_types() -> Iterator[str]:
    yield section_heading("What all games have")
    yield declare_alias("GameName")
    yield doc_comment("How many can play a game, where there is no table yet that says so.") + (
        "export const PLAYERS: Record<GameName, { fewest: number; most: number }> = {\n"
        + "".join(
            f"  {game.name}: {{ fewest: {game.players[0]}, most: {game.players[-1]} }},\n"
            for game in sorted(GAMES, key=lambda game: game.name)
        )
        + "};\n"
    )
    yield format_alias("View", union_over_games("View"))
    yield format_alias("GameAction", union_over_games("Action"))
    yield format_alias("GameEvent", union_over_games("Event"))
    yield from (declare_alias(name) for name in ("Level", "Reaction", "TablePhase", "Source"))
    enum: Any = StrEnum  # no checker knows the members of an enum that is put together here
    every_reason = enum("Reason", [(reason.name, reason.value) for reason in all_reasons()])
    said = "Why something is refused. A code: the sentences are in the catalogues."
    yield doc_comment(said) + declare_alias("Reason", every_reason)
    yield from map(declare_type, (Flaw, Actor, Ready, Hidden, Outcome))


def union_over_games(kind: str) -> str:
    """The union over all games of what each of them has."""
    return " | ".join(f"{type_prefix(game)}{kind}" for game in GAMES)


def game_types(game: AnyGame) -> Iterator[str]:
    # A game with only one kind of action has no union of them.
    kinds = get_args(game.action) or (game.action,)
    actions = [kind for kind in kinds if kind not in (Expire, Shift)]
    events = get_args(game.event)
    yield section_heading(type_prefix(game))
    yield format_alias(f"{type_prefix(game)}Action", name_union(actions))
    yield format_alias(f"{type_prefix(game)}Event", name_union(events))
    for kind in collect_named_types([*actions, *events, game.view_type]).values():
        if game_owning(kind) is game:
            yield declare_type(kind)
    yield from EXTRA_TYPES.get(game.name, lambda: ())()


def extra_unikat_types() -> Iterator[str]:
    yield "type Digit = '0' | '1' | '2';\n"
    yield from (
        declare_alias(name) for name in ("Take", "UnikatEnded", "StarterRule", "Whereabouts")
    )
    yield from map(declare_type, (Row, solo_puzzles.Grade))


def extra_ubongo_types() -> Iterator[str]:
    yield from (declare_alias(name) for name in ("SideName", "Shape", "Pieces", "Purse"))
    worth = ", ".join(f"{gem}: {points}" for gem, points in ubongo_model.POINTS.items())
    yield doc_comment("What a gem is worth (G3).") + (
        f"export const POINTS: Record<Gem, number> = {{ {worth} }};\n"
    )


EXTRA_TYPES: dict[str, Callable[[], Iterable[str]]] = {
    "unikat": extra_unikat_types,
    "ubongo": extra_ubongo_types,
}
"""Types that the page needs although no action, event or view contains them."""


# --------------------------------------------------------------------------- declarations


def declare_type(kind: Any) -> str:
    """A class as an interface, a tuple or a union of texts."""
    name, said = type_name(kind), doc_comment(own_docstring(kind))
    info = inspect.type_info(kind)
    if name in LISTED_VALUES or isinstance(info, inspect.EnumType):
        return said + declare_alias(name, kind)
    if fields := tuple_fields(info):
        parts = ", ".join(f"{field.encode_name}: {type_reference(field.type)}" for field in fields)
        return said + format_alias(name, f"[{parts}]")
    head = GENERIC_HEADS.get(kind, name)
    return f"{said}export interface {head} {{\n{''.join(member_lines(kind, info))}}}\n"


def member_lines(kind: Any, info: Any) -> Iterator[str]:
    if type_tag(kind):
        yield f"  kind: '{type_tag(kind)}';\n"
    notes = field_docstrings(kind)
    optional = issubclass(kind, dependencies.Body)
    for field in info.fields:
        mark = "?" if optional and not field.required else ""
        written = HANDWRITTEN_FIELD_TYPES.get((kind, field.name)) or type_reference(field.type)
        # What may be left out is left out, and not sent as nothing.
        written = written.removesuffix(" | null") if mark else written
        yield doc_comment(notes.get(field.name, ""), indent="  ")
        yield f"  {field.encode_name}{mark}: {written};\n"


def declare_alias(name: str, kind: Any = None) -> str:
    note = doc_comment(ALIAS_COMMENTS.get(name, ""))
    if name in LISTED_VALUES:
        values = ", ".join(f"'{value}'" for value in LISTED_VALUES[name])
        plural = f"{name.upper()}S"
        return (
            f"{note}export const {plural} = [{values}] as const;\n"
            f"export type {name} = (typeof {plural})[number];\n"
        )
    if name in HANDWRITTEN_TYPES:
        return note + format_alias(name, HANDWRITTEN_TYPES[name])
    if kind is not None:
        return note + format_alias(name, literal_union(kind))
    return note + format_alias(name, type_expression(inspect.type_info(ALIASES[name])))


def format_alias(name: str, written: str) -> str:
    """An `export type` line, broken where Prettier would break it."""
    head = f"export type {name} ="
    if len(f"{head} {written};") <= LINE_WIDTH:
        return f"{head} {written};\n"
    if len(f"  {written};") <= LINE_WIDTH:
        return f"{head}\n  {written};\n"
    parts = "".join(f"\n  | {part}" for part in written.split(" | "))
    return f"{head}{parts};\n"


def name_union(kinds: Iterable[Any]) -> str:
    return " | ".join(map(type_name, kinds))


def literal_union(values: Iterable[Any]) -> str:
    return " | ".join(
        f"'{value}'" if isinstance(value, str) else msgspec.json.encode(value).decode()
        for value in values
    )


def section_heading(text: str) -> str:
    return f"// {'-' * (LINE_WIDTH - 4 - len(text))} {text}\n"


def doc_comment(text: str, indent: str = "") -> str:
    if not text:
        return ""
    line = f"{indent}/** {text} */\n"
    if len(line) <= LINE_WIDTH + 1:
        return line
    lines = textwrap.wrap(text, LINE_WIDTH - len(indent) - 3)
    return f"{indent}/**\n" + "".join(f"{indent} * {part}\n" for part in lines) + f"{indent} */\n"


# --------------------------------------------------------------------------------- types


def type_name(kind: Any) -> str:
    """The TypeScript name of a class.

    The game's name comes before actions, events and types that every game has.
    """
    name: str = kind.__name__
    if kind is error_responses.Error:
        return "ErrorAnswer"  # Error is JavaScript's own
    if issubclass(kind, dependencies.Body):
        return f"{name}Body"
    game = game_owning(kind)
    if game is None:
        return name
    is_message = issubclass(kind, Action | Event)
    return f"{type_prefix(game)}{name}" if is_message or name in NAMES_IN_EVERY_GAME else name


def game_owning(kind: Any) -> AnyGame | None:
    """The game whose own type this is."""
    found = (
        game for package, game in GAME_BY_PACKAGE.items() if kind.__module__.startswith(package)
    )
    return next(found, None)


def type_reference(node: inspect.Type) -> str:
    """A type in TypeScript, by its name if it has one."""
    return ALIAS_BY_TYPE.get(repr(node)) or type_expression(node)


def type_expression(node: inspect.Type) -> str:
    match node:
        case inspect.Metadata(type=inner):
            return type_reference(inner)
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
            return literal_union(values)
        case inspect.EnumType() | inspect.StructType() | inspect.NamedTupleType():
            return type_name(node.cls)
        case inspect.UnionType(types=types):
            return " | ".join(map(type_reference, types))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            one = type_reference(item)
            return f"({one})[]" if isinstance(item, inspect.UnionType) else f"{one}[]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(type_reference, items))}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"Record<{type_reference(key)}, {type_reference(value)}>"
        case _:
            raise TypeError(f"no TypeScript for {node}")


def tuple_fields(info: Any) -> tuple[Any, ...]:
    if isinstance(info, inspect.NamedTupleType) or getattr(info, "array_like", False):
        return tuple(info.fields)
    return ()


if __name__ == "__main__":
    WIRE_FILE.parent.mkdir(parents=True, exist_ok=True)
    WIRE_FILE.write_text(wire_file_text())
