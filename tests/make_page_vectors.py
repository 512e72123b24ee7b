"""Writes the vectors that keep the page's own copies of rules in step with ours.

    python -m tests.make_page_vectors

The page's unit tests compare with these files, and test_page_vectors.py checks that they still
match our rules. Where tiles of Unikat fit has a file of its own
(tests/unikat/make_place_vectors.py).
"""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from pytlik import score_sheet
from pytlik.game import Illegal, Ready, Seat, replay
from pytlik.match import AnyMatch, Match
from pytlik.ubongo.hexes import Shape, move_by, orientations
from pytlik.ubongo.messages import CardSolved, GiveUp, Lift, Place
from pytlik.ubongo.messages import RoundEnded as RaceEnded
from pytlik.ubongo.model import SideName
from pytlik.ubongo.solver import first
from pytlik.unikat.messages import MatchOpened, RoundDealt, RoundEnded
from pytlik.unikat.model import TILES, Ended, Options
from pytlik.unikat.rules import apply
from pytlik.unikat.view import mask, view
from tests.playthroughs.remake_unikat import PLAYTHROUGHS, play_playthrough

PAGE_GAMES_FOLDER = Path(__file__).parents[1] / "web" / "src" / "games"

UNIKAT_FIELDS_SHOWN = (
    "board",
    "hand",
    "counts",
    "display",
    "bag",
    "to_move",
    "phase",
    "laid",
    "latest",
)
"""The fields of a view that the page changes when it shows an event."""

UBONGO_FIELDS_SHOWN = ("books", "points", "solutions", "settled", "gave_up")
"""The same in a view of Ubongo, whatever the event is."""
UBONGO_FIELDS_SHOWN_AT_END = (*UBONGO_FIELDS_SHOWN, "phase", "ready", "starts", "sand", "patience")
"""The same for the event that ends a round."""

SCORE_SHEET_COUNT = 24
GUESSES_PER_CARD = 30


