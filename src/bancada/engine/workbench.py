"""The workbench: every room, opened from the settings and wired to the others.

`bancada serve`, `bancada chat` and the tests all stand on this; only the server adds HTTP.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection

from bancada.custom.addresses import AllowedHost
from bancada.custom.courier import Courier
from bancada.custom.databases import Databases
from bancada.custom.definitions import ToolMachinery
from bancada.custom.desk import CustomToolDesk
from bancada.custom.egress import Egress, Outgoing
from bancada.custom.source import CustomTools
from bancada.dashboards import DashboardDesk, PackStudies, StudyDesk
from bancada.data.datasets import Uploads
from bancada.data.query import DatasetQuery
from bancada.domain.agents import Agent
from bancada.domain.errors import SettingsError
from bancada.domain.people import Person
from bancada.engine.accounts import note_added
from bancada.engine.attachments import AttachmentShelf
from bancada.engine.builder import TurnBuilder
from bancada.engine.clockwork import Clockwork
from bancada.engine.codetool import code_tool
from bancada.engine.confirmations import Confirmations
from bancada.engine.connections import open_connections
from bancada.engine.conversations import Conversations
from bancada.engine.databases import open_databases
from bancada.engine.demo import seed_demo
from bancada.engine.models import Models
from bancada.engine.money import MoneyUnderWay
from bancada.engine.notices import NoticeDesk
from bancada.engine.once import Once
from bancada.engine.owntables import OwnTables
from bancada.engine.packfolders import PackFolders
from bancada.engine.packs import Build, chosen, load_packs
from bancada.engine.retention import Retention
from bancada.engine.runner import Runner
from bancada.engine.sandboxes import SandboxService
from bancada.engine.schedules import ScheduleDesk
from bancada.engine.search import search_tool
from bancada.engine.services import DatasetRows, FileShelf, PackServices
from bancada.engine.signing import SigningKeys, signing_keys
from bancada.engine.tables import Tables
from bancada.gate.administration import note
from bancada.gate.gate import Gate, GateLimits
from bancada.gate.heads import Heads
from bancada.gate.leftovers import COMMAND
from bancada.gate.timestamps import Authority
from bancada.mcp.connections.desk import ConnectionDesk
from bancada.model.connecting import open_providers, stand_in
from bancada.model.model import Model
from bancada.model.offline import OfflineModel
from bancada.settings import Settings
from bancada.store import agents, conversations, people, tool_settings
from bancada.store.blobs.keeping import Blobs, open_blobs
from bancada.store.database import Database, open_database
from bancada.store.installation_keys import agree_on_sealing
from bancada.store.privacy import make_private
from bancada.store.upgrade import upgrade
from bancada.store.vault import Vault, seal_all, vault_of
from bancada.tools.pack import Pack
from bancada.tools.registry import Registry

log = logging.getLogger("bancada.engine")

STAMP_SECONDS = 10.0
"""How long a time-stamping authority may take."""
STARTERS = 4
"""How many questions to begin with an agent shows that has none of its own."""


@dataclass
class Workbench:
    """An open installation."""

    settings: Settings
    database: Database
    registry: Registry
    gate: Gate
    runner: Runner
    turns: TurnBuilder
    retention: Retention
    once: Once
    """What is asked for twice with one key is done once."""
    money: MoneyUnderWay
    """What is set aside for replies under way."""
    models: Models
    conversations: Conversations
    confirmations: Confirmations
    jail: SandboxService
    uploads: Uploads
    tables: Tables
    dashboards: DashboardDesk
    studies: StudyDesk
    """Studies kept by name, and how they are made again."""
    clockwork: Clockwork
    """Does what is due by the clock."""
    schedules: ScheduleDesk
    files: FileShelf
    attachments: AttachmentShelf
    """What goes with questions."""
    blobs: Blobs
    """Where data sets, kept files and imports are."""
    custom: CustomToolDesk
    databases: Databases
    own_tables: OwnTables
    """Tables of packs that organisations keep in databases of their own."""
    connections: ConnectionDesk
    """Servers of others, and what of theirs is in use."""
    vault: Vault
    """Seals and opens the secrets of organisations."""
    packs: Sequence[Pack]
    heads: Heads
    """Where the ends of the audit are signed."""
    notices: NoticeDesk
    """Tells people where they are."""
    keys: SigningKeys
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, init=False)

    async def local_person(self) -> Person:
        """The person commands act as; every agent of the first organisation is theirs."""
        return await self.database.run(_local_person)

    async def starters(self, agent: Agent, person: Person) -> list[str]:
        """Questions to begin with: the agent's own, or those that packs know for this person."""
        if agent.starters:
            return list(agent.starters)
        known = [
            tool.name
            for tool in self.registry.for_person(person)
            if agent.has(tool.name, tool.group)
        ]
        offered = [pack.starters for pack in self.packs if pack.starters is not None]
        found = [await asyncio.to_thread(starters, person, known) for starters in offered]
        return [starter for some in found for starter in some][:STARTERS]

    def kept_folders(self, pack: str) -> PackFolders:
        """What a pack keeps for every machine."""
        return PackFolders(pack, self.database, self.blobs, self.uploads.scratch.folder, self._loop)

    async def close(self) -> None:
        """Let running turns reach a recorded point, then close every room."""
        await self.clockwork.close()
        await self.runner.close()
        await self.money.close()
        await self.jail.close()
        self.uploads.scratch.close()
        await self.models.close()
        await self.connections.close()
        await self.databases.close()
        try:
            await self.sign_heads()
        except Exception:
            log.exception("the ends of the audit could not be signed")
        await self.database.close()

    async def sign_heads(self) -> None:
        await self.heads.write(self.database)

    async def forget(self, conversation_id: str) -> None:
        """Remove a conversation with its files and data sets, and end what runs for it."""
        await self.uploads.forget(conversation_id)
        await self.files.forget(conversation_id)
        await self.database.run(conversations.remove, conversation_id)
        # Last: until its row is gone, a call that is ending could still open another.
        await self.jail.end_of(conversation_id)


