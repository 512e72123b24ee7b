"""A match in this process: play it, look at it as a seat does, save it, load it.

    match = Match.new("unikat", players=3, seed="x")
    while not match.outcome:
        seat = match.awaited[0]
        match.act(seat, next(match.legal(seat)))
    match.save("match.json")

Nothing else decides actions and applies events, apart from the server, which has to store them in
between. Time is a number that you pass in; if you pass none, it stands still.
"""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import msgspec

from pytlik import matchfile
from pytlik.chance import Chance, Stream, commit, from_text, mix
from pytlik.game import (
    AnyGame,
    Event,
    Expire,
    Game,
    Malformed,
    Opening,
    Outcome,
    Reason,
    Seat,
    replay,
)
from pytlik.games import GAMES
from pytlik.matchfile import Finding, MatchRecord, Player, Seed

if TYPE_CHECKING:
    from pytlik.ubongo import game as ubongo
    from pytlik.unikat import game as unikat

S = TypeVar("S")
V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E", bound=Event)
O = TypeVar("O")  # noqa: E741 - options, as S, V, A and E are state, view, action and event

SECRET_BYTES = 32


class Match(Generic[S, V, A, E]):
    """A game, who plays it, and all that has happened.

    `state` is the whole truth. Anything that plays fair gets a `view(seat)`.
    """

    game: Game[S, V, A, E, Any]
    seats: tuple[Player, ...]
    events: list[E]
    state: S

    def __init__(
        self,
        game: Game[S, V, A, E, Any],
        seats: Sequence[Player],
        events: Sequence[E],
        *,
        chance: Chance | None = None,
        seed: Seed | None = None,
        bot_seed: str = "bots",
        state: S | None = None,
        now: int = 0,
    ) -> None:
        """A match that has begun; `new`, `load` and `from_state` are the usual ways to get one.
        Without chance it can be looked at, but not played on; `seed` is what chance was made
        from."""
        self.game = game
        self.seats = tuple(seats)
        self.events = list(events)
        self.state = replay(game.apply, events, state)
        self._began = now
        self._chance = chance
        self._seed = seed
        self._bots = from_text(bot_seed)

    # ------------------------------------------------------------------------------ beginning

    # One overload for each of our games, so that an editor knows what `view` returns. For another
    # game, pass its Game object instead of its name.
    @overload
    @classmethod
    def new(
        cls,
        game: Literal["unikat"],
        players: int | Sequence[str | Player] = 2,
        *,
        seed: str | None = None,
        options: "unikat.Options | Mapping[str, Any] | None" = None,
        now: int = 0,
        secret: bytes | None = None,
        shares: Sequence[str] | None = None,
    ) -> "Match[unikat.State, unikat.View, unikat.Action, unikat.Event]": ...

    @overload
    @classmethod
    def new(
        cls,
        game: Literal["ubongo"],
        players: int | Sequence[str | Player] = 2,
        *,
        seed: str | None = None,
        options: "ubongo.Options | Mapping[str, Any] | None" = None,
        now: int = 0,
        secret: bytes | None = None,
        shares: Sequence[str] | None = None,
    ) -> "Match[ubongo.State, ubongo.View, ubongo.Action, ubongo.Event]": ...

    @overload
    @classmethod
    def new(
        cls,
        game: Game[S, V, A, E, O],
        players: int | Sequence[str | Player] = 2,
        *,
        seed: str | None = None,
        options: O | Mapping[str, Any] | None = None,
        now: int = 0,
        secret: bytes | None = None,
        shares: Sequence[str] | None = None,
    ) -> "Match[S, V, A, E]": ...

    @overload
    @classmethod
    def new(
        cls,
        game: str,
        players: int | Sequence[str | Player] = 2,
        *,
        seed: str | None = None,
        options: Any = None,
        now: int = 0,
        secret: bytes | None = None,
        shares: Sequence[str] | None = None,
    ) -> "Match[Any, Any, Any, Any]": ...

    @classmethod
    def new(
        cls,
        game: str | AnyGame,
        players: int | Sequence[str | Player] = 2,
        *,
        seed: str | None = None,
        options: Any = None,
        now: int = 0,
        secret: bytes | None = None,
        shares: Sequence[str] | None = None,
    ) -> "Match[Any, Any, Any, Any]":
        """Begin a match. The same seed gives the same match as long as the same actions are done.

        `players` is how many, or their names. `options` is the game's own type, or a mapping with
        the same names. Chance comes from the seed (a random one if there is none) unless you pass a
        secret, and a share for each seat (see pytlik.chance). Raises Malformed.
        """
        game = find_game(game)
        seats = seat_players(players)
        if secret is None:
            secret = secrets.token_bytes(SECRET_BYTES) if seed is None else secret_from_seed(seed)
        if seed is None:
            # Shares are public, so nothing secret may follow from them.
            seed = secrets.token_hex(16)
        if shares is None:
            shares = tuple("" if player.bot else seed for player in seats)
        made_from = Seed(secret=secret.hex(), shares=tuple(shares))
        chance = mix(secret, shares)
        opening = Opening(players=len(seats), commitment=commit(secret), shares=made_from.shares)
        events = game.open(opening, to_game_options(game, options), chance, now)
        return Match(game, seats, events, chance=chance, seed=made_from, bot_seed=f"bots: {seed}")

    @classmethod
    def from_state(
        cls, game: Game[S, V, A, E, O], state: S, *, seed: str = "", now: int = 0
    ) -> "Match[S, V, A, E]":
        """A match that starts in the middle, for puzzles and studies. It can't be saved."""
        return Match(game, (), (), chance=from_text(seed), state=state, now=now)

    # -------------------------------------------------------------------------------- playing

    def act(self, seat: Seat | None, action: A, *, now: int | None = None, lag: int = 0) -> list[E]:
        """Do something, and return what happened. Raises Illegal, and then nothing has changed.

        `now` is in milliseconds, and never before the latest event; `lag` is the delay of the
        seat's connection.
        """
        events = self._decide(seat, action, now, lag)
        self.state = replay(self.game.apply, events, self.state)
        self.events += events
        return events

    def check(self, seat: Seat | None, action: A, *, now: int | None = None, lag: int = 0) -> None:
        """Raise Illegal where `act` would, and do nothing else."""
        self._decide(seat, action, now, lag)

    def expire(self, *, now: int | None = None) -> list[E]:
        """Let the clock act: what was due at the deadline happens now, or at the deadline if you
        don't say when. Raises Illegal if nothing is due."""
        if now is None:
            now = self.deadline
        # Expire belongs to no seat, and not every game has it among its actions.
        expire: Any = Expire()
        return self.act(None, expire, now=now)

    def _decide(self, seat: Seat | None, action: A, now: int | None, lag: int) -> list[E]:
        if self._chance is None:
            raise ValueError("this match came without its seed: it can't be played on")
        when = self.now if now is None else max(now, self.now)
        return self.game.decide(self.state, seat, action, self._chance, when, lag)

    def bot_stream(self, label: str | None = None) -> Stream:
        """Chance for a bot's next decision, or for what the label says. It's never the match's
        own."""
        return self._bots.stream(str(len(self.events)) if label is None else label)

    # -------------------------------------------------------------------------------- looking

    @property
    def now(self) -> int:
        """When the latest event happened (ms)."""
        return self.events[-1].at if self.events else self._began

    @property
    def outcome(self) -> Outcome | None:
        """Who has won; None while the match goes on."""
        return self.game.outcome(self.state)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that can do something now."""
        return self.game.awaited(self.state)

    @property
    def deadline(self) -> int | None:
        """When the clock will act (ms); None if it won't."""
        return self.game.deadline(self.state)

    def view(self, seat: Seat | None) -> V:
        """All that a seat may know; None is a spectator."""
        return self.game.view(self.state, seat)

    def masked_events(self, seat: Seat | None, since: int = 0) -> list[E]:
        """The events from a number on, as a seat may see them."""
        return [self.game.mask(event, seat) for event in self.events[since:]]

    def legal(self, seat: Seat) -> Iterator[A]:
        """What a seat may do now, one after the other: there can be very many. Raises LookupError
        for a game that can't list its actions."""
        if self.game.legal is None:
            raise LookupError(f"{self.game.name} can't list its actions")
        return iter(self.game.legal(self.view(seat)))

    # -------------------------------------------------------------------------------- keeping

    @property
    def record(self) -> MatchRecord:
        """The match so far, as files keep it; with the seed only once it's over."""
        if not self.seats:
            raise ValueError("a match from the middle on can't be saved")
        seed = self._seed if self.outcome else None
        return MatchRecord(self.game, self.seats, tuple(self.events), seed)

    def file(self) -> bytes:
        """The match so far as a match file."""
        return matchfile.encode(self.record)

    def save(self, path: str | os.PathLike[str]) -> None:
        Path(path).write_bytes(self.file())

    @classmethod
    def load(cls, file: bytes | str | os.PathLike[str]) -> "Match[Any, Any, Any, Any]":
        """A match from a match file, or from its contents. Raises Malformed."""
        data = file if isinstance(file, bytes) else Path(file).read_bytes()
        record = matchfile.decode(data)
        for _ in matchfile.states(record):  # raises if an event can't follow the ones before it
            pass
        chance = chance_from_seed(record.seed)
        return Match(record.game, record.seats, record.events, chance=chance, seed=record.seed)

    def verify(self) -> Finding | None:
        """Repeat a finished match from its seed; None if every event follows."""
        return matchfile.verify(self.record)


