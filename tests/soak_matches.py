"""Random matches of both games with every invariant checked after every action.

    python tests/soak_matches.py --games 10000 --first-seed 0

Each match is also replayed from its events, read back from its file, and verified from its seed.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent.parent))

from pytlik import matchfile
from pytlik.game import AnyGame, replay
from pytlik.games import GAMES
from pytlik.ubongo.model import Options as UbongoOptions
from pytlik.unikat.model import Options as UnikatOptions
from tests.invariants import check_ubongo_state, check_unikat_state
from tests.random_matches import make_match_record, random_match_steps

STATE_CHECKS: dict[str, Callable[[Any], None]] = {
    "unikat": check_unikat_state,
    "ubongo": check_ubongo_state,
}


def random_options(game: AnyGame, random: Random, players: int) -> UnikatOptions | UbongoOptions:
    if game.name == "unikat":
        return UnikatOptions(
            rounds=random.choice([1, 1, 1, 2, 3]),
            starter=random.choice([None, random.randrange(players)]),
            next_starter=random.choice(["same", "rotate", "winner"]),
            extra_action=random.choice(["anywhere", "continue"]),
            blocked=random.choice([(2, 20), (1, 3), (3, 5)]),
        )
    return UbongoOptions(
        pieces=random.choice([3, 3, 4, 5]),
        handicap=random.choice([(), tuple(random.choice([3, 4]) for _ in range(players))]),
        same_puzzle=random.random() < 0.2,
        seconds=random.choice([30, 60, 60, 120, None]),
        patience=random.choice([30, 600, None]),
        rounds=random.choice([3, 5, 9]),
    )


def play_one_match(name: str, seed: int) -> Counter[str]:
    """Play one match, and count its events by kind."""
    game, random = GAMES[name], Random(f"{name} {seed}")
    players = random.choice(game.players)
    events, state = [], None
    for batch, after in random_match_steps(
        game, players, f"{name} {seed}", random_options(game, random, players)
    ):
        events += batch
        state = after
        STATE_CHECKS[name](after)
    assert replay(game.apply, events) == state, "replay equals live"
    match = matchfile.decode(matchfile.encode(make_match_record(game, f"{name} {seed}", events)))
    assert list(match.events) == events, "the file holds every event"
    assert matchfile.verify(match) is None, "every event follows from the seed"
    kinds = Counter(event.__struct_config__.tag for event in events)
    return kinds + Counter({"matches": 1, "events": len(events)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="of each kind")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--kinds", default="unikat,ubongo")
    args = parser.parse_args()
    seeds = range(args.first_seed, args.first_seed + args.games)
    with ProcessPoolExecutor() as pool, Progress(transient=True) as progress:
        for name in args.kinds.split(","):
            began, counts = time.monotonic(), Counter[str]()
            task = progress.add_task(name, total=args.games)
            for result in pool.map(play_one_match, [name] * args.games, seeds, chunksize=10):
                counts += result
                progress.advance(task)
            seconds = time.monotonic() - began
            shown = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
            print(f"{name}: no invariant broken in {seconds:.0f} s: {shown}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
