"""The longest matches that the server allows: those of people who only want a long log."""

from collections.abc import Iterator
from typing import Any

from pytlik.chance import Chance, commit, mix
from pytlik.game import AnyGame, Expire, Illegal, Opening, Ready, Shift, replay
from pytlik.games import UBONGO, UNIKAT
from pytlik.server.match.round_action_limits import (
    MAX_PAUSES_PER_ROUND,
    Tally,
    check_action_limit,
    tally_events,
)
from pytlik.ubongo import solver
from pytlik.ubongo.messages import Lift, Place
from pytlik.ubongo.model import SOLVING_PHASES
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.timing import MAX_CREDIT_MS
from pytlik.unikat.game import MAX_QUIET_TURNS_PER_PLAYER
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Swap
from pytlik.unikat.model import Phase as UnikatPhase
from pytlik.unikat.reasons import UnikatReason

SECRET = b"the longest match"


class StallingMatch:
    """A match that everyone draws out for as long as the server lets them."""

    def __init__(self, game: AnyGame, players: int, options: Any) -> None:
        self.game = game
        shares = tuple(f"share {seat}" for seat in range(players))
        self.chance: Chance = mix(SECRET, shares)
        self.now = 1_000
        opening = Opening(players=players, commitment=commit(SECRET), shares=shares)
        self.events = game.open(opening, options, self.chance, self.now)
        self.state: Any = replay(game.apply, self.events)
        self.tally = tally_events(self.game, Tally(), self.events)

    def act(self, seat: int | None, action: Any) -> None:
        """Do an action. Raises Illegal, even if only the server would refuse it."""
        events = self.game.decide(self.state, seat, action, self.chance, self.now)
        if seat is not None and events:
            check_action_limit(self.game, self.tally, self.state, seat, events)
        self.events += events
        self.state = replay(self.game.apply, events, self.state)
        self.tally = tally_events(self.game, self.tally, events)

    def try_act(self, seat: int, action: Any) -> bool:
        """Do an action, unless the seat has done too much of it; return whether it was done."""
        try:
            self.act(seat, action)
        except Illegal as refusal:
            if refusal.reason not in (UbongoReason.TOO_MANY_MOVES, UnikatReason.TOO_MANY_SWAPS):
                raise
            return False
        return True


def play_longest_ubongo(players: int = 4, rounds: int = 99) -> StallingMatch:
    """Everyone moves one piece back and forth, and pauses, until the server refuses. Nobody ever
    solves anything, so that all are tied and there's a deciding round, too."""
    match = StallingMatch(UBONGO, players, UBONGO.options(pieces=5, seconds=600))
    while not UBONGO.outcome(match.state) and match.state.round < rounds:
        for seat in match.state.playing:
            match.act(seat, Ready())
        match.now = UBONGO.deadline(match.state) or 0
        match.act(None, Expire())
        for _ in range(MAX_PAUSES_PER_ROUND):
            match.act(None, Shift(1))
        for seat in match.state.playing:
            places = list(solution_moves(match.state, seat))
            while match.try_act(seat, places[0]) and match.try_act(seat, Lift(places[0].piece)):
                pass
        while match.state.phase in SOLVING_PHASES:
            match.now = (UBONGO.deadline(match.state) or 0) + MAX_CREDIT_MS
            match.act(None, Expire())
        assert match.state.phase in (UbongoPhase.READY, UbongoPhase.OVER)
    return match


def solution_moves(state: Any, seat: int) -> Iterator[Place]:
    deal = state.deals[seat]
    cells = solver.first(deal.area, list(deal.pieces.values()))
    assert cells
    return (Place(piece, where) for piece, where in zip(deal.pieces, cells, strict=True))


def play_longest_unikat(players: int = 4, rounds: int = 20) -> StallingMatch:
    """Everyone swaps for as long as the server lets them without blocking the round, and lays as
    little as they can when they must."""
    options = UNIKAT.options(
        rounds=rounds, blocked=(MAX_QUIET_TURNS_PER_PLAYER, MAX_QUIET_TURNS_PER_PLAYER)
    )
    match = StallingMatch(UNIKAT, players, options)
    while not UNIKAT.outcome(match.state):
        state = match.state
        if state.phase is UnikatPhase.OVER:
            for seat in range(players):
                match.act(seat, Ready())
        elif state.quiet_turns + 1 == MAX_QUIET_TURNS_PER_PLAYER * players or not try_swap(match):
            match.act(state.to_move, next(legal(state)))  # the first one lays one tile
    return match


def try_swap(match: StallingMatch) -> bool:
    """Swap with the display, which brings nobody closer to the end; return whether it was done."""
    state = match.state
    if state.phase not in (UnikatPhase.ACTION, UnikatPhase.BONUS) or not state.display:
        return False
    return match.try_act(state.to_move, Swap(state.hand[0], state.display[0]))
