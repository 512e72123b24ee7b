"""A process that keeps creating tables with a match and deleting them, until it's killed. It prints
a line for each.

python -m tests.store.table_deleting_process URL
"""

import asyncio
import sys
from itertools import count

from pytlik.store import Append, DeleteTable, PutTable
from pytlik.store.connect import open_store


async def main(url: str) -> None:
    store = await open_store(url, notify=True)
    for number in count():
        id = f"deleted{number}"
        await store.commit(
            PutTable(id=id, version=0, doc=b"", phase="", listed=True, holders=("ann",), touched=0),
            Append(match=f"{id}.1", seq=0, events=(b"a",)),
        )
        await store.commit(Append(match=f"{id}.1", seq=1, events=(b"b",)))
        await store.commit(DeleteTable(id))
        sys.stdout.write(f"{id}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
