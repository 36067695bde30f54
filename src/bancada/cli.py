"""The command `bancada`. Imports happen inside commands, so that `--help` is quick."""

from __future__ import annotations

import asyncio
import getpass
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from bancada.domain.people import Person
    from bancada.engine.workbench import Workbench
    from bancada.settings import Settings

T = TypeVar("T")

REFUSED = 1
"""The call or turn failed, or was refused."""
BAD_USAGE = 2

Data = Annotated[Path | None, typer.Option("--data", help="The data folder.", show_default=False)]
Demo = Annotated[bool, typer.Option("--demo", help="Add the demo data, agents and users.")]
User = Annotated[
    str | None,
    typer.Option("--user", help="Act as this person; default: local.", show_default=False),
]

_quiet: dict[str, Any] = {
    "no_args_is_help": True,
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
cli = typer.Typer(help="A workbench where a language model uses an organisation's tools.", **_quiet)
tools = typer.Typer(help="Look at tools and run them.", **_quiet)
users = typer.Typer(help="People and their roles.", **_quiet)
keys = typer.Typer(help="API keys.", **_quiet)
audit = typer.Typer(help="The record of every call.", **_quiet)
db = typer.Typer(help="The database.", **_quiet)
graph = typer.Typer(help="The graph of assets.", **_quiet)
for name, group in (
    ("tools", tools),
    ("users", users),
    ("keys", keys),
    ("audit", audit),
    ("db", db),
    ("graph", graph),
):
    cli.add_typer(group, name=name)


def main() -> None:
    """Run a command; what we know how to say is said, without a trace."""
    from bancada.domain.errors import BancadaError

    try:
        cli()
    except BancadaError as error:
        _stop(str(error), BAD_USAGE)
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _stop(sentence: str, status: int) -> NoReturn:
    typer.echo(sentence, err=True)
    raise SystemExit(status)


def _settings(data: Path | None, demo: bool = False, **given: Any) -> Settings:
    from bancada.settings import load_settings

    return load_settings(data=data, demo=demo or None, **given)


def _work(settings: Settings, job: Callable[[Workbench], Awaitable[T]]) -> T:
    """Open the workbench, do one job, close it again."""
    from bancada.engine.workbench import open_workbench

    async def run() -> T:
        bench = await open_workbench(settings)
        try:
            return await job(bench)
        finally:
            await bench.close()

    return asyncio.run(run())


async def _person(bench: Workbench, email: str | None) -> Person:
    from bancada.store import people

    if email is None:
        return await bench.local_person()
    found = await bench.database.read(people.person_by_email, email)
    if found is None or not found.is_active:
        _stop(f"There is no active account for {email}.", BAD_USAGE)
    return found


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


# ---------------------------------------------------------------------------- serve, chat, doctor


@cli.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Default: 8321.", min=0, max=65535)] = None,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Serve the web chat, the admin panel and the API."""
    from bancada.server.serving import run_server

    run_server(_settings(data, demo, host=host, port=port))


@cli.command()
def chat(
    question: str,
    agent: Annotated[str | None, typer.Option(help="Default: the first you may use.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events, one a line.")] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Ask one question here, with the same engine and no server."""
    from bancada.store import agents
    from bancada.terminal import converse

    async def job(bench: Workbench) -> str:
        person = await _person(bench, user)
        usable = await bench.database.read(agents.agents_for, person.id)
        chosen = next(
            (each for each in usable if agent is None or agent in (each.name, str(each.id))), None
        )
        if chosen is None or chosen.id is None:
            names = ", ".join(each.name for each in usable) or "none; start once with --demo"
            _stop(f"No such agent for {person.name}. Agents: {names}.", BAD_USAGE)
        confirm = typer.confirm if _at_terminal() else None
        return await converse(bench, person, chosen.id, question, as_json=as_json, confirm=confirm)

    status = _work(_settings(data, demo), job)
    if status not in ("done", "waiting"):
        raise SystemExit(REFUSED)


@cli.command()
def doctor(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Say which model, database, sandbox tier and data folder are in use, and what is missing."""
    from bancada.engine.doctor import Finding, examine

    page = Path(__file__).parent / "server" / "static" / "index.html"

    async def job(bench: Workbench) -> list[Finding]:
        return await examine(bench, page_built=page.is_file())

    marks = {"ok": "✓", "note": "·", "missing": "✗"}
    for finding in _work(_settings(data, demo), job):
        typer.echo(f"{marks[finding.status]} {finding.name}: {finding.says}")


# ---------------------------------------------------------------------------- tools


@tools.command("list")
def list_tools(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """The tools there are, and which of them you may use."""
    from bancada.gate.situation import Situation

    async def job(bench: Workbench) -> None:
        person = await _person(bench, user)
        situation = Situation(person_id=person.id, organisation_id=person.organisation_id)
        usable = {tool.name for tool, _ in await bench.gate.visible(situation)}
        for tool in bench.registry.for_person(person):
            mark = "✓" if tool.name in usable else "✗"
            first = tool.description.strip().splitlines()[0] if tool.description else ""
            typer.echo(f"{mark} {tool.name:<26} {tool.category:<9} {tool.effect:<5} {first[:80]}")

    _work(_settings(data, demo), job)


@tools.command("show")
def show_tool(name: str, data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Everything a tool says of itself."""
    from bancada.gate.listing import definition

    async def job(bench: Workbench) -> None:
        tool = bench.registry.find(name, await _person(bench, user))
        if tool is None:
            _stop(f"There is no tool called {name}.", BAD_USAGE)
        shape = {
            **definition(tool),
            "category": tool.category,
            "effect": tool.effect,
            "permission_level": tool.permission_level,
            "allowed_callers": list(tool.allowed_callers),
            "timeout": tool.timeout,
            "switched_off": tool.switched_off,
        }
        typer.echo(json.dumps(shape, ensure_ascii=False, indent=2))

    _work(_settings(data, demo), job)


@tools.command("run")
def run_tool(
    name: str,
    arguments: Annotated[str, typer.Argument(help="A JSON object.")] = "{}",
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Run a tool through the gate, as any other call."""
    import secrets

    from bancada.domain.calls import Caller, Outcome, ToolCall
    from bancada.engine.sentences import why_asked
    from bancada.gate.gate import must_be_confirmed
    from bancada.gate.situation import Situation

    try:
        input = json.loads(arguments)
    except ValueError as error:
        _stop(f"The arguments are not JSON: {error}.", BAD_USAGE)

    async def job(bench: Workbench) -> bool:
        person = await _person(bench, user)
        call = ToolCall(
            id=f"call_{secrets.token_hex(10)}",
            name=name,
            input=input,
            caller=Caller(via="terminal"),
        )
        situation = Situation(person_id=person.id, organisation_id=person.organisation_id)
        outcome = await bench.gate.call(call, situation)
        if not isinstance(outcome, Outcome) and _at_terminal():
            yes = typer.confirm(why_asked(outcome.reason, name, person.language))
            decision = "approve" if yes else "reject"
            decided = await bench.conversing.decide(
                person,
                outcome.confirmation_id,
                decision,  # type: ignore[arg-type]
            )
            if decided.result is None:
                typer.echo("It did not run.", err=True)
                return False
            typer.echo(_printed(decided.result["result"]))
            return not decided.result["is_error"]
        if not isinstance(outcome, Outcome):
            outcome = must_be_confirmed(call, outcome)
        typer.echo(_printed(outcome.shown if not outcome.is_error else outcome.content))
        return not outcome.is_error

    if not _work(_settings(data, demo), job):
        raise SystemExit(REFUSED)


def _printed(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, indent=2)


# ---------------------------------------------------------------------------- users, keys


@users.command("add")
def add_user(
    email: str,
    role: Annotated[str, typer.Option(help="operador, responsavel or admin.")],
    name: Annotated[str | None, typer.Option(help="Default: the address's first part.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Add somebody; prints a one-time link to set a password unless one comes on standard input."""
    from bancada.domain.people import ROLES
    from bancada.engine.passwords import SHORTEST, hash_password
    from bancada.store import agents, people
    from bancada.store import keys as key_store

    if role not in ROLES:
        _stop(f"The role is one of {', '.join(ROLES)}.", BAD_USAGE)
    if "@" not in email:
        _stop(f"{email} is not an address.", BAD_USAGE)
    password = _password() if password_stdin else None
    if password is not None and len(password) < SHORTEST:
        _stop(f"A password has at least {SHORTEST} characters.", BAD_USAGE)
    settings = _settings(data, demo)

    async def job(bench: Workbench) -> str | None:
        actor = await _person(bench, user)
        if actor.role != "admin":
            _stop("Only an administrator can add people.", REFUSED)
        hashed = None
        if password is not None:
            hashed = await hash_password(password, cost=settings.password_cost)

        def add(connection: Any) -> str | None:
            added = people.add_person(
                connection,
                organisation_id=actor.organisation_id,
                email=email,
                name=name or email.split("@")[0],
                role=role,
                password_hash=hashed,
            )
            for agent in agents.agents_of(connection, actor.organisation_id):
                if agent.id is not None and role != "operador":
                    agents.grant(connection, added.id, agent.id)
            if hashed is not None:
                return None
            week = 7 * 86_400.0
            return key_store.add_link(connection, "password", user_id=added.id, seconds=week)

        return await bench.database.run(add)

    token = _work(settings, job)
    typer.echo(f"Added {email} as {role}.")
    if token is not None:
        typer.echo(
            f"To set a password, once: http://{settings.host}:{settings.port}/#/setup/{token}"
        )


def _password() -> str:
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


@users.command("list")
def list_users(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Everybody in the organisation."""
    from bancada.store import people

    async def job(bench: Workbench) -> None:
        actor = await _person(bench, user)
        for person in await bench.database.read(people.people_of, actor.organisation_id):
            state = "" if person.is_active else "  (disabled)"
            typer.echo(f"{person.id:>5}  {person.email:<32} {person.role:<12} {person.name}{state}")

    _work(_settings(data, demo), job)


@users.command("disable")
def disable_user(email: str, data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Take somebody's access away, at once."""
    from bancada.store import people

    async def job(bench: Workbench) -> None:
        actor = await _person(bench, user)
        found = await bench.database.read(people.person_by_email, email)
        if found is None or found.organisation_id != actor.organisation_id:
            _stop(f"There is no account for {email}.", BAD_USAGE)
        if actor.role != "admin":
            _stop("Only an administrator can disable accounts.", REFUSED)
        await bench.database.run(
            lambda connection: people.change_person(connection, found.id, is_active=False)
        )
        typer.echo(f"{email} is disabled.")

    _work(_settings(data, demo), job)


@keys.command("add")
def add_key(
    user: Annotated[str, typer.Option("--user", help="Whose key.")],
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    data: Data = None,
    demo: Demo = False,
) -> None:
    """Make an API key; it is shown once."""
    from bancada.store import keys as key_store

    async def job(bench: Workbench) -> str:
        person = await _person(bench, user)
        _, key = await bench.database.run(key_store.add_key, person.id, name)
        return key

    typer.echo(_work(_settings(data, demo), job))


@keys.callback()
def _keys() -> None:
    """API keys."""


# ---------------------------------------------------------------------------- audit, db, graph


@audit.command("verify")
def verify_audit(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Check every chain from its first entry to its head."""
    from bancada.store import audit as audit_store

    async def job(bench: Workbench) -> bool:
        ok = True
        for organisation in await bench.database.read(audit_store.organisations_with_entries):
            verdict = await bench.database.read(audit_store.verify, organisation)
            if verdict.ok:
                typer.echo(f"organisation {organisation}: {verdict.checked} entries, all in place")
            else:
                ok = False
                typer.echo(
                    f"organisation {organisation}: broken at entry {verdict.first_bad}: "
                    f"{verdict.what}"
                )
        return ok

    if not _work(_settings(data, demo), job):
        raise SystemExit(REFUSED)


@audit.command("export")
def export_audit(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Write every call as a JSON line."""
    from bancada.store import audit as audit_store

    async def job(bench: Workbench) -> None:
        actor = await _person(bench, user)
        for line in await bench.database.read(audit_store.export, actor.organisation_id):
            typer.echo(json.dumps(line, ensure_ascii=False))

    _work(_settings(data, demo), job)


@db.command("upgrade")
def upgrade_database(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Bring the database to the shape this version needs."""
    from bancada.store.upgrade import HEAD

    _work(_settings(data, demo), _nothing)
    typer.echo(f"The database is at revision {HEAD}.")


async def _nothing(bench: Workbench) -> None:
    return None


@db.command("check")
def check_database(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Say whether the database is up to date and answers."""
    from bancada.store.database import open_database
    from bancada.store.upgrade import HEAD, revision

    settings = _settings(data, demo)

    async def look() -> str | None:
        database = open_database(settings.url)
        try:
            return await revision(database)
        finally:
            await database.close()

    at = asyncio.run(look())
    if at != HEAD:
        _stop(
            f"The database is at {at or 'nothing'}; run `bancada db upgrade` for {HEAD}.", REFUSED
        )
    typer.echo(f"The database is at {at}, as it should be.")


@graph.command("import")
def import_graph(
    nodes: Annotated[Path, typer.Argument(help="CSV or Parquet: id, label, name, …")],
    edges: Annotated[Path, typer.Argument(help="CSV or Parquet: source, target, type, …")],
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Replace the graph by that of two files; nothing changes if anything is wrong with them."""
    from bancada.packs.graph.importer import ImportFailed, Progress
    from bancada.packs.graph.importer import import_graph as bring_in

    folder = _settings(data, demo).data / "packs" / "graph"
    folder.mkdir(parents=True, exist_ok=True)
    with typer.progressbar(length=100, label="Importing", file=sys.stderr) as bar:

        def report(progress: Progress) -> None:
            bar.label = progress.stage
            bar.update(max(0, round(100 * progress.done) - bar.pos))

        try:
            imported = bring_in(nodes, edges, folder, report)
        except ImportFailed as failure:
            _stop(f"Nothing was imported.\n{failure}", REFUSED)
    typer.echo(f"{imported.nodes} nodes and {imported.edges} edges.")


@graph.callback()
def _graph() -> None:
    """The graph of assets."""