async def open_workbench(
    settings: Settings, *, model: Model | None = None, builds: Mapping[str, Build] | None = None
) -> Workbench:
    """Open the installation: migrate, load packs, reconcile the registry, add the demo.

    `model` replaces the provider; `builds` are packs beside the installed ones, for tests.
    """
    wanted = {entry.name: entry.load() for entry in chosen(settings.use_packs)}
    _prepare_folder(settings.data)
    database = open_database(settings.url)
    await upgrade(database)
    vault = vault_of(settings.data, settings.secret_key)
    if database.kind == "postgresql":
        await database.run(agree_on_sealing, vault, configured=bool(settings.secret_key))
    await _seal_plain(database, vault)
    keys = await signing_keys(settings, database)
    first_organisation = await database.run(people.first_organisation)
    registry = Registry()
    gate = Gate(
        database,
        registry,
        limits=GateLimits(
            result_chars=settings.result_chars,
            confirmation_seconds=settings.confirmation_days * 86_400,
        ),
    )
    blobs = open_blobs(settings, database)
    files = FileShelf(database, blobs)
    attachments = AttachmentShelf(database, blobs)
    jail = SandboxService(
        settings.data / "run",
        tier=settings.sandbox_tier,
        max_containers=settings.max_containers,
        per_organisation=settings.max_containers_per_organisation,
        per_person=settings.max_containers_per_person,
        idle_seconds=settings.container_idle_seconds,
        keep_file=files.keep_for,
    )
    packs: list[Pack] = []
    uploads = Uploads(
        settings.data / "uploads",
        DatasetRows(database, blobs),
        jail.sandbox,
        reserved=lambda: {table.name for pack in packs for table in pack.tables},
    )
    dashboards = DashboardDesk(database, gate)
    studies = StudyDesk(database, gate)
    tables = Tables(uploads, packs)
    jail.files_for = tables.files
    datasets = DatasetQuery(uploads, jail, tables=tables.pack_files)

    databases = await open_databases(settings, database)
    own_tables = OwnTables(database, databases)
    loop = asyncio.get_running_loop()

    def services(name: str) -> PackServices:
        own = settings.data / "packs" / name
        own.mkdir(parents=True, exist_ok=True)
        return PackServices(
            folder=own,
            kept=PackFolders(name, database, blobs, uploads.scratch.folder, loop),
            demo=settings.demo,
            first_organisation=first_organisation,
            jail=jail,
            datasets=datasets,
            dashboards=dashboards,
            studies=PackStudies(database, studies),
            own_tables=own_tables,
            settings=settings.packs.get(name, {}),
        )

    packs += load_packs({**wanted, **(builds or {})}, services)
    for pack in packs:
        for tool in pack.tools:
            registry.add(tool, pack=pack.name)
        dashboards.checks = {**dashboards.checks, **pack.widgets}
    registry.add(search_tool(gate))
    registry.add(code_tool())
    custom = CustomTools(
        registry,
        ToolMachinery(
            egress=Egress(allow_private=settings.egress_private),
            sandboxes=jail,
            databases=databases,
            vault=vault,
            widgets=dashboards.checks,
        ),
    )
    registry.add_source(custom)
    connections = await open_connections(settings, database, registry, vault)
    await database.run(_reconcile, dict(registry.packs()))
    if settings.demo:
        await seed_demo(database, packs, cost=settings.password_cost)
    models = await _models(settings, database, packs, model)
    runner = Runner(database)
    gate.process = COMMAND + runner.owner
    money = MoneyUnderWay(database)
    turns = TurnBuilder(settings, registry, gate, models, jail, tables, files, money, attachments)
    runner.build = turns.build
    talks = Conversations(
        database,
        runner,
        models,
        tables,
        per_organisation=settings.max_turns_per_organisation,
        per_person=settings.max_turns_per_person,
    )
    clockwork = Clockwork(database, gate, dashboards, studies, talks, runner.owner)
    return Workbench(
        settings=settings,
        database=database,
        registry=registry,
        gate=gate,
        runner=runner,
        turns=turns,
        retention=Retention(database, blobs, settings.retention_days),
        once=Once(database, runner.owner),
        money=money,
        models=models,
        conversations=talks,
        confirmations=Confirmations(database, runner, gate),
        jail=jail,
        uploads=uploads,
        tables=tables,
        dashboards=dashboards,
        studies=studies,
        clockwork=clockwork,
        schedules=ScheduleDesk(database, gate, dashboards, clockwork),
        files=files,
        attachments=attachments,
        blobs=blobs,
        custom=CustomToolDesk(database, registry, custom),
        databases=databases,
        own_tables=own_tables,
        connections=connections,
        vault=vault,
        packs=packs,
        notices=NoticeDesk(
            database,
            vault,
            Courier(settings.notices, settings.egress_private),
            settings.address,
            runner.owner,
        ),
        heads=Heads(settings.data, _authority(settings), settings.audit_tsa_roots, keys.audit),
        keys=keys,
    )


