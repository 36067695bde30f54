"""What this installation signs with: tokens and cookies, and the ends of the audit."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bancada.domain.errors import SettingsError
from bancada.gate.heads import KEY_FILE, new_key
from bancada.settings import Settings
from bancada.store.database import Database
from bancada.store.installation_keys import shared_key
from bancada.store.keyfile import kept
from bancada.store.vault import Vault

SECRET_FILE = "jwt-secret"  # noqa: S105 - the name of a file


@dataclass(frozen=True)
class SigningKeys:
    """Every process of an installation has the same."""

    tokens: Callable[[], str]
    """Signs tokens and cookies: configured, or made on the first start and kept."""
    audit: bytes | None = None
    """Signs the ends of the audit; none: a file of the data folder does."""


async def signing_keys(settings: Settings, database: Database) -> SigningKeys:
    """On Postgres from the database, so that every machine signs alike; on SQLite from the folder."""
    if database.kind == "sqlite":
        return SigningKeys(lambda: settings.jwt_secret or _from_folder(settings))
    vault = Vault(lambda: settings.secret_key) if settings.secret_key else None
    audit = await shared_key(database, vault, settings.data / KEY_FILE, new_key)
    tokens = settings.jwt_secret
    if tokens is None:
        found = await shared_key(database, vault, settings.data / SECRET_FILE, _made)
        tokens = found.decode().strip()
    return SigningKeys(lambda: tokens, audit)


def _from_folder(settings: Settings) -> str:
    path = settings.data / SECRET_FILE
    try:
        return kept(path, _made).decode().strip()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read or written: {error.strerror}.") from error


def _made() -> bytes:
    return secrets.token_urlsafe(48).encode()