def to_json_value(value: Any) -> Any:
    """A value as the page gets it, through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


# -------------------------------------------------------------------------- apply-event of Unikat


def unikat_round_vectors() -> Iterator[dict[str, Any]]:
    """First rounds of playthroughs as a player sees them and, with two players, a spectator too."""
    for playthrough in PLAYTHROUGHS.values():
        events = play_playthrough(playthrough)
        for seat in (1, None) if playthrough.players == 2 else (1,):
            yield first_round_vector(events, seat)


def first_round_vector(events: list[Any], seat: Seat | None) -> dict[str, Any]:
    """The view after the deal, and what each event changes in it until the round ends."""
    state, steps = None, []
    begin: dict[str, Any] = {}
    before: dict[str, Any] = {}
    for event in events:
        if isinstance(event, RoundEnded):
            break
        state = apply(state, event)
        seen = {
            name: value
            for name, value in to_json_value(view(state, seat)).items()
            if name in UNIKAT_FIELDS_SHOWN
        }
        if isinstance(event, RoundDealt):
            begin = {"seat": seat, **seen}
        elif begin:
            changes = {name: value for name, value in seen.items() if value != before[name]}
            if "board" in changes:
                # Cells are only added, and there are many.
                changes["board"] = changes["board"][len(before["board"]) :]
            steps.append({"event": to_json_value(mask(event, seat)), "changes": changes})
        before = seen
    return {"view": begin, "steps": steps}


# -------------------------------------------------------------------------- apply-event of Ubongo

SOLVE, GIVE_UP = "solve", "give up"

RACE_SCRIPTS: tuple[tuple[tuple[int, Seat, str], ...], ...] = (
    ((5, 0, SOLVE), (12, 1, GIVE_UP), (20, 2, SOLVE)),
    ((7, 2, SOLVE), (7, 0, SOLVE), (8, 1, SOLVE)),
    ((30, 1, SOLVE),),
    ((40, 1, GIVE_UP), (70, 0, SOLVE)),
    ((10, 0, GIVE_UP), (11, 1, GIVE_UP), (12, 2, GIVE_UP)),
    (),
)
"""Rounds of 60 seconds: after how many of them each seat solves its card or gives up. If nobody
solves one in time, there is a second chance."""


def ubongo_round_vectors() -> Iterator[dict[str, Any]]:
    """Rounds of Ubongo as a player and as a spectator see them."""
    for number, race in enumerate(RACE_SCRIPTS):
        match = Match.new("ubongo", 3, seed=f"race {number}")
        for seat in range(3):
            match.act(seat, Ready())
        match.expire()
        began = len(match.events)
        play_race(match, race)
        yield race_vector(match, began, 0)
        yield race_vector(match, began, None)


def play_race(match: AnyMatch, race: Iterable[tuple[int, Seat, str]]) -> None:
    """Play a round to its end."""
    start = match.now
    for seconds, seat, what in race:
        now = start + 1_000 * seconds
        while match.deadline is not None and match.deadline <= now:
            match.expire()
        if what == GIVE_UP:
            match.act(seat, GiveUp(), now=now)
        else:
            deal = match.state.deals[seat]
            solution = first(deal.area, list(deal.pieces.values()))
            assert solution is not None
            for piece, cells in zip(deal.pieces, solution, strict=True):
                match.act(seat, Place(piece, cells), now=now)
    while match.state.phase != "ready":
        match.expire()


def race_vector(match: AnyMatch, began: int, seat: Seat | None) -> dict[str, Any]:
    """The view when a round begins, and what each event changes of the fields that the page
    changes."""
    game, steps = match.game, []
    state = replay(game.apply, match.events[:began])
    begin = before = to_json_value(game.view(state, seat))
    for event in match.events[began:]:
        state = game.apply(state, event)
        seen = to_json_value(game.view(state, seat))
        names = UBONGO_FIELDS_SHOWN_AT_END if isinstance(event, RaceEnded) else UBONGO_FIELDS_SHOWN
        changes = {name: seen[name] for name in names if seen[name] != before[name]}
        solves = seen["choices"]["solve"]
        steps.append(
            {"event": to_json_value(game.mask(event, seat)), "changes": changes, "solves": solves}
        )
        before = seen
    return {"view": begin, "steps": steps}


# ----------------------------------------------------------------- the companion's sheet of Unikat


def score_sheet_vectors() -> Iterator[dict[str, Any]]:
    """Matches of several rounds as people would enter them: the tiles that everyone had left."""
    dice = random.Random("sheets")
    for number in range(SCORE_SHEET_COUNT):
        players = 2 + number % 3
        options = Options(
            rounds=1 + number % 6, next_starter=("same", "rotate", "winner")[number % 3]
        )
        yield score_sheet_vector(players, dice.randrange(players), options, dice)


def score_sheet_vector(
    players: int, starter: Seat, options: Options, dice: random.Random
) -> dict[str, Any]:
    opened = MatchOpened(
        at=0, players=players, options=options, commitment="", shares=("",) * players
    )
    state = apply(None, opened)
    rows, starters = [], [starter]
    for _ in range(options.rounds):
        left = [dice.randint(1, 4) for _ in range(players)]
        if dice.random() < 0.6:
            left[dice.randrange(players)] = 0  # laid the last tile (U15); otherwise blocked (U16)
        winners = score_sheet.best(left, most=False)
        ended: Ended = "blocked" if 0 not in left else "last tile"
        hands = tuple(TILES[:count] for count in left)
        state = apply(state, RoundEnded(at=0, winners=winners, ended=ended, hands=hands))
        rows.append(left)
        starters.append(
            score_sheet.next_starter(options.next_starter, starters[-1], winners, players)
        )
    outcome = score_sheet.outcome(state.sheet, players, most=False)
    return {
        "players": players,
        "nextStarter": options.next_starter,
        "rows": rows,
        "starters": starters,
        "sheet": to_json_value(state.sheet),
        "totals": outcome.points,
        "leaders": outcome.winners,
    }


# --------------------------------------------------------------------------- placement of Ubongo


def placement_vectors() -> Iterator[dict[str, Any]]:
    for side in get_args(SideName):
        yield placement_vector(side)


def placement_vector(side: SideName) -> dict[str, Any]:
    """A card on which somebody tries random placements and then solves it, with what the rules say
    to each step."""
    match = Match.new("ubongo", 2, seed=f"card {side}", options={"pieces": side, "seconds": None})
    for seat in (0, 1):
        match.act(seat, Ready())
    match.expire()
    deal = match.state.deals[0]
    steps = []
    for piece, cells in random_placements(match):
        refused, solved = None, False
        try:
            events = match.act(0, Lift(piece) if cells is None else Place(piece, cells))
            solved = any(isinstance(event, CardSolved) for event in events)
        except Illegal as error:
            refused = error.reason
        steps.append({"piece": piece, "cells": cells, "refused": refused, "solved": solved})
    return {"deal": to_json_value(deal), "steps": to_json_value(steps)}


def random_placements(match: AnyMatch) -> Iterator[tuple[int, Shape | None]]:
    """Pieces and where they are placed, or None to lift one; the solution last."""
    deal = match.state.deals[0]
    dice = random.Random(f"guesses {deal.side}")
    for _ in range(GUESSES_PER_CARD):
        piece = dice.choice(list(deal.pieces))
        form = dice.choice(orientations(deal.pieces[piece]))
        yield piece, move_by(form, dice.choice(deal.area))
    for piece in sorted(match.state.placed[0]):
        yield piece, None
    solution = first(deal.area, list(deal.pieces.values()))
    assert solution is not None
    yield from zip(deal.pieces, solution, strict=True)


# --------------------------------------------------------------------------------------- the files

VECTOR_FILES: dict[Path, Callable[[], Iterator[dict[str, Any]]]] = {
    PAGE_GAMES_FOLDER / "unikat" / "table" / "apply-event.vectors.json": unikat_round_vectors,
    PAGE_GAMES_FOLDER / "unikat" / "companion" / "score-sheet.vectors.json": score_sheet_vectors,
    PAGE_GAMES_FOLDER / "ubongo" / "placement.vectors.json": placement_vectors,
    PAGE_GAMES_FOLDER / "ubongo" / "table" / "apply-event.vectors.json": ubongo_round_vectors,
}


def format_vectors(vectors: Iterator[dict[str, Any]]) -> str:
    lines = (msgspec.json.encode(each).decode() for each in vectors)
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    for path, vectors in VECTOR_FILES.items():
        path.write_text(format_vectors(vectors()), encoding="utf-8")
