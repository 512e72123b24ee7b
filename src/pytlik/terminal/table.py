"""A match that is played in this process: the engine, who sits, and where the match is kept."""

import secrets
from collections.abc import Sequence
from typing import Any

from pytlik import matchfile
from pytlik.chance import Stream, commit, from_text, mix
from pytlik.game import AnyGame, Opening, Seat
from pytlik.matchfile import MatchRecord, Player, Seed

SECRET = 32
YOU: Seat = 0
"""The person's seat; the bots sit clockwise from there."""


class Table:
    """The one who knows all. What leaves it is a View, or an event as a seat may see it."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        seats: Sequence[Player],
        seed: str | None,
        now: int,
        *,
        you: str | None = None,
    ) -> None:
        self.game = game
        self.seats = tuple(seats)
        names = [player.name for player in seats]
        self.names = (you or names[YOU], *names[1:])
        """As the person reads them: a name for the file is not how one is spoken to."""
        self._secret, share, bots = sources(seed)
        self._shares = tuple(share if player.bot is None else "" for player in seats)
        self._chance = mix(self._secret, self._shares)
        self._bots = from_text(bots)
        self.commitment = commit(self._secret)
        opening = Opening(players=len(seats), commitment=self.commitment, shares=self._shares)
        self.events: list[Any] = []
        self._state: Any = None
        self._take_in(game.open(opening, options, self._chance, now))

    @property
    def bots(self) -> dict[Seat, str]:
        """The kind of bot that sits on each seat without a person."""
        return {seat: player.bot for seat, player in enumerate(self.seats) if player.bot}

    def bot_stream(self) -> Stream:
        """Chance for a bot's next decision: never that of the match."""
        return self._bots.stream(str(len(self.events)))

    def view(self, seat: Seat | None) -> Any:
        return self.game.view(self._state, seat)

    def masked(self, since: int) -> list[Any]:
        """The events from a number on, as the person may see them."""
        return [self.game.mask(event, YOU) for event in self.events[since:]]

    def deadline(self) -> int | None:
        return self.game.deadline(self._state)

    def act(self, seat: Seat | None, action: Any, now: int) -> None:
        """Do it. Raises Illegal, and then nothing has changed."""
        self._take_in(self.game.decide(self._state, seat, action, self._chance, now))

    def would(self, seat: Seat, action: Any, now: int) -> None:
        """Raise Illegal where `act` would. What would happen stays here."""
        self.game.decide(self._state, seat, action, self._chance, now)

    def _take_in(self, events: Sequence[Any]) -> None:
        for event in events:
            self._state = self.game.apply(self._state, event)
        self.events += events

    @property
    def over(self) -> bool:
        return self.game.outcome(self._state) is not None

    def file(self) -> bytes:
        """The match so far, as it is kept; with the seed only when it is over."""
        seed = Seed(secret=self._secret.hex(), shares=self._shares) if self.over else None
        return matchfile.encode(MatchRecord(self.game, self.seats, tuple(self.events), seed))


def sources(seed: str | None) -> tuple[bytes, str, str]:
    """The secret, the person's share and the bots' chance: from a seed the same each time."""
    if seed is None:
        return secrets.token_bytes(SECRET), secrets.token_hex(16), secrets.token_hex(16)
    stream = from_text(seed).stream("secret")
    return bytes(stream.below(256) for _ in range(SECRET)), seed, f"bots: {seed}"
