"""What is wrong with a provider, in sentences, before people are sent to it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bancada.domain.errors import BadAnswer
from bancada.domain.wording import Wording
from bancada.server.oidc.flow import BegunSignIn, redeemed
from bancada.server.oidc.provider import IdentityProvider, Metadata

State: TypeAlias = Literal["ok", "note", "missing"]


@dataclass(frozen=True)
class SignInFinding:
    """One thing that was looked at."""

    status: State
    says: Wording


async def examined(
    provider: IdentityProvider, organisations: Collection[int | str], callback: str, home: str
) -> list[SignInFinding]:
    """Ask the provider now, and hold what it says against what is configured."""
    rules = provider.settings
    named = rules.organisations.values() or (rules.organisation,)
    found = [
        SignInFinding("missing", Wording("sign_in_no_organisation", name=one))
        for one in named
        if one not in organisations
    ]
    try:
        metadata = await provider.refresh()
        found.append(SignInFinding("ok", Wording("sign_in_discovery", issuer=rules.issuer)))
        keys = await provider.keys(anew=True)
        found.append(SignInFinding("ok", Wording("sign_in_keys", count=len(keys.keys))))
    except BadAnswer as problem:
        return [*found, SignInFinding("missing", problem.wording)]
    found += _protocol(provider, metadata)
    found.append(await _client(provider, metadata, callback))
    found += _claims(provider, metadata)
    found.append(SignInFinding("note", Wording("sign_in_register", callback=callback, home=home)))
    if not rules.enabled:
        found.append(SignInFinding("note", Wording("sign_in_off", name=provider.name)))
    return found


def _protocol(provider: IdentityProvider, metadata: Metadata) -> list[SignInFinding]:
    found = []
    if "code" not in metadata.listed("response_types_supported"):
        found.append(SignInFinding("missing", Wording("sign_in_no_code")))
    if not metadata.algorithms:
        found.append(SignInFinding("missing", Wording("sign_in_no_algorithm")))
    if "S256" not in metadata.listed("code_challenge_methods_supported"):
        found.append(SignInFinding("note", Wording("sign_in_no_pkce")))
    if metadata.address("end_session_endpoint") is None:
        found.append(SignInFinding("note", Wording("sign_in_no_end")))
    offered = metadata.listed("scopes_supported")
    lacking = [one for one in provider.settings.scopes if offered and one not in offered]
    if lacking:
        found.append(SignInFinding("note", Wording("sign_in_scopes", names=", ".join(lacking))))
    return found


async def _client(provider: IdentityProvider, metadata: Metadata, callback: str) -> SignInFinding:
    """Whether the provider knows us: a code that is none is refused in another way than a client."""
    try:
        none = BegunSignIn.now(provider.name, "en")
        await redeemed(provider, metadata, "none", none, callback)
    except BadAnswer as problem:
        said = str(problem.wording.parts.get("problem", ""))
        if said in ("invalid_grant", "invalid_request"):
            return SignInFinding("ok", Wording("sign_in_client"))
        return SignInFinding("missing", Wording("sign_in_no_client", problem=problem.wording))
    return SignInFinding("missing", Wording("sign_in_any_code"))


def _claims(provider: IdentityProvider, metadata: Metadata) -> list[SignInFinding]:
    rules, found = provider.settings, []
    offered = metadata.listed("claims_supported")
    if not rules.roles:
        found.append(SignInFinding("note", Wording("sign_in_no_roles")))
    elif offered and rules.groups_claim.split(".")[0] not in offered:
        found.append(SignInFinding("note", Wording("sign_in_no_groups", claim=rules.groups_claim)))
    if offered and "email_verified" not in offered and not rules.trust_email:
        found.append(SignInFinding("note", Wording("sign_in_unverified")))
    return found
