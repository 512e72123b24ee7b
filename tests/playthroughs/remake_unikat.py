"""Golden playthroughs: whole matches of Unikat, event by event.

    python tests/playthroughs/remake_unikat.py

plays them again and writes what happened. Run it when a change of the rules is meant, and read the
difference before it is committed. One that is not meant fails tests/unikat/test_playthroughs.py.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import msgspec

from pytlik.chance import from_text
from pytlik.unikat.messages import Event
from pytlik.unikat.model import Options
from tests.unikat.simple_players import (
    SimplePlayer,
    choose_any_action,
    choose_long_chain,
    choose_swap,
    play_match,
)

PLAYTHROUGH_FOLDER = Path(__file__).parent

PLAYERS: dict[str, SimplePlayer] = {
    "anything": choose_any_action,
    "long": choose_long_chain,
    "swaps": choose_swap,
}


class Playthrough(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file: all that the match follows from."""

    about: str
    players: int
    player: str
    seed: str
    options: Options


PLAYTHROUGHS = {
    "unikat-2": Playthrough(
        about="two players, one round, long chains",
        players=2, player="long", seed="unikat-2", options=Options(),
    ),
    "unikat-3-three-rounds": Playthrough(
        about="three players, three rounds, the last winner begins",
        players=3, player="anything", seed="unikat-3",
        options=Options(rounds=3, starter=1, next_starter="winner"),
    ),
    "unikat-4": Playthrough(
        about="four players, one round, an extra action goes on from the last tile",
        players=4, player="anything", seed="unikat-4", options=Options(extra_action="continue"),
    ),
    "unikat-4-blocked": Playthrough(
        about="four players who swap with the bag until it is empty, which ends the round",
        players=4, player="swaps", seed="unikat-4-blocked", options=Options(),
    ),
}  # fmt: skip


def play_playthrough(playthrough: Playthrough) -> list[Event]:
    player, chance = PLAYERS[playthrough.player], from_text(playthrough.seed)
    steps = play_match(playthrough.players, playthrough.options, chance, player)
    return [event for _, _, events, _ in steps for event in events]


def to_text(playthrough: Playthrough) -> str:
    """One line for what it is, and one for each event."""
    lines = [playthrough, *play_playthrough(playthrough)]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def main() -> None:
    for old in PLAYTHROUGH_FOLDER.glob("unikat-*.jsonl"):
        old.unlink()
    for name, playthrough in PLAYTHROUGHS.items():
        (PLAYTHROUGH_FOLDER / f"{name}.jsonl").write_text(to_text(playthrough), encoding="utf-8")


if __name__ == "__main__":
    main()