def _authority(settings: Settings) -> Authority | None:
    """Who stamps the audit's ends: asked by the one client that goes out, at that one address."""
    url = settings.audit_tsa_url
    if url is None:
        return None
    if settings.audit_tsa_roots is None or not settings.audit_tsa_roots.is_file():
        raise SettingsError("BANCADA_AUDIT_TSA_URL needs BANCADA_AUDIT_TSA_ROOTS, a file.")
    egress = Egress(allow_private=settings.egress_private)
    place = AllowedHost.read(url[: len(url) - len(url.partition("://")[2].partition("/")[2])])

    async def ask(query: bytes) -> bytes:
        headers = {"Content-Type": "application/timestamp-query"}
        request = Outgoing(method="POST", url=url, places=(place,), headers=headers, body=query)
        return (await egress.send(request, seconds=STAMP_SECONDS)).body

    return Authority(ask, settings.audit_tsa_roots)


def _reconcile(db: Connection, present: dict[str, str | None]) -> None:
    """The registry as it is from now on; packs that came, went or changed are on record."""
    before = tool_settings.packs_present(db)
    tool_settings.reconcile(db, present)
    after = tool_settings.packs_present(db)
    note(db, None, "packs_changed", "", before=before, after=after, via="start")


def _local_person(db: Connection) -> Person:
    known = people.person_by_email(db, people.LOCAL)
    local = people.local_person(db)
    if known is None:
        note_added(db, local, by=None, via="terminal")
    for agent in agents.agents_of(db, local.organisation_id):
        if agent.id is not None:
            agents.grant(db, local.id, agent.id)
    return local


async def _models(
    settings: Settings, database: Database, packs: Sequence[Pack], given: Model | None
) -> Models:
    intents = [intent for pack in packs for intent in pack.intents]
    if given is not None:
        providers = stand_in(given, settings)
    else:
        rows = await database.read(people.all_organisations)
        known: dict[int | str, int] = {row.name: row.id for row in rows}
        providers = open_providers(settings, known | {row.id: row.id for row in rows})
    return Models(
        providers=providers,
        offline=OfflineModel(intents),
        vendor_search=settings.tool_search,
    )


async def _seal_plain(database: Database, vault: Vault) -> None:
    """Seal what was written before there was a vault."""
    if found := await database.run(seal_all, vault):
        log.warning(
            "%d secrets of organisations stood in plain text in the database; they are sealed now. "
            "Older backups still hold them: exchange them where that matters",
            found,
        )


def _prepare_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        make_private(folder, leave=("run",))
        probe = folder / f".writable-{secrets.token_hex(4)}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise SettingsError(
            f"The data folder {folder} cannot be written to ({error.strerror}). "
            "Choose another with --data or BANCADA_DATA."
        ) from error
