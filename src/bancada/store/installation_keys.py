"""Keys that every process of an installation shares.

On SQLite they are files of the data folder (`keyfile`): there is one. On Postgres several machines
have folders of their own, and must sign alike: the keys are in the database, sealed with
`BANCADA_SECRET_KEY` where it is set.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from bancada.domain.errors import Invalid, SettingsError
from bancada.store.database import Database
from bancada.store.tables import installation_keys
from bancada.store.vault import Vault, is_sealed

log = logging.getLogger("bancada.store")

SEALING = "sealing-key"
NOBODYS = 0
"""These are sealed to no organisation."""


_SEALING = select(installation_keys.c.value).where(installation_keys.c.name == SEALING)


async def shared_key(
    database: Database, vault: Vault | None, file: Path, make: Callable[[], bytes]
) -> bytes:
    """The key that is called like the file: the database's, or once, the first time, the file's.

    The file stays, for processes of a version that knows only that one.
    """
    here = await asyncio.to_thread(_content, file)
    found, from_file = await database.run(_found, vault, file.name, here, make)
    if from_file:
        log.warning(
            "%s is in the database from now on, for every process: from %s", file.name, file
        )
    elif here is not None and here.strip() != found.strip():
        log.warning("%s is not used: the database has another key, which counts", file)
    return found


def agree_on_sealing(db: Connection, vault: Vault, *, configured: bool) -> None:
    """Refuse to serve where another machine's own key seals: neither would open what the other
    sealed. Which key seals is written down by its name; configured ones are the operator's word."""
    known = db.execute(_SEALING).scalar()
    if known is not None and known not in vault.ids() and not configured:
        raise SettingsError(
            "The secrets of this installation are sealed with a key that is not in this data folder: "
            "set BANCADA_SECRET_KEY, the same on every machine (so far it is the first line of the "
            "file secret-key on the machine that was first; where that is lost, a new one, and set "
            "the secrets again)."
        )
    note_sealing(db, vault)


def note_sealing(db: Connection, vault: Vault) -> None:
    """Write down which key seals from now on."""
    now, known = vault.ids()[0], db.execute(_SEALING).scalar()
    if known is None:
        db.execute(
            insert(installation_keys).values(name=SEALING, value=now, created_at=time.time())
        )
    elif known != now:
        db.execute(
            update(installation_keys).where(installation_keys.c.name == SEALING).values(value=now)
        )


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _found(
    db: Connection,
    vault: Vault | None,
    name: str,
    here: bytes | None,
    make: Callable[[], bytes],
) -> tuple[bytes, bool]:
    row = db.execute(select(installation_keys.c.value).where(installation_keys.c.name == name))
    kept = row.scalar()
    if kept is None:
        # Two processes that begin at once: the second's row is refused, and it looks again.
        value = (here or make()).decode()
        stored = value if vault is None else vault.seal(value, NOBODYS, name)
        db.execute(
            insert(installation_keys).values(name=name, value=stored, created_at=time.time())
        )
        return value.encode(), here is not None
    if is_sealed(kept) and vault is None:
        raise SettingsError(f"{name} was sealed with BANCADA_SECRET_KEY, which is not set.")
    try:
        value = kept if vault is None else vault.open(kept, NOBODYS, name)
    except Invalid:
        raise SettingsError(f"{name} was sealed with another BANCADA_SECRET_KEY.") from None
    if vault is not None and not vault.seals_as_now(kept):
        sealed = vault.seal(value, NOBODYS, name)
        db.execute(
            update(installation_keys).where(installation_keys.c.name == name).values(value=sealed)
        )
    return value.encode(), False
