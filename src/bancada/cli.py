"""The command `bancada`. Imports happen inside commands, so that `--help` is quick."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from bancada.engine.workbench import Workbench
    from bancada.packs.graph.containment import Hierarchy
    from bancada.packs.graph.importer import Imported
    from bancada.settings import Settings
    from bancada.store.conversations import Unused

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
policy = typer.Typer(help="Rules for tools.", **_quiet)
db = typer.Typer(help="The database.", **_quiet)
secrets = typer.Typer(help="Secrets of organisations.", **_quiet)
graph = typer.Typer(help="The graphs of the organisations.", **_quiet)
for name, group in (
    ("tools", tools),
    ("users", users),
    ("keys", keys),
    ("audit", audit),
    ("policy", policy),
    ("db", db),
    ("secrets", secrets),
    ("graph", graph),
):
    cli.add_typer(group, name=name)


def main() -> None:
    """Run a command; what we know how to say is said, without a trace."""
    from bancada.domain.errors import BancadaError, Forbidden

    # Whatever is written, in the data folder above all, is for its owner alone.
    os.umask(0o077)
    try:
        cli()
    except Forbidden as error:
        _stop(str(error), REFUSED)
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


def _confirm() -> Callable[[str], bool] | None:
    """Asks whoever is at the keys; none where nobody is."""
    return typer.confirm if sys.stdin.isatty() and sys.stdout.isatty() else None


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
    from bancada import jobs
    from bancada.terminal import converse

    async def job(bench: Workbench) -> str:
        person = await jobs.person_called(bench, user)
        chosen = await jobs.agent_called(bench, person, agent)
        return await converse(bench, person, chosen, question, as_json=as_json, confirm=_confirm())

    status = _work(_settings(data, demo), job)
    if status not in ("done", "waiting"):
        raise SystemExit(REFUSED)


@cli.command("eval")
def evaluate(
    file: Annotated[str, typer.Argument(help="Conversations to play, or a pack that has some.")],
    agent: Annotated[
        list[str] | None, typer.Option(help="Whom to ask; give it twice to compare two.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Play scripted conversations and hold the answers against what they should be."""
    from bancada.evaluation.command import evaluate_script
    from bancada.evaluation.report import CaseReport, as_object, line_of, summary

    def told(report: CaseReport) -> None:
        if not as_json:
            typer.echo(line_of(report))

    reports = _work(
        _settings(data, demo), lambda bench: evaluate_script(bench, user, file, agent or [], told)
    )
    if as_json:
        typer.echo(_printed(as_object(reports)))
    else:
        typer.echo("\n".join(summary(reports)))
    if not all(report.passed for report in reports):
        raise SystemExit(REFUSED)


