"""Servers of others: those the operator's configuration names, and where all are connected."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Literal

from sqlalchemy import Connection

from bancada.custom.egress import Egress
from bancada.domain.calls import CODE_CALLER
from bancada.domain.errors import SettingsError
from bancada.domain.json import dumps
from bancada.gate.administration import note
from bancada.mcp.connections.desk import ConnectionDesk
from bancada.mcp.connections.pipes import ServerProgram
from bancada.mcp.connections.source import ConnectedTools
from bancada.mcp.connections.switchboard import Switchboard
from bancada.settings import McpSettings, Settings
from bancada.store import connections, people
from bancada.store.connections import ServerConnection
from bancada.store.database import Database
from bancada.store.vault import Vault, connection_secret
from bancada.tools.registry import Registry

log = logging.getLogger("bancada.engine")


async def open_connections(
    settings: Settings, database: Database, registry: Registry, vault: Vault
) -> ConnectionDesk:
    """Connect nothing yet: each server is asked when somebody looks, or calls."""
    named = await database.run(_reconcile, settings.mcp, vault)
    board = Switchboard(
        database,
        registry,
        Egress(allow_private=settings.egress_private),
        vault,
        programs={key: _program(one) for key, one in named.items() if one.command},
    )
    registry.add_source(ConnectedTools(board))
    return ConnectionDesk(database, board, code_caller=CODE_CALLER, private=settings.egress_private)


def _program(one: McpSettings) -> ServerProgram:
    return ServerProgram(
        command=tuple(one.command),
        env=one.env,
        cwd=one.cwd,
        walls=bool(one.walls),
        folders=tuple(one.folders),
    )


def _reconcile(
    db: Connection, wanted: Mapping[str, McpSettings], vault: Vault
) -> dict[tuple[int, str], McpSettings]:
    """The rows as the configuration wants them. A server that is not named any more goes, with what
    was enabled of it: named again, it is looked at again."""
    known = people.all_organisations(db)
    ids: dict[int | str, int] = {row.name: row.id for row in known} | {
        row.id: row.id for row in known
    }
    named: dict[tuple[int, str], McpSettings] = {}
    for name, one in wanted.items():
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name) is None:
            raise SettingsError(f"[mcp.{name}]: a name has letters, digits and _, and no others.")
        if one.organisation in ids:
            named[ids[one.organisation], name] = one
        else:
            log.warning("[mcp.%s]: there is no organisation %s", name, one.organisation)
    here = {
        (row.organisation_id, row.name): row
        for row in connections.every(db)
        if row.origin == "operator"
    }
    for key in here.keys() - named.keys():
        _remove(db, here[key])
    for key, one in named.items():
        _keep(db, vault, key, one, here.get(key))
    return named


def _keep(
    db: Connection,
    vault: Vault,
    key: tuple[int, str],
    one: McpSettings,
    row: ServerConnection | None,
) -> None:
    organisation_id, name = key
    if row is not None and (row.url, row.credentials) != (one.url, one.credentials):
        # Another server under the same name: what was enabled and signed in was for the one before.
        _remove(db, row)
        row = None
    if row is None:
        new = ServerConnection(
            id="",
            organisation_id=organisation_id,
            name=name,
            origin="operator",
            url=one.url,
            credentials=one.credentials,
        )
        row = connections.add(db, new)
        _note(db, "connection_added", row)
    sealed = None
    if one.headers:
        secret = connection_secret(row.id, None)
        sealed = vault.seal(dumps(one.headers), organisation_id, secret)
    if sealed is not None or row.headers is not None:
        connections.change(db, row, headers=sealed)


def _remove(db: Connection, row: ServerConnection) -> None:
    connections.remove(db, row)
    _note(db, "connection_removed", row)


def _note(
    db: Connection,
    action: Literal["connection_added", "connection_removed"],
    row: ServerConnection,
) -> None:
    facts = {"name": row.name, "url": row.url, "credentials": row.credentials}
    added = action == "connection_added"
    note(
        db,
        None,
        action,
        row.name,
        id=row.id,
        organisation_id=row.organisation_id,
        before=None if added else facts,
        after=facts if added else None,
        via="start",
    )
