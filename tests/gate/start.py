"""One process of several that open a new database at once: see `test_processes.py`.

python -m tests.gate.start URL
"""

from __future__ import annotations

import asyncio
import sys

from bancada.store.database import open_database
from bancada.store.people import local_person
from bancada.store.upgrade import upgrade


async def start() -> None:
    database = open_database(sys.argv[1])
    await upgrade(database)
    print((await database.run(local_person)).id)
    await database.close()


if __name__ == "__main__":
    asyncio.run(start())