@cli.command()
def doctor(
    probe: Annotated[
        bool, typer.Option("--probe", help="Ask each provider a few tiny questions, too.")
    ] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Say which model, database, sandbox tier and data folder are in use, and what is missing."""
    from bancada.engine.doctor import Finding, examine

    page = Path(__file__).parent / "server" / "static" / "index.html"

    async def job(bench: Workbench) -> list[Finding]:
        return await examine(bench, page_built=page.is_file(), probe=probe)

    marks = {"ok": "✓", "note": "·", "missing": "✗"}
    for finding in _work(_settings(data, demo), job):
        typer.echo(f"{marks[finding.status]} {finding.name}: {finding.says}")


# ---------------------------------------------------------------------------- tools


@tools.command("list")
def list_tools(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """The tools there are, and which of them you may use."""
    from bancada import jobs

    for tool, usable in _work(_settings(data, demo), lambda bench: jobs.tools_of(bench, user)):
        mark = "✓" if usable else "✗"
        first = tool.description.strip().splitlines()[0] if tool.description else ""
        typer.echo(f"{mark} {tool.name:<26} {tool.category:<9} {tool.effect:<5} {first[:80]}")


@tools.command("show")
def show_tool(name: str, data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Everything a tool says of itself."""
    from bancada import jobs

    card = _work(_settings(data, demo), lambda bench: jobs.tool_card(bench, user, name))
    typer.echo(_printed(card))


@tools.command("run")
def run_tool(
    name: str,
    arguments: Annotated[str, typer.Argument(help="A JSON object.")] = "{}",
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Run a tool through the gate, as any other call."""
    from bancada import jobs

    try:
        input = json.loads(arguments)
    except ValueError as error:
        _stop(f"The arguments are not JSON: {error}.", BAD_USAGE)
    result, ok = _work(
        _settings(data, demo), lambda bench: jobs.call_tool(bench, user, name, input, _confirm())
    )
    typer.echo(_printed(result))
    if not ok:
        raise SystemExit(REFUSED)


def _printed(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, indent=2)


@cli.command("mcp")
def serve_mcp(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Offer the person's tools to an MCP client, over standard input and output."""
    from bancada import jobs
    from bancada.server.mcp import serve_stdio

    async def job(bench: Workbench) -> None:
        await serve_stdio(bench, await jobs.person_called(bench, user))

    _work(_settings(data, demo), job)


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
    from bancada import jobs
    from bancada.domain.errors import Invalid
    from bancada.domain.people import ROLES
    from bancada.engine.passwords import check_password

    if role not in ROLES:
        _stop(f"The role is one of {', '.join(ROLES)}.", BAD_USAGE)
    if "@" not in email:
        _stop(f"{email} is not an address.", BAD_USAGE)
    settings = _settings(data, demo)
    password = _password() if password_stdin else None
    try:
        if password is not None:
            check_password(password, email, demo=settings.demo)
    except Invalid as error:
        _stop(str(error), BAD_USAGE)
    link = _work(
        settings,
        lambda bench: jobs.add_person(
            bench, user, email=email, name=name, role=role, password=password
        ),
    )
    typer.echo(f"Added {email} as {role}.")
    if link is not None:
        typer.echo(f"To set a password, once: http://{settings.host}:{settings.port}{link}")


def _password() -> str:
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


@users.command("list")
def list_users(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Everybody in the organisation."""
    from bancada import jobs

    for person in _work(_settings(data, demo), lambda bench: jobs.people_beside(bench, user)):
        state = "" if person.is_active else "  (disabled)"
        typer.echo(f"{person.id:>5}  {person.email:<32} {person.role:<12} {person.name}{state}")


@users.command("disable")
def disable_user(email: str, data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Take somebody's access away, at once."""
    from bancada import jobs

    _work(_settings(data, demo), lambda bench: jobs.disable_person(bench, user, email))
    typer.echo(f"{email} is disabled.")


@keys.command("add")
def add_key(
    user: Annotated[str, typer.Option("--user", help="Whose key.")],
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    scope: Annotated[
        list[str] | None,
        typer.Option(help="chat, tools, gateway, mcp or admin:read; none: all its person may."),
    ] = None,
    days: Annotated[
        float | None, typer.Option(min=0.01, help="It ends after so many days.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="The one agent it is for.")] = None,
    requests: Annotated[
        int | None, typer.Option(min=1, help="Requests a minute at the gateway.")
    ] = None,
    tokens: Annotated[int | None, typer.Option(min=1, help="Tokens a minute there.")] = None,
    budget: Annotated[float | None, typer.Option(min=0, help="USD a month there.")] = None,
    data: Data = None,
    demo: Demo = False,
) -> None:
    """Make an API key; it is shown once."""
    from bancada import jobs
    from bancada.domain.people import SCOPES
    from bancada.store.keys import KeyLimits, KeyTerms

    scopes = tuple(known for known in SCOPES if known in (scope or ()))
    if len(scopes) != len(set(scope or ())):
        _stop(f"A scope is one of {', '.join(SCOPES)}.", BAD_USAGE)
    new = KeyTerms(name=name, scopes=scopes, limits=KeyLimits(requests, tokens, budget))
    typer.echo(
        _work(_settings(data, demo), lambda bench: jobs.add_key(bench, user, new, days, agent))
    )


@keys.command("list")
def list_keys(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """The organisation's keys that count; only their first characters are known."""
    from datetime import UTC, datetime

    from bancada import jobs

    def day(moment: float | None, none: str) -> str:
        return none if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"

    for key in _work(_settings(data, demo), lambda bench: jobs.list_keys(bench, user)):
        scopes = ",".join(key.scopes) or "all"
        ends, used = day(key.expires_at, "no end"), day(key.last_used_at, "never used")
        typer.echo(
            f"{key.id:>5}  {key.prefix}…  {key.email:<28} {scopes:<20} {ends:<12} {used:<12} {key.name}"
        )


@keys.command("revoke")
def revoke_key(id: int, data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Make a key count no longer, at once."""
    from bancada import jobs

    _work(_settings(data, demo), lambda bench: jobs.revoke_key(bench, user, id))
    typer.echo(f"Key {id} is revoked.")


# ---------------------------------------------------------------------------- audit, db, graph


@audit.command("verify")
def verify_audit(
    heads: Annotated[
        Path | None,
        typer.Option(
            help="A copy of audit-heads.jsonl that was kept elsewhere.", exists=True, dir_okay=False
        ),
    ] = None,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Check every chain from its first entry to its head, and against the heads that were signed."""
    from bancada import jobs

    found, signed = _work(_settings(data, demo), lambda bench: jobs.chains(bench, user, heads))
    for organisation, chain in found.items():
        state = f"{chain.checked} entries, all in place"
        if not chain.ok:
            state = f"broken at entry {chain.first_bad}: {chain.what}"
        elif known := signed.of(organisation):
            newest = known[max(known)]
            state += f"; signed up to entry {newest.number} on {newest.day}"
        else:
            state += "; no head was signed: what may be missing at the end cannot be seen"
        typer.echo(f"organisation {organisation}: {state}")
    if signed.stamped:
        typer.echo(f"{signed.stamped} signed heads have a time stamp that holds")
    for problem in signed.problems:
        typer.echo(f"signed heads: {problem}")
    if signed.problems or not all(chain.ok for chain in found.values()):
        raise SystemExit(REFUSED)


@audit.command("export")
def export_audit(
    ocsf: Annotated[bool, typer.Option("--ocsf", help="As OCSF events.")] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Write every call and every change of administration as a JSON line."""
    from bancada import jobs

    for line in _work(_settings(data, demo), lambda bench: jobs.audit_lines(bench, user, ocsf)):
        typer.echo(json.dumps(line, ensure_ascii=False))


@policy.callback()
def _policy() -> None:
    """Rules for tools."""


@policy.command("try")
def try_policy(
    rule: Annotated[
        Path,
        typer.Argument(help="JSON: tool, and what a level would say of it.", show_default=False),
    ],
    since: Annotated[
        str | None, typer.Option("--since", help="How far back: 12h, 30d, 8w.", show_default="30d")
    ] = None,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Say what a rule would have done to recorded calls; nothing changes."""
    from bancada import trials

    found = _work(_settings(data, demo), lambda bench: trials.try_rule(bench, user, rule, since))
    for line in found:
        typer.echo(line)


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
    """Say whether the database is up to date and answers; changes nothing."""
    from bancada.store.upgrade import HEAD, revision_at

    at = asyncio.run(revision_at(_settings(data, demo).url))
    if at != HEAD:
        _stop(
            f"The database is at {at or 'nothing'}; run `bancada db upgrade` for {HEAD}.", REFUSED
        )
    typer.echo(f"The database is at {at}, as it should be.")


@cli.command()
def retention(
    days: Annotated[
        float | None,
        typer.Option(help="Unused for so many days; default: BANCADA_RETENTION_DAYS.", min=0.001),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove them; without it nothing is changed.")
    ] = False,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Tell which conversations are kept no longer, and remove them only with --remove."""
    from datetime import UTC, datetime

    settings = _settings(data, demo)
    limit = days or settings.retention_days
    if limit is None:
        _stop("Say how many days with --days, or set BANCADA_RETENTION_DAYS.", BAD_USAGE)

    async def job(bench: Workbench) -> list[Unused]:
        if remove:
            return await bench.retention.remove(limit, via="terminal")
        return await bench.retention.due(limit)

    found = _work(settings, job)
    for one in found:
        used = datetime.fromtimestamp(one.updated_at, UTC).isoformat(" ", "minutes")
        typer.echo(f"{one.id}  {one.email}  last used {used}  data sets: {one.datasets}")
    typer.echo(f"{len(found)} {'removed' if remove else 'would be removed; nothing was changed'}.")


@cli.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the archive; must not exist.")],
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Write the whole installation to one file, while it runs. The file holds secrets."""
    from bancada import backups

    settings = _settings(data, demo)
    made = backups.backup(settings, file)
    typer.echo(f"{file}: {len(made.parts)} parts, each checked.")
    for name in made.missing:
        typer.echo(f"Removed while the backup was made, and not in it: {name}", err=True)
    if made.elsewhere:
        typer.echo(
            f"Not in it: {made.elsewhere} files of people that are in {settings.file_store}. "
            "Keep them there, with the bucket's own versions or copies."
        )
    typer.echo(
        "It holds the database, the files of people, password hashes and the keys of the data "
        "folder: whoever can read it can read everything. Keys that come from the environment "
        "(JWT_SECRET, BANCADA_SECRET_KEY) are not in it; keep them elsewhere."
    )


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(help="An archive that `bancada backup` wrote.")],
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Put a backup back, into an empty data folder and database; checks it and its audit."""
    from bancada import backups

    settings = _settings(data, demo)
    done = backups.restore(settings, file)
    typer.echo(f"{done.parts} parts are in {settings.data}, as they were.")
    bad = [one for one in done.chains if not one.ok]
    for one in bad:
        typer.echo(f"The audit of organisation {one.organisation_id}: {one.what}.", err=True)
    for problem in done.problems:
        typer.echo(problem, err=True)
    if bad or done.problems:
        raise SystemExit(REFUSED)
    typer.echo(f"The audit is whole: {sum(one.checked for one in done.chains)} entries.")


Organisation = Annotated[
    str | None,
    typer.Option("--organisation", help="Whose graph; default: the person's.", show_default=False),
]


@graph.command("import")
def import_graph(
    nodes: Annotated[Path, typer.Argument(help="CSV or Parquet: id, label, name, …")],
    edges: Annotated[Path, typer.Argument(help="CSV or Parquet: source, target, type, …")],
    words: Annotated[
        Path | None, typer.Option(help="What people call labels: word, language, singular, plural.")
    ] = None,
    containment: Annotated[
        list[str] | None,
        typer.Option(help="TYPE[:up|:down], a relation that means “is in”. Default: proposed."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the graph.")] = None,
    organisation: Organisation = None,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Replace an organisation's graph by that of two files; a mistake in them changes nothing."""
    from bancada.packs.graph.importer import ImportFailed, Progress, Source, current_graph
    from bancada.packs.graph.importer import import_graph as bring_in

    settings = _settings(data, demo)
    folder = _graph_folder(settings, user, organisation)
    before = current_graph(folder)
    source = Source(
        nodes=nodes,
        edges=edges,
        words=words,
        name=name or nodes.resolve().parent.name or nodes.stem,
        containment=tuple(containment or ()),
    )
    with typer.progressbar(length=100, label="Importing", file=sys.stderr) as bar:

        def report(progress: Progress) -> None:
            bar.label = progress.stage
            bar.update(max(0, round(100 * progress.done) - bar.pos))

        try:
            imported = bring_in(source, folder, report)
        except ImportFailed as failure:
            _stop(f"Nothing was imported.\n{failure}", REFUSED)
    _record_graph(settings, user, organisation, before, imported)
    typer.echo(f"{imported.nodes} nodes and {imported.edges} edges.")
    _say_containment(imported.about.hierarchy)


@graph.command("show")
def show_graph(
    organisation: Organisation = None, data: Data = None, demo: Demo = False, user: User = None
) -> None:
    """Say what graph an organisation has, and what counts as containment in it."""
    from bancada.packs.graph.importer import current_graph

    found = current_graph(_graph_folder(_settings(data, demo), user, organisation))
    if found is None:
        _stop("The organisation has no graph.", REFUSED)
    typer.echo(f"{found.about.name}: {found.nodes} nodes and {found.edges} edges.")
    typer.echo("Labels: " + ", ".join(f"{n} ({i.count})" for n, i in found.schema.labels.items()))
    _say_containment(found.about.hierarchy)


@graph.command("containment")
def declare_containment(
    types: Annotated[
        list[str] | None, typer.Argument(help="TYPE[:up|:down] …; none: proposed from the data.")
    ] = None,
    organisation: Organisation = None,
    data: Data = None,
    demo: Demo = False,
    user: User = None,
) -> None:
    """Declare which relations mean “is in”."""
    from bancada.packs.graph.importer import ImportFailed, change_containment, current_graph

    settings = _settings(data, demo)
    folder = _graph_folder(settings, user, organisation)
    before = current_graph(folder)
    try:
        about = change_containment(folder, types or ())
    except ImportFailed as failure:
        _stop(str(failure), REFUSED)
    if about is None:
        _stop("The organisation has no graph.", REFUSED)
    _record_graph(settings, user, organisation, before, current_graph(folder))
    _say_containment(about.hierarchy)


def _record_graph(
    settings: Settings,
    user: str | None,
    organisation: str | None,
    before: Imported | None,
    after: Imported | None,
) -> None:
    from bancada import jobs
    from bancada.packs.graph.importer import facts

    change = (facts(before), facts(after))
    _work(settings, lambda bench: jobs.data_changed(bench, user, organisation, "graph", change))


def _graph_folder(settings: Settings, user: str | None, organisation: str | None) -> Path:
    from bancada import jobs
    from bancada.engine.packs import left_out
    from bancada.packs.graph.shelf import of_organisation

    if "graph" in left_out(settings.use_packs):
        _stop("The pack graph is left out here: add it to BANCADA_PACKS.", REFUSED)
    id = _work(settings, lambda bench: jobs.organisation_called(bench, user, organisation))
    return of_organisation(settings.data / "packs" / "graph", id)


def _say_containment(hierarchy: Hierarchy) -> None:
    if hierarchy.taken:
        typer.echo("Containment, what counts as “in”:")
    else:
        typer.echo("No relation counts as containment: declare with `bancada graph containment`.")
    for one in hierarchy.taken:
        guess = "guessed: " if one.guessed else ""
        typer.echo(f"  {one.type}:{one.direction}  {guess}{one.why}")
    for other in hierarchy.left_out:
        typer.echo(f"  not {other.type}: {other.why}")


@graph.callback()
def _graph() -> None:
    """The graphs of the organisations."""


# ---------------------------------------------------------------------------- secrets


@secrets.command("rotate")
def rotate_secrets(data: Data = None, demo: Demo = False, user: User = None) -> None:
    """Seal every secret with a new key; a server that runs goes on."""
    from bancada import jobs

    settings = _settings(data, demo)
    found = _work(settings, jobs.rotate_secrets)
    typer.echo(f"{found} secrets are sealed with the new key.")
    if settings.secret_key:
        typer.echo("Keep only the first key of BANCADA_SECRET_KEY from now on.")
