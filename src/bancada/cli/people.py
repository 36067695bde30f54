"""`bancada users` and `bancada keys`: who is let in, and with what."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from bancada.cli.invocation import BAD_USAGE, Data, Demo, Invocation, command, group, stop

users = group("People and their roles.")
keys = group("API keys.")


@command(users, "add")
def add_user(
    call: Invocation,
    email: str,
    role: Annotated[str, typer.Option(help="operador, responsavel or admin.")],
    name: Annotated[str | None, typer.Option(help="Default: the address's first part.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
) -> None:
    """Add somebody; prints a one-time link to set a password unless one comes on standard input."""
    from bancada import jobs
    from bancada.domain.errors import Invalid
    from bancada.domain.people import ROLES
    from bancada.engine.passwords import check_password

    if role not in ROLES:
        stop(f"The role is one of {', '.join(ROLES)}.", BAD_USAGE)
    if "@" not in email:
        stop(f"{email} is not an address.", BAD_USAGE)
    settings = call.settings
    password = _password() if password_stdin else None
    try:
        if password is not None:
            check_password(password, email, demo=settings.demo)
    except Invalid as error:
        stop(str(error), BAD_USAGE)
    link = call.work_as(jobs.add_person, email=email, name=name, role=role, password=password)
    typer.echo(f"Added {email} as {role}.")
    if link is not None:
        typer.echo(f"To set a password, once: http://{settings.host}:{settings.port}{link}")


def _password() -> str:
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


@command(users, "list")
def list_users(call: Invocation) -> None:
    """Everybody in the organisation."""
    from bancada import jobs

    for person in call.work_as(jobs.people_beside):
        state = "" if person.is_active else "  (disabled)"
        typer.echo(f"{person.id:>5}  {person.email:<32} {person.role:<12} {person.name}{state}")


@command(users, "disable")
def disable_user(call: Invocation, email: str) -> None:
    """Take somebody's access away, at once."""
    from bancada import jobs

    call.work_as(jobs.disable_person, email)
    typer.echo(f"{email} is disabled.")


# Not with `command`: here `--user` is not who acts, and has to be said.
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
        stop(f"A scope is one of {', '.join(SCOPES)}.", BAD_USAGE)
    new = KeyTerms(name=name, scopes=scopes, limits=KeyLimits(requests, tokens, budget))
    call = Invocation(data, demo, user)
    typer.echo(call.work(lambda bench: jobs.add_key(bench, user, new, days, agent)))


@command(keys, "list")
def list_keys(call: Invocation) -> None:
    """The organisation's keys that count; only their first characters are known."""
    from datetime import UTC, datetime

    from bancada import jobs

    def day(moment: float | None, none: str) -> str:
        return none if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"

    for key in call.work_as(jobs.list_keys):
        scopes = ",".join(key.scopes) or "all"
        ends, used = day(key.expires_at, "no end"), day(key.last_used_at, "never used")
        typer.echo(
            f"{key.id:>5}  {key.prefix}…  {key.email:<28} {scopes:<20} {ends:<12} {used:<12} {key.name}"
        )


@command(keys, "revoke")
def revoke_key(call: Invocation, id: int) -> None:
    """Make a key count no longer, at once."""
    from bancada import jobs

    call.work_as(jobs.revoke_key, id)
    typer.echo(f"Key {id} is revoked.")
