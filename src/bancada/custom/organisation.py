"""What an organisation gives its custom tools (hosts, secrets, who may define them), and its packs.

Kept in the organisation's settings:

    "custom_tools": "off" | "admins" | "users"
    "egress": ["api.example.com", "*.example.org", "http://intranet.example:8080"]
    "secrets": {"CRM_TOKEN": "…"}
    "tables": {"defeitos": {"database": "erp", "table": "production.defects"}}

Databases are not among them: the operator names those, with whose they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    model_validator,
)

from bancada.custom.addresses import AllowedHost, places
from bancada.custom.databases import NamedDatabase
from bancada.domain.errors import misfit
from bancada.domain.json import JSONObject
from bancada.domain.shapes import AnyJSON, PlainName, Shape, fitted, passing

Makers: TypeAlias = Literal["off", "admins", "users"]
HIDDEN = "••••"

Host = Annotated[str, AfterValidator(passing(AllowedHost.read))]
Secret = Annotated[str, StringConstraints(min_length=1)]


class TableSource(Shape):
    """A table of a pack that the organisation keeps in a database of its own."""

    database: str
    """One of those that the operator named for the organisation."""
    table: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """`defects`, or `production.defects`; a name is written as the database has it."""
    columns: dict[PlainName, Annotated[str, StringConstraints(min_length=1, max_length=200)]] = (
        Field(default_factory=dict)
    )
    """What is read, by the name it has here; without any, the columns that the pack knows."""


class OrganisationSettings(BaseModel):
    """An organisation's settings: these are known; others are kept as they are."""

    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, AnyJSON]

    custom_tools: Makers | None = None
    """Who may define tools: nobody, administrators (also when absent), everybody."""
    egress: list[Host] | None = None
    """Hosts that HTTP tools may reach: `api.example.com`, `*.example.org`, `http://host:8080`."""
    secrets: dict[PlainName, Secret | None] | None = None
    """By name; they are written and used, never shown."""
    outside_content_writes: Literal["ask", "allow"] | None = None
    """What calls that write do once text from outside is in the turn; absent: ask."""

    tables: dict[PlainName, TableSource | None] | None = None
    """Tables of packs that are read from a database of the organisation: the defect log, `defeitos`."""

    @model_validator(mode="after")
    def _names_no_databases(self) -> Self:
        if self.__pydantic_extra__.get("databases"):
            raise misfit("databases_by_operator")
        return self


_SETTINGS = TypeAdapter(OrganisationSettings)


@dataclass(frozen=True, kw_only=True)
class CustomToolSettings:
    """One organisation's settings for custom tools, read and checked."""

    makers: Makers = "admins"
    places: tuple[AllowedHost, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    databases: Mapping[str, NamedDatabase] = field(default_factory=dict)
    unnamed: frozenset[str] = frozenset()
    """Databases that the settings still hold from before: nothing runs on them."""


def means_of(
    settings: JSONObject, databases: Mapping[str, NamedDatabase] | None = None
) -> CustomToolSettings:
    """`databases` are those the operator named for this organisation. Raises `Invalid` with the reason when a setting cannot be used."""
    read = check_settings({name: one for name, one in settings.items() if name != "databases"})
    return CustomToolSettings(
        makers=read.custom_tools or "admins",
        places=places(read.egress or ()),
        secrets={name: value for name, value in (read.secrets or {}).items() if value},
        databases=databases or {},
        unnamed=frozenset(carried_over(settings)) - set(databases or ()),
    )


def check_settings(settings: JSONObject) -> OrganisationSettings:
    """The settings in their shape. Raises `Invalid` that names what cannot be used."""
    return fitted(_SETTINGS, settings)


def carried_over(settings: JSONObject) -> list[str]:
    """Names of databases that an organisation gave itself before the operator named them."""
    kept = settings.get("databases")
    return sorted(kept) if isinstance(kept, dict) else []


def hidden(settings: JSONObject) -> JSONObject:
    """The settings as a person may read them: names of secrets, never their values."""
    shown = dict(settings)
    if isinstance(shown.get("secrets"), dict):
        shown["secrets"] = dict.fromkeys(shown["secrets"], HIDDEN)
    shown.pop("databases", None)
    return shown


def merged(before: JSONObject, after: JSONObject) -> JSONObject:
    """Changed settings, where what came back hidden stays what it was."""
    kept = dict(after)
    old = before.get("secrets")
    if isinstance(kept.get("secrets"), dict) and isinstance(old, dict):
        kept["secrets"] = {
            name: old[name] if name in old and value == HIDDEN else value
            for name, value in kept["secrets"].items()
        }
    return kept
