"""How much there is to store, to send and to keep in memory, by action and by match.

    python benchmarks/data_sizes.py [--matches N]

Bots play whole matches, and nothing is timed: the figures are the same on every machine. Ubongo's
bots place and lift pieces while they try, but people may do so more often. "Bytes" are those of an
action's events as JSON, "on disk" those of the SQLite file with keys, indexes and ids of commands,
and "kept" is what a worker keeps in memory for a half-played match.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from pytlik.arena.runner import play
from pytlik.match import AnyMatch
from pytlik.protocol.messages import Update
from pytlik.server.live.table_connections import hash_view
from pytlik.server.match.log_replay import NO_EVENTS, apply_events
from pytlik.store import Actor, Append
from pytlik.store.connect import migrate, open_store

LINEUPS = {"unikat": ["medium"] * 4, "ubongo": ["medium"] * 4}
START_TIME_MS = 1_794_700_800_000


class ActionSizes(NamedTuple):
    """What one action leads to."""

    events: tuple[bytes, ...]
    awaited: tuple[int, ...]
    sent: float
    """Bytes of an update, on average over the seats."""


def measure_actions(match: AnyMatch) -> Iterator[ActionSizes]:
    game, state = match.game, None
    new: list[Any] = []
    for number, event in enumerate(match.events, 1):
        state = game.apply(state, event)
        new.append(event)
        is_last = number == len(match.events) or game.cause(match.events[number]) is not None
        if is_last:
            updates = [
                update_size(match, state, seat, new, number) for seat in range(len(match.seats))
            ]
            encoded = tuple(map(msgspec.json.encode, new))
            yield ActionSizes(encoded, game.awaited(state), mean(updates))
            new = []


def update_size(match: AnyMatch, state: Any, seat: int, events: Sequence[Any], seq: int) -> int:
    game = match.game
    view = msgspec.json.encode(game.view(state, seat))
    return len(
        msgspec.json.encode(
            Update(
                match="abcdefghjk.1",
                seq=seq,
                seat=seat,
                events=tuple(game.mask(event, seat) for event in events),
                view=msgspec.Raw(view),
                hash=hash_view(view),
                awaited=game.awaited(state),
                now=START_TIME_MS,
            )
        )
    )


async def database_size_bytes(matches: Sequence[Sequence[ActionSizes]]) -> int:
    """Bytes of a SQLite database with these matches."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pytlik.db"
        await asyncio.to_thread(migrate, str(path))
        empty = path.stat().st_size
        store = await open_store(str(path), notify=False)
        for number, match in enumerate(matches):
            seq = 0
            for action in match:
                append = Append(
                    match=f"abcdefg{number:03}.1",
                    seq=seq,
                    events=action.events,
                    command=f"0 abcdefgh-{seq}",  # like those of the page
                    actor=Actor.PERSON,
                    awaited=action.awaited,
                )
                await store.commit(append)
                seq += len(action.events)
        await store.close()  # the last connection moves everything into the file
        return path.stat().st_size - empty


def match_memory_bytes(match: AnyMatch) -> int:
    """Bytes that a worker keeps for a half-played match: its state, and the last events."""
    half = match.events[: len(match.events) // 2]
    gc.collect()
    tracemalloc.start()
    try:
        kept = apply_events(match.game, NO_EVENTS, copy_events(match, half))
        gc.collect()
        kept_now, _ = tracemalloc.get_traced_memory()
        del kept
        return kept_now
    finally:
        tracemalloc.stop()


def copy_events(match: AnyMatch, events: Sequence[Any]) -> list[Any]:
    """Copy events as if they had been read: they share nothing with the events of the match."""
    decoder = match.game.event_decoder
    return [decoder.decode(msgspec.json.encode(event)) for event in events]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=20)
    matches = parser.parse_args().matches
    print("| | actions | events an action | bytes | bytes on disk | bytes an update | KiB kept |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for game, lineup in LINEUPS.items():
        played = [play(game, lineup, f"sizes {n}").match for n in range(matches)]
        by_match = [list(measure_actions(match)) for match in played]
        all_actions = [action for each in by_match for action in each]
        columns = [
            mean(map(len, by_match)),
            mean(len(action.events) for action in all_actions),
            mean(sum(map(len, action.events)) for action in all_actions),
            asyncio.run(database_size_bytes(by_match)) / len(all_actions),
            mean(action.sent for action in all_actions),
            mean(map(match_memory_bytes, played)) / 1024,
        ]
        print(f"| {game}, {len(lineup)} players |", " | ".join(f"{x:,.1f}" for x in columns), "|")


if __name__ == "__main__":
    main()
