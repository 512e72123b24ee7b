"""All games: ours, one line each, and those of other packages.

Another package's game registers through the entry point group `pytlik.games`, whose entries name a
`Game`; a program can also `register` one itself. See docs/add-a-game.md.
"""

import warnings
from collections.abc import Iterator, MutableMapping
from enum import StrEnum
from importlib.metadata import entry_points

from pytlik.game import AnyGame, Game, Reason
from pytlik.ubongo.game import UBONGO
from pytlik.unikat.game import UNIKAT

__all__ = ["BUILT_IN_GAMES", "GAMES", "UBONGO", "UNIKAT", "Registry", "reasons", "register"]

ENTRY_POINT_GROUP = "pytlik.games"


class Registry(MutableMapping[str, AnyGame]):
    """Games by name. Other packages are searched only for an unknown name, or to list all games."""

    def __init__(self, *games: AnyGame) -> None:
        self._games = {game.name: game for game in games}
        self._complete = False

    def __getitem__(self, name: str) -> AnyGame:
        if name not in self._games:
            self._add_entry_points()
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        self._add_entry_points()
        return iter(self._games)

    def __len__(self) -> int:
        self._add_entry_points()
        return len(self._games)

    def __setitem__(self, name: str, game: AnyGame) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def add(self, game: AnyGame) -> None:
        if self._games.setdefault(game.name, game) is not game:
            raise ValueError(f"there is a game {game.name!r} already")

    def _add_entry_points(self) -> None:
        if self._complete:
            return
        self._complete = True  # first, because the packages imported below may look up a game
        for entry in entry_points(group=ENTRY_POINT_GROUP):
            try:
                game = entry.load()
                if not isinstance(game, Game):
                    raise TypeError(f"{entry.value} is not a Game")  # noqa: TRY301 - reported below
                self.add(game)
            except Exception as error:  # noqa: BLE001 - one broken package must not stop the others
                warnings.warn(f"the game {entry.name!r} can't be used: {error!r}", stacklevel=2)


BUILT_IN_GAMES: tuple[AnyGame, ...] = (
    UNIKAT,
    UBONGO,
)
"""The games of this package. The page shows only these."""

GAMES = Registry(*BUILT_IN_GAMES)


def register(game: AnyGame) -> None:
    """Make a game known to this process. Raises ValueError if its name is taken."""
    GAMES.add(game)


def reasons() -> tuple[StrEnum, ...]:
    """Every code that a refusal can have: the common ones, and each game's own."""
    return (*Reason, *(code for game in GAMES.values() for code in game.refusals))
