"""Secrets of organisations at rest: sealed with AES-GCM, each to its organisation and its name.

A sealed text says which key it needs, so that several can be in use while they are exchanged.
The keys are `BANCADA_SECRET_KEY` (the first seals, all open) or the lines of a file in the data
folder, which is read again wherever it may have changed: `bancada secrets rotate` runs beside a
server.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, select, update

from bancada.domain.errors import Invalid, SettingsError
from bancada.domain.json import JSONObject
from bancada.store.keyfile import kept
from bancada.store.people import touch_settings
from bancada.store.tables import (
    connection_credentials,
    connections,
    notice_addresses,
    organisations,
    users,
)

KEY_FILE = "secret-key"
_PREFIX = "sealed:1:"
_NONCE = 12

Keys = Callable[[], Sequence[str]]


class Vault:
    """Seals and opens; without keys it opens what was never sealed, and nothing else."""

    def __init__(self, keys: Keys = tuple) -> None:
        self._keys = keys

    def seal(self, text: str, organisation_id: int, name: str) -> str:
        key = _bytes(self._keys()[0])
        nonce = os.urandom(_NONCE)
        sealed = AESGCM(key).encrypt(nonce, text.encode(), _place(organisation_id, name))
        return f"{_PREFIX}{_id(key)}:{base64.urlsafe_b64encode(nonce + sealed).decode()}"

    def open(self, text: str, organisation_id: int, name: str) -> str:
        """What was sealed. Raises `Invalid` where its key is not here, or it was moved."""
        if not is_sealed(text):
            return text
        id, _, body = text.removeprefix(_PREFIX).partition(":")
        key = next((key for key in map(_bytes, self._keys()) if _id(key) == id), None)
        if key is None:
            raise Invalid("secret_key_gone", name=name)
        raw = base64.urlsafe_b64decode(body)
        try:
            opened = AESGCM(key).decrypt(raw[:_NONCE], raw[_NONCE:], _place(organisation_id, name))
        except InvalidTag:
            raise Invalid("secret_moved", name=name) from None
        return opened.decode()

    def ids(self) -> list[str]:
        """The names of the keys, as sealed texts bear them; the first seals."""
        return [_id(_bytes(key)) for key in self._keys()]

    def seals_as_now(self, text: str) -> bool:
        """Whether the text is sealed with the key that is used now."""
        return text.startswith(f"{_PREFIX}{_id(_bytes(self._keys()[0]))}:")


def is_sealed(text: object) -> bool:
    return isinstance(text, str) and text.startswith(_PREFIX)


def vault_of(data: Path, given: Sequence[str]) -> Vault:
    """The vault of an installation: with the keys that are configured, else its own file's."""
    return Vault(lambda: given) if given else Vault(lambda: _from_file(data / KEY_FILE))


def new_key(data: Path) -> None:
    """Put a new key first in the file. The one before stays, to open what another process seals
    with it in this very moment; those before it go."""
    path = data / KEY_FILE
    before = _from_file(path)[:1]
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_text("\n".join([_made(), *before]) + "\n")
    draft.replace(path)


def sealed_settings(
    vault: Vault, organisation_id: int, settings: JSONObject, before: JSONObject
) -> JSONObject:
    """The settings with every new secret sealed; what is kept as it was stays as it is."""
    known = _named(before)
    named = {
        name: value
        if is_sealed(value) and known.get(name) == value
        else vault.seal(value, organisation_id, name)
        for name, value in _named(settings).items()
    }
    return {**settings, "secrets": named} if named else settings


def opened_settings(vault: Vault, organisation_id: int, settings: JSONObject) -> JSONObject:
    """The settings as tools use them."""
    named = {
        name: vault.open(value, organisation_id, name) for name, value in _named(settings).items()
    }
    return {**settings, "secrets": named} if named else settings


def seal_all(db: Connection, vault: Vault, *, anew: bool = False) -> int:
    """Seal what is in plain text, and, `anew`, what another key sealed; how many there were."""
    found = 0
    # Each is held: what somebody sets meanwhile must not be overwritten by what was read here.
    every = select(organisations.c.id, organisations.c.settings).order_by(organisations.c.id)
    rows: list[Any] = list(db.execute(every.with_for_update(key_share=True)))
    for row in rows:
        named = _named(row.settings)
        stale = {
            name: text
            for name, text in named.items()
            if not (vault.seals_as_now(text) if anew else is_sealed(text))
        }
        if not stale:
            continue
        found += len(stale)
        sealed = {
            name: vault.seal(vault.open(text, row.id, name), row.id, name)
            for name, text in stale.items()
        }
        changed = {**row.settings, "secrets": {**named, **sealed}}
        db.execute(
            update(organisations).where(organisations.c.id == row.id).values(settings=changed)
        )
        touch_settings(db, row.id)
    return found + (_seal_connections(db, vault) + _seal_addresses(db, vault) if anew else 0)


def _seal_connections(db: Connection, vault: Vault) -> int:
    """What connections keep, sealed with the key of now."""
    whose = {row.id: row.organisation_id for row in db.execute(select(connections))}
    found = 0
    for table, key, column in (
        (connections, connections.c.id, connections.c.headers),
        (connection_credentials, connection_credentials.c.id, connection_credentials.c.sealed),
    ):
        rows: list[Any] = list(db.execute(select(table).order_by(key).with_for_update()))
        for row in rows:
            text = row._mapping[column]
            if text is None or vault.seals_as_now(text):
                continue
            connection_id = row.id if table is connections else row.connection_id
            user_id = None if table is connections else row.user_id
            name = connection_secret(connection_id, user_id)
            organisation_id = whose[connection_id]
            sealed = vault.seal(vault.open(text, organisation_id, name), organisation_id, name)
            db.execute(update(table).where(key == row.id).values({column: sealed}))
            found += 1
    return found


def _seal_addresses(db: Connection, vault: Vault) -> int:
    """Where people are told, sealed with the key of now."""
    query = select(notice_addresses.c.id, notice_addresses.c.sealed, users.c.organisation_id).join(
        users, users.c.id == notice_addresses.c.user_id
    )
    held = db.execute(query.with_for_update(of=notice_addresses))
    stale = [row for row in held if not vault.seals_as_now(row.sealed)]
    for row in stale:
        name = notice_secret(row.id)
        address = vault.open(row.sealed, row.organisation_id, name)
        sealed = vault.seal(address, row.organisation_id, name)
        mine = notice_addresses.c.id == row.id
        db.execute(update(notice_addresses).where(mine).values(sealed=sealed))
    return len(stale)


def notice_secret(address_id: str) -> str:
    """The name under which somebody's address is sealed."""
    return f"notice address {address_id}"


def connection_secret(connection_id: str, user_id: int | None) -> str:
    """The name under which something of a connection is sealed: it opens nowhere else."""
    return f"connection {connection_id} of {'everybody' if user_id is None else user_id}"


def _named(settings: JSONObject) -> dict[str, str]:
    named = settings.get("secrets")
    return named if isinstance(named, dict) else {}


def _place(organisation_id: int, name: str) -> bytes:
    return f"organisation {organisation_id} secret {name}".encode()


def _bytes(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _id(key: bytes) -> str:
    return hashlib.sha256(b"id" + key).hexdigest()[:12]


def _made() -> str:
    return secrets.token_urlsafe(48)


def _from_file(path: Path) -> list[str]:
    try:
        return kept(path, _made().encode).decode().split()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read or written: {error.strerror}.") from error