AnyMatch = Match[Any, Any, Any, Any]


def find_game(game: str | AnyGame) -> AnyGame:
    if not isinstance(game, str):
        return game
    try:
        return GAMES[game]
    except KeyError:
        problem = f"there is no game {game!r}, only {', '.join(GAMES)}"
        raise Malformed(Reason.BAD_REQUEST, problem=problem) from None


def seat_players(players: int | Sequence[str | Player]) -> tuple[Player, ...]:
    if isinstance(players, int):
        players = [f"Player {number + 1}" for number in range(players)]
    return tuple(Player(player) if isinstance(player, str) else player for player in players)


def to_game_options(game: AnyGame, options: Any) -> Any:
    """Options as the game's own type, from a mapping or from None for the defaults."""
    if isinstance(options, game.options):
        return options
    try:
        return msgspec.convert(dict(options or {}), game.options)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise Malformed(Reason.BAD_REQUEST, problem=f"options: {error}") from None


def secret_from_seed(seed: str) -> bytes:
    stream = from_text(seed).stream("secret")
    return bytes(stream.below(256) for _ in range(SECRET_BYTES))


def chance_from_seed(seed: Seed | None) -> Chance | None:
    """The chance of a loaded match; None if the file has no seed or a broken one."""
    if seed is None:
        return None
    try:
        return mix(bytes.fromhex(seed.secret), seed.shares)
    except ValueError:
        return None
