"""What a directory sees: users and groups with the attributes that are used here, and no others.

What it sends beside them is taken and not kept: the answer shows what was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Email,
    ETag,
    Filter,
    GroupMembership,
    InvalidValueException,
    Meta,
    Mutability,
    Name,
    Patch,
    Reference,
    Required,
    Resource,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
    User,
)

from bancada.domain.people import Language
from bancada.engine.directory import DirectoryEntry
from bancada.store.people import LOCAL, REMOVED

MOST_RESULTS = 200
KEPT = ("name", "display_name", "emails", "preferred_language")
LONGEST = 320
GROUP = "g"
SILENT = "active removed"
"""The directory took back what it said of `active`: the account stays, and it is not shown."""

POLICY = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    # As the largest directory sends them.
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)


class DirectoryUser(Resource[Any]):
    """A person."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The directory's name for them; what they sign in as where no address is given."""
    name: Name | None = None
    Name: ClassVar[type[ComplexAttribute]] = Name
    display_name: str | None = None
    preferred_language: str | None = None
    active: bool | None = None
    """Whether they may sign in; who may not is out at once."""
    emails: list[Email] | None = None
    """The primary one is the address of the account."""
    Emails: ClassVar[type[ComplexAttribute]] = Email
    groups: Annotated[list[GroupMembership] | None, Mutability.read_only] = None
    Groups: ClassVar[type[ComplexAttribute]] = GroupMembership


class DirectoryMember(ComplexAttribute):
    """Somebody in a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The id of a user."""
    ref: Annotated[Reference[User[Any]] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])


class DirectoryGroup(Resource[Any]):
    """A group: what a role is given by."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true] = None
    members: list[DirectoryMember] | None = None
    Members: ClassVar[type[ComplexAttribute]] = DirectoryMember


CONFIG = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=MOST_RESULTS),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=True),
    etag=ETag(supported=False),
    authentication_schemes=[
        AuthenticationScheme(
            type=AuthenticationScheme.Type.oauthbearertoken,
            name="API key",
            description="An administrator's API key with the scope scim, as a bearer token.",
            primary=True,
        )
    ],
)
SERVICE = ScimProvider(models=[DirectoryUser, DirectoryGroup], config=CONFIG, policy=POLICY)


# ---------------------------------------------------------------------------- from rows


def group_id(number: int) -> str:
    """A group's id; no user has the same, because both can be looked for together."""
    return f"{GROUP}{number}"


def user_shown(row: Any, groups: Sequence[Any], base: str) -> DirectoryUser:
    kept = row.attributes or {"displayName": row.name}
    if not kept.get("emails") and "@" in row.email:
        kept = {**kept, "emails": [{"value": row.email, "type": "work", "primary": True}]}
    said = {
        **kept,
        "id": str(row.id),
        "userName": row.user_name or row.email,
        "externalId": row.external_id,
        "active": bool(row.is_active),
    }
    if said.pop(SILENT, False):
        del said["active"]
    with SERVICE:
        shown = DirectoryUser.model_validate(said)
        shown.meta = _meta(row, "User", f"{base}Users/{row.id}")
        shown.groups = [
            GroupMembership.model_validate(
                {
                    "value": group_id(one.id),
                    "display": one.display_name,
                    "$ref": f"{base}Groups/{group_id(one.id)}",
                }
            )
            for one in groups
        ] or None
    return shown


def group_shown(row: Any, members: Sequence[Any], base: str) -> DirectoryGroup:
    id = group_id(row.id)
    shown = DirectoryGroup(id=id, display_name=row.display_name, external_id=row.external_id)
    shown.meta = _meta(row, "Group", f"{base}Groups/{id}")
    shown.members = [
        DirectoryMember.model_validate(
            {
                "value": str(one.id),
                "type": "User",
                "$ref": f"{base}Users/{one.id}",
            }
        )
        for one in members
    ] or None
    return shown


def _meta(row: Any, kind: str, location: str) -> Meta:
    return Meta(
        resource_type=kind,
        created=datetime.fromtimestamp(row.created_at, UTC),
        last_modified=datetime.fromtimestamp(row.changed_at or row.created_at, UTC),
        location=location,
    )


# ---------------------------------------------------------------------------- to what is kept


def entry_of(user: DirectoryUser) -> DirectoryEntry:
    """What a user resource means for an account. Raises `InvalidValueException`."""
    user_name = (user.user_name or "").strip()
    address = (_address(user.emails or []) or user_name).lower()
    for text in (user_name, address):
        reserved = text.lower() == LOCAL or text.lower().startswith(REMOVED)
        if not text or reserved or len(text) > LONGEST:
            raise InvalidValueException(detail=f"{text[:60]!r} cannot be the name of an account.")
    said = user.model_dump(include=set(KEPT), exclude_none=True)
    said.pop("schemas", None)
    if user.active is None:
        said[SILENT] = True
    return DirectoryEntry(
        user_name=user_name,
        address=address,
        name=_name(user) or address.split("@")[0],
        language=_language(user.preferred_language),
        is_active=user.active,
        external_id=user.external_id,
        attributes=said,
    )


def _address(emails: Sequence[Email]) -> str | None:
    """The primary address, else that of work, else the first."""
    with_value = [one for one in emails if one.value]
    ranked = sorted(with_value, key=lambda one: (not one.primary, one.type != "work"))
    return str(ranked[0].value).strip() if ranked else None


def _name(user: DirectoryUser) -> str:
    parts = user.name
    both = f"{parts.given_name or ''} {parts.family_name or ''}".strip() if parts else ""
    found = user.display_name or (parts.formatted if parts else None) or both
    return (found or "").strip()[:120]


def _language(said: str | None) -> Language | None:
    start = (said or "").lower()[:2]
    return "pt" if start == "pt" else "en" if start == "en" else None
