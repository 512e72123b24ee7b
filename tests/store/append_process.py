"""A process that appends to matches and prints a line for each acknowledged append.

python -m tests.store.append_process URL NAME RACERS APPENDS MATCH...
"""

import asyncio
import sys
from itertools import count

from pytlik.store import Append, Conflict, SetDeadlines, Store
from pytlik.store.connect import open_store


async def keep_appending(store: Store, name: str, appends: int, match: str) -> None:
    """Keep appending like a worker: after a conflict, read the log and retry."""
    seq = 0
    for number in range(appends) if appends else count():
        while True:
            events = tuple(f"{name}/{number}/{part}".encode() for part in range(1 + number % 3))
            try:
                await store.commit(
                    Append(match=match, seq=seq, events=events, command=f"{name}/{number}"),
                    SetDeadlines(match, {"rules": number, "bot": None}),
                )
            except Conflict:
                seq += len(await store.events(match, seq))
            else:
                seq += len(events)
                sys.stdout.write(f"{match} {seq} {name}/{number}\n")
                sys.stdout.flush()
                break


async def main(url: str, name: str, racers: str, appends: str, *matches: str) -> None:
    store = await open_store(url, notify=True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(
        *(
            keep_appending(store, f"{name}-{racer}", int(appends), match)
            for racer in range(int(racers))
            for match in matches
        )
    )
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
