"""Sections of `bancada.toml` that have a shape of their own: providers, databases, other servers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bancada.domain.people import RoleName


class DatabaseSettings(BaseModel):
    """A database for SQL tools: where it is, and whose."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = Field(repr=False)
    """`postgresql://…` or `sqlite:////path`."""
    organisation: int | str
    """The id or the name of the one organisation whose tools may use it."""


class ProviderSettings(BaseModel):
    """Somewhere that models are: how it is reached, what it costs, and what may go there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["anthropic", "bedrock", "vertex", "foundry", "compatible"] = "compatible"
    """The vendor's API, its variant at a cloud, or any server that speaks the Messages API."""
    base_url: str | None = None
    api_key: str | None = Field(default=None, repr=False)
    """Sent as a bearer token, to `compatible` servers as `x-api-key` too; `env:NAME` reads it from
    the environment."""
    auth_token: str | None = Field(default=None, repr=False)
    """Sent as a bearer token only; `env:NAME` likewise."""
    models: list[str] = []
    """The models it serves, the one for agents that name none first; none: whatever is asked for."""
    prices: dict[str, dict[str, float]] = {}
    """Dollars for a million tokens, by model; `*` stands for every other."""
    concurrency: int | None = Field(default=None, ge=1)
    """Replies that may be under way there at once; others wait."""
    rpm: int | None = Field(default=None, ge=1)
    """Requests in a minute."""
    tpm: int | None = Field(default=None, ge=1)
    """Tokens in a minute, read and written."""
    max_context: int | None = Field(default=None, ge=1024)
    """Tokens that a request may hold: results are cut shorter, and what is over is not sent."""
    outside_data: bool = True
    """Whether uploads, documents and what came from other systems may go there."""
    organisations: list[int | str] = []
    """Whose questions may go there, by id or name; none: everybody's."""
    agents: list[str] = []
    """Whose agents' questions may go there, by name; none: every agent's."""
    default_for: list[int | str] = []
    """Organisations whose agents ask here unless they name another."""
    region: str | None = None
    """The cloud's region (`bedrock`, `vertex`)."""
    project: str | None = None
    """The project at Google (`vertex`)."""
    resource: str | None = None
    """The resource at Azure (`foundry`)."""
    profile: str | None = None
    """A profile of the AWS configuration (`bedrock`)."""

    @model_validator(mode="after")
    def _can_be_reached(self) -> ProviderSettings:
        if self.kind == "compatible" and not self.base_url:
            raise ValueError("a provider of the kind compatible needs a base_url")
        if self.api_key and self.auth_token:
            raise ValueError("a provider has an api_key or an auth_token, not both")
        return self


class OidcSettings(BaseModel):
    """A provider that people sign in with: who somebody is, is its word; what they may is ours."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issuer: str
    """As the provider spells it; its discovery document is found under it."""
    client_id: str
    client_secret: str | None = Field(None, repr=False)
    """Or `BANCADA_OIDC_NAME_CLIENT_SECRET` in the environment; none for a public client."""
    label: str = ""
    """What its button says; default: its name."""
    enabled: bool = True
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    groups_claim: str = "groups"
    """The claim that lists somebody's groups; with dots, one inside another."""
    roles: dict[str, RoleName] = {}
    """The role each group gives; of several the highest. Without any, roles stay a local matter."""
    default_role: RoleName | None = None
    """For who is in none of those groups; without it they are not let in."""
    organisation: int | str = 1
    """The id or the name of the organisation its people belong to."""
    organisations: dict[str, int | str] = {}
    """The organisation each group belongs to, where the provider serves several."""
    organisation_claim: str | None = None
    """Another claim than that of groups to look `organisations` up by."""
    create: bool = True
    """Whether a first sign-in makes the account."""
    join: bool = True
    """Whether a first sign-in takes over the account with the same address, if it has no other
    subject."""
    trust_email: bool = False
    """Take its addresses for verified although it does not say so (`email_verified`)."""

    @field_validator("issuer")
    @classmethod
    def _over_tls(cls, given: str) -> str:
        url = urlsplit(given)
        here = url.hostname in ("127.0.0.1", "::1", "localhost")
        if not url.hostname or not (url.scheme == "https" or (url.scheme == "http" and here)):
            raise ValueError("an issuer is an https address")
        return given

    @field_validator("scopes")
    @classmethod
    def _with_openid(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        return given if "openid" in given else ("openid", *given)


class SmtpSettings(BaseModel):
    """The server that e-mail is sent through."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    port: int = Field(587, ge=1, le=65535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str | None = None
    password: str | None = Field(None, repr=False)
    """Or `BANCADA_SMTP_PASSWORD` in the environment."""
    sender: str
    """Whom it comes from."""


class NoticeSettings(BaseModel):
    """Where people may be told what waits for them: the operator's word, within which each chooses."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schemes: tuple[str, ...] = (
        "slack",
        "workflows",
        "gchat",
        "discord",
        "tgram",
        "webex",
        "mmosts",
        "rockets",
        "matrixs",
        "nctalks",
        "ntfys",
    )
    """Chat services, by the word their addresses begin with; none: no chat. Those without encryption
    (`mmost`, `rocket`, `matrix`, `nctalk`, `ntfy`) must be named."""
    hosts: tuple[str, ...] = ()
    """Where services are that people host themselves, also inside the network; none: any public host."""
    email_domains: tuple[str, ...] = ()
    """Whose addresses e-mail goes to; none: anybody's."""
    delay_seconds: float = Field(default=60.0, ge=0)
    """How long something may be dealt with before anybody is told where they are."""
    smtp: SmtpSettings | None = None
    """Without it there is no e-mail."""


class McpSettings(BaseModel):
    """A server of others, for one organisation: an address, or a program of this machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    organisation: int | str
    """The id or the name of the one organisation that has it."""
    url: str | None = None
    headers: dict[str, str] = Field({}, repr=False)
    """What every request says: a key, for example."""
    credentials: Literal["none", "shared", "person"] = "none"
    """Whose sign-in calls are made with."""
    command: list[str] = []
    """The program and its arguments, in place of `url`."""
    walls: bool | None = None
    """Whether the program runs behind the jail's outer wall. Without the wall it may do all that the
    server itself may; that has to be written down."""
    folders: list[Path] = []
    """What a program behind the wall may read beside its libraries."""
    env: dict[str, str] = Field({}, repr=False)
    cwd: Path | None = None

    @model_validator(mode="after")
    def _is_one_of_two(self) -> Self:
        if (self.url is None) == (not self.command):
            raise ValueError("a server has a url or a command, one of the two")
        if self.command and self.walls is None:
            raise ValueError(
                "say walls = true (no network, no files but its libraries and folders) or "
                "walls = false (it may do all that this server may)"
            )
        if self.url is not None and (self.walls is not None or self.env or self.cwd):
            raise ValueError("walls, env and cwd are for a command")
        return self
