"""Every setting, in one place, with what it is called in the environment."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bancada.settings.sections import (
    DatabaseSettings,
    McpSettings,
    NoticeSettings,
    OidcSettings,
    ProviderSettings,
)

SHORTEST_SECRET = 32
DEFAULT_MODEL = "claude-sonnet-5-5"


class Settings(BaseModel):
    """How this installation runs."""

    model_config = ConfigDict(
        frozen=True, populate_by_name=True, extra="forbid", coerce_numbers_to_str=True
    )

    data: Path = Field(Path("bancada-data"), alias="BANCADA_DATA")
    """The data folder: database, uploads, secrets."""
    database_url: str | None = Field(None, alias="BANCADA_DATABASE_URL")
    """Default: SQLite in the data folder."""
    files: str | None = Field(
        None, alias="BANCADA_FILES", pattern="^(folder|postgres|s3://[^/]+(/.*)?)$"
    )
    """Where data sets, kept files and imports are: `folder` (of the data folder, the default), `postgres`
    (the database; the default of a cluster) or `s3://bucket/prefix`."""
    files_cache_mb: float = Field(10_240.0, alias="BANCADA_FILES_CACHE_MB", gt=0)
    """How much of what is kept elsewhere may lie in the data folder as copies; those in use stay."""
    s3_endpoint: str | None = Field(None, alias="AWS_ENDPOINT_URL")
    """The storage's address; default: the vendor's own."""
    s3_region: str | None = Field(None, alias="AWS_REGION")
    """Its region."""
    s3_access_key_id: str | None = Field(None, alias="AWS_ACCESS_KEY_ID")
    """Who asks; default: whatever the machine itself is allowed."""
    s3_secret_access_key: str | None = Field(None, alias="AWS_SECRET_ACCESS_KEY", repr=False)
    """The key of that identity."""
    demo: bool = Field(False, alias="BANCADA_DEMO")
    """Demo data, agents and users of all packs."""
    host: str = Field("127.0.0.1", alias="BANCADA_HOST")
    """Where to listen; loopback unless said otherwise."""
    port: int = Field(8321, alias="BANCADA_PORT", ge=0, le=65535)
    """0: any free one."""
    workers: int = Field(1, alias="BANCADA_WORKERS", ge=1, le=64)
    """Processes of `bancada serve` on that port; several need Postgres."""
    runner: Literal["local", "cluster"] = Field("local", alias="BANCADA_RUNNER")
    """Who runs a turn: the process that was asked, or whichever takes it from the queue that all
    processes on a Postgres share (extra `cluster`)."""
    anthropic_api_key: str | None = Field(None, alias="ANTHROPIC_API_KEY", repr=False)
    """The provider's key. With no key, token, address or `[providers]` the offline model answers."""
    anthropic_auth_token: str | None = Field(None, alias="ANTHROPIC_AUTH_TOKEN", repr=False)
    """A bearer token instead of a key."""
    anthropic_base_url: str | None = Field(None, alias="ANTHROPIC_BASE_URL")
    """Any server that speaks the Messages API; default: the provider's own."""
    anthropic_model: str = Field(DEFAULT_MODEL, alias="ANTHROPIC_MODEL")
    """The model of agents that name none."""
    model: str | None = Field(None, alias="BANCADA_MODEL")
    """`offline` forces the offline model."""
    providers: dict[str, ProviderSettings] = {}
    """Where models are, by name; `ANTHROPIC_…` makes one called `anthropic`."""
    default_provider: str | None = Field(None, alias="BANCADA_DEFAULT_PROVIDER")
    """Who answers when nothing names another; default: `anthropic`, then the first one named."""
    fallback: list[str] = Field([], alias="BANCADA_FALLBACK")
    """Who is asked, in this order, when a provider does not answer; `keyword` is the offline model."""
    jwt_secret: str | None = Field(None, alias="JWT_SECRET", repr=False)
    """Default: generated on first start, kept in the data folder."""
    secret_key: list[str] = Field([], alias="BANCADA_SECRET_KEY", repr=False)
    """Seals organisations' secrets; several, with commas, while they are exchanged: the first
    seals, all open. Default: generated on first start, kept in the data folder."""
    jwt_expiry_hours: float = Field(8.0, alias="JWT_EXPIRY_HOURS", gt=0)
    """How long a sign-in lasts."""
    local_passwords: bool = Field(True, alias="BANCADA_LOCAL_PASSWORDS")
    """Whether people sign in with passwords kept here; if not, only `break_glass` does."""
    break_glass: str | None = Field(None, alias="BANCADA_BREAK_GLASS")
    """The address of the one account that keeps its password whatever happens to the provider."""
    password_cost: int = Field(3, alias="BANCADA_PASSWORD_COST", ge=1, le=20)
    """Passes of argon2; tests lower it."""
    cors_origins: list[str] = Field([], alias="BANCADA_CORS_ORIGINS")
    """Origins that browsers may call the API from; none unless configured."""
    allowed_hosts: list[str] = Field([], alias="BANCADA_ALLOWED_HOSTS")
    """Names this installation answers to beside those of the machine itself (`bancada.example.com`,
    `*.example.com`)."""
    egress_private: list[str] = Field([], alias="BANCADA_EGRESS_PRIVATE")
    """Addresses (`10.0.0.5:8080`) that HTTP tools may reach although they are not public."""
    max_body_mb: float = Field(2.0, alias="BANCADA_MAX_BODY_MB", gt=0)
    """The largest request that is not an upload."""
    max_gateway_mb: float = Field(32.0, alias="BANCADA_MAX_GATEWAY_MB", gt=0)
    """The largest request to the gateway; the vendor's own limit unless said otherwise."""
    gateway_container_days: float = Field(30.0, alias="BANCADA_GATEWAY_CONTAINER_DAYS", gt=0)
    """How long a client of the gateway may come back to a container."""
    max_upload_mb: float = Field(512.0, alias="BANCADA_MAX_UPLOAD_MB", gt=0)
    """The largest file that is received."""
    result_chars: int = Field(30_000, alias="BANCADA_RESULT_CHARS", ge=1000)
    """Characters of a tool's result that the model reads."""
    deferred_tools_above: int = Field(40_000, alias="BANCADA_DEFERRED_TOOLS_ABOVE", ge=0)
    """Over so many characters of definitions, tools marked for it are found by searching."""
    tool_search: str = Field("auto", alias="BANCADA_TOOL_SEARCH", pattern="^(auto|vendor|ours)$")
    """Who searches deferred tools: the provider, we, or whichever can."""
    confirmation_days: float = Field(7.0, alias="BANCADA_CONFIRMATION_DAYS", gt=0)
    """How long a call waits for a person before it is given up."""
    max_containers: int = Field(64, alias="BANCADA_MAX_CONTAINERS", ge=1)
    """Containers that may live at once."""
    max_containers_per_organisation: int = Field(
        48, alias="BANCADA_MAX_CONTAINERS_PER_ORGANISATION", ge=1
    )
    """… of one organisation; one that rests gives its place up to whoever needs it."""
    max_containers_per_person: int = Field(16, alias="BANCADA_MAX_CONTAINERS_PER_PERSON", ge=1)
    """… of one person."""
    max_turns_per_organisation: int = Field(1_500, alias="BANCADA_MAX_TURNS_PER_ORGANISATION", ge=1)
    """Questions of one organisation that may be under way at once."""
    max_turns_per_person: int = Field(1_000, alias="BANCADA_MAX_TURNS_PER_PERSON", ge=1)
    """… of one person."""
    container_idle_seconds: float = Field(270.0, alias="BANCADA_CONTAINER_IDLE_SECONDS", gt=0)
    """A container nobody used for so long is ended."""
    code_hold_seconds: float = Field(60.0, alias="BANCADA_CODE_HOLD_SECONDS", ge=0)
    """How long code that waits for a person keeps its container."""
    sandbox_tier: str | None = Field(None, alias="BANCADA_SANDBOX_TIER")
    """Force a tier; default: the best this machine has."""
    retention_days: float | None = Field(None, alias="BANCADA_RETENTION_DAYS", gt=0)
    """Conversations that nobody has used for so many days are removed, with their data sets and files;
    default: never. `bancada retention` tells what would go."""
    audit_heads_seconds: float = Field(300.0, alias="BANCADA_AUDIT_HEADS_SECONDS", gt=0)
    """How often the ends of the audit are signed and written down."""
    audit_tsa_url: str | None = Field(None, alias="BANCADA_AUDIT_TSA_URL")
    """A time-stamping authority (RFC 3161) that stamps the signed ends of the audit."""
    audit_tsa_roots: Path | None = Field(None, alias="BANCADA_AUDIT_TSA_ROOTS")
    """The certificates, as PEM, that its stamps must lead to."""
    metrics_key: str | None = Field(None, alias="BANCADA_METRICS_KEY", repr=False)
    """Who reads `/metrics` gives it as a bearer token; without it, only this machine may."""
    log_format: str = Field("text", alias="BANCADA_LOG_FORMAT", pattern="^(text|json)$")
    """Lines for people, or JSON for a collector."""
    log_content: bool = Field(False, alias="BANCADA_LOG_CONTENT")
    """Let questions and answers into the log; secrets never are."""
    retry_seconds: float = Field(1.0, alias="BANCADA_RETRY_SECONDS", ge=0)
    """The first pause before a failed request to the model is tried again."""
    retry_attempts: int = Field(4, alias="BANCADA_RETRY_ATTEMPTS", ge=1, le=20)
    """How often a request to the model is tried before the turn fails."""
    silence_seconds: float = Field(300.0, alias="BANCADA_SILENCE_SECONDS", gt=0)
    """How long a model's server may send nothing, not even a sign of life, before that attempt has
    failed. Raise it where a small machine reads long questions."""
    otlp_endpoint: str | None = Field(None, alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """Where traces and metrics go; nothing is sent unless it is set."""
    otlp_content: bool = Field(False, alias="OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")
    """Let questions, answers and tools' results into traces; without it they never are."""
    prices: dict[str, dict[str, float]] = {}
    """Prices per million tokens by model, over those we know."""
    use_packs: list[str] | None = Field(None, alias="BANCADA_PACKS")
    """Names of the packs to use; default: all that are installed."""
    packs: dict[str, dict[str, str]] = {}
    """Settings of packs, by pack."""
    databases: dict[str, DatabaseSettings] = {}
    """Databases for SQL tools, by the name that a tool's definition uses."""
    oidc: dict[str, OidcSettings] = {}
    """Providers that people sign in with, by the name in their addresses."""
    notices: NoticeSettings = NoticeSettings()
    """Telling people where they are: chat services, and e-mail through `[notices.smtp]`."""
    public_url: str | None = Field(None, alias="BANCADA_PUBLIC_URL")
    """Where people reach this installation (`https://bancada.example.com`): links in notices begin
    with it; default: where it listens."""
    mcp: dict[str, McpSettings] = {}
    """Servers of others whose tools are offered to administrators, by name."""
    max_queries: int = Field(16, alias="BANCADA_MAX_QUERIES", ge=1)
    """Queries of SQL tools that may run at once."""
    max_queries_per_organisation: int = Field(8, alias="BANCADA_MAX_QUERIES_PER_ORGANISATION", ge=1)
    """… of one organisation."""
    max_queries_per_person: int = Field(4, alias="BANCADA_MAX_QUERIES_PER_PERSON", ge=1)
    """… of one person."""

    @field_validator("jwt_secret", "secret_key", "metrics_key")
    @classmethod
    def _long_enough(cls, given: Any) -> Any:
        for one in [given] if isinstance(given, str) else given or ():
            if len(one.encode()) < SHORTEST_SECRET:
                raise ValueError(
                    f"a secret has at least {SHORTEST_SECRET} bytes; "
                    "`openssl rand -base64 48` makes one"
                )
        return given

    @field_validator("egress_private")
    @classmethod
    def _addresses_with_ports(cls, given: list[str]) -> list[str]:
        for one in given:
            try:
                parts = urlsplit(f"//{one}")
                ip_address(parts.hostname or "")
                alone = parts.port is not None and parts.netloc == one
            except ValueError:
                alone = False
            if not alone:
                raise ValueError(f"{one!r} is not an address with its port, such as 10.0.0.5:8080")
        return given

    @model_validator(mode="after")
    def _providers_exist(self) -> Settings:
        known = self.known_providers
        for name in self.providers:
            if "/" in name or name in ("keyword", "offline"):
                raise ValueError(f"a provider cannot be called {name!r}")
        if self.default_provider is not None and self.default_provider not in known:
            raise ValueError(f"there is no [providers.{self.default_provider}]")
        for name in self.fallback:
            if name != "keyword" and name not in known:
                raise ValueError(f"fallback names {name!r}, and there is no [providers.{name}]")
        return self

    @property
    def known_providers(self) -> dict[str, ProviderSettings]:
        """Every provider by name, the one that answers by default first."""
        known = dict(self.providers)
        key, token, address = (
            self.anthropic_api_key,
            self.anthropic_auth_token,
            self.anthropic_base_url,
        )
        if (key or token or address) and "anthropic" not in known:
            own = ProviderSettings(
                kind="compatible" if address else "anthropic",
                base_url=address,
                api_key=None if token else key,
                auth_token=token,
            )
            known = {"anthropic": own, **known}
        first = self.default_provider
        return {first: known[first], **known} if first in known else known

    @field_validator("oidc")
    @classmethod
    def _plain_names(cls, given: dict[str, OidcSettings]) -> dict[str, OidcSettings]:
        for name in given:
            if not re.fullmatch("[a-z0-9][a-z0-9-]{0,39}", name):
                raise ValueError(f"[oidc.{name}]: a name has small letters, digits and hyphens")
        return given

    @model_validator(mode="after")
    def _somebody_comes_in(self) -> Self:
        if not self.local_passwords and not self.break_glass:
            raise ValueError(
                "local_passwords = false needs break_glass, the address of the one account that "
                "keeps its password"
            )
        return self

    def takes_password_of(self, email: str) -> bool:
        """Whether this account may use a password that is kept here."""
        return self.local_passwords or self.is_break_glass(email)

    def is_break_glass(self, email: str) -> bool:
        """Whether it is the account that no provider and no directory may touch."""
        return email.strip().lower() == (self.break_glass or "").strip().lower() != ""

    @property
    def url(self) -> str:
        """The database that is used."""
        return self.database_url or f"sqlite:///{self.data / 'bancada.db'}"

    @property
    def address(self) -> str:
        """What links that are sent to people begin with."""
        return (self.public_url or f"http://{self.host}:{self.port}").rstrip("/")

    @field_validator("public_url")
    @classmethod
    def _an_address(cls, given: str | None) -> str | None:
        if given is not None and urlsplit(given).scheme not in ("http", "https"):
            raise ValueError("an address that begins with https://")
        return given

    @property
    def file_store(self) -> str:
        """Where files that never change are kept."""
        return self.files or ("postgres" if self.runner == "cluster" else "folder")

    @property
    def is_offline(self) -> bool:
        """Whether the offline model answers: it was asked for, or there is no other."""
        return self.model == "offline" or not self.known_providers
