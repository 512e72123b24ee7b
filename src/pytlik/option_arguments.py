"""A game's options as arguments of the command line, from the type of its options."""

import argparse
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import inspect

from pytlik.game import AnyGame, Malformed
from pytlik.games import GAMES
from pytlik.i18n import Catalogue

NO_LIMIT_WORD = "none"
"""The word on the command line for no limit."""
OPTIONS_NAMING_A_SEAT = frozenset({"starter"})
"""Options whose value is a seat. People count seats from 1."""


class WrongOption(Exception):
    """An option that the game doesn't have, or a value that it can't have; the message is for
    people."""


def flag_of(option: str) -> str:
    return "--" + option.replace("_", "-")


def option_fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType)
    return info.fields


def option_names(game: AnyGame) -> tuple[str, ...]:
    return tuple(field.name for field in option_fields(game))


def int_list(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def int_or_none(text: str) -> int | None:
    return None if text == NO_LIMIT_WORD else int(text)


def add_option_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    """Add a group of arguments for each game. Those that aren't given are absent, so that the
    game's own defaults hold."""
    taken: set[str] = set()
    for game in GAMES.values():
        title = game.name.capitalize()
        group = parser.add_argument_group(title, argument_default=argparse.SUPPRESS)
        hints = get_type_hints(game.options)
        for field in option_fields(game):
            if field.name not in taken:
                taken.add(field.name)
                key = f"cli.play.{field.name}"
                kind = argparse_settings(field, hints[field.name])
                help_ = translate(key) if key in translate else None
                group.add_argument(flag_of(field.name), help=help_, **kind)


def argparse_settings(field: inspect.Field, hint: Any) -> dict[str, Any]:
    """Keyword arguments for `add_argument`, from the type of an option."""
    match field.type:
        case inspect.BoolType():
            return {"action": "store_true"}
        case inspect.LiteralType():
            choices = get_args(hint)  # In the order in which they are declared.
            kind = {"type": int} if isinstance(choices[0], int) else {}
            return {"choices": choices, **kind}
        case inspect.TupleType() | inspect.VarTupleType():
            return {"type": int_list, "metavar": "N,N"}
        case _ if field.name in OPTIONS_NAMING_A_SEAT:
            return {"type": int, "metavar": "SEAT"}
        case inspect.IntType():
            return {"type": int, "metavar": "N"}
        case inspect.UnionType(types=types) if any(isinstance(t, inspect.IntType) for t in types):
            return {"type": int_or_none, "metavar": "N"}
        case _:
            return {"metavar": "VALUE"}


def parse_options(
    game: AnyGame, given: Mapping[str, Any], players: int, translate: Catalogue
) -> Any:
    """The options that were chosen. Raises WrongOption."""
    own = option_names(game)
    for other in GAMES.values():
        for name in option_names(other):
            if name in given and name not in own:
                text = translate("cli.play.other_game", flag=flag_of(name), game=other.name)
                raise WrongOption(text)
    chosen = {name: given[name] for name in own if name in given}
    for name in OPTIONS_NAMING_A_SEAT & chosen.keys():
        if not 1 <= chosen[name] <= players:
            raise WrongOption(translate("cli.play.no_such_seat", players=players))
        chosen[name] -= 1
    for field in option_fields(game):
        # A list of variable length has one value per seat.
        is_list = isinstance(field.type, inspect.VarTupleType)
        if is_list and len(chosen.get(field.name, ())) not in (0, players):
            raise WrongOption(translate("cli.play.handicap_count", players=players))
    try:
        options = msgspec.convert(chosen, type=game.options)
        game.check_options(options, players)
    except msgspec.ValidationError as error:
        raise WrongOption(
            translate("cli.play.bad_option", problem=describe_problem(error))
        ) from None
    except Malformed as malformed:
        raise WrongOption(str(malformed.detail.get("problem", malformed))) from None
    return options


def describe_problem(error: msgspec.ValidationError) -> str:
    """What msgspec complains about, with the flag's name in place of the path."""
    problem, _, path = str(error).partition(" - at `$.")
    option = path.rstrip("`").partition("[")[0]
    return f"{flag_of(option)}: {problem}" if option else problem
