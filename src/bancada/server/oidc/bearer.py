"""Access tokens that a provider issued for us: signed by it, for this very address, and lately.

We are a resource server. A token for somebody else's address is not ours to take, whoever sent it,
and an identity token, which is for a client and not for a resource, is none either.
"""

from __future__ import annotations

import base64
import binascii
import time
from dataclasses import dataclass, field

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwt import JWTClaimsRegistry

from bancada.domain.errors import Forbidden, NotSignedIn
from bancada.domain.json import JSONObject, loads
from bancada.server.oidc.flow import LEEWAY_SECONDS
from bancada.server.oidc.provider import ALGORITHMS, IdentityProvider, IdentityProviders

AGAIN_SECONDS = 30.0
"""How often a token with a strange key makes us ask for the provider's keys; anybody can send one."""


@dataclass(frozen=True)
class Bearer:
    """Of whom a token speaks."""

    issuer: str
    subject: str


@dataclass
class Bearers:
    """Reads tokens of the configured providers."""

    providers: IdentityProviders
    scope: str
    _asked: dict[str, float] = field(default_factory=dict)

    def provider_of(self, token: str) -> IdentityProvider | None:
        """Whose token it says it is; none: not one of a provider's."""
        issuer = _unchecked(token, 1).get("iss")
        return next((one for one in self.providers.enabled if one.settings.issuer == issuer), None)

    async def read(self, provider: IdentityProvider, token: str, resource: str) -> Bearer:
        """Raises `NotSignedIn` for a token that does not count here, `Forbidden` for one that is
        not for this."""
        claims = await self._claims(provider, token)
        rules = JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": provider.settings.issuer},
            aud={"essential": True, "value": resource},
            exp={"essential": True},
            sub={"essential": True},
        )
        try:
            rules.validate(claims)
        except JoseError as error:
            claim = getattr(error, "claim", None) or "exp"
            raise NotSignedIn("provider_token_claim", name=provider.label, claim=claim) from None
        if self.scope not in str(claims.get("scope", "")).split():
            raise Forbidden("not_in_scope", scopes=str(claims.get("scope", "")) or "-")
        return Bearer(provider.settings.issuer, str(claims["sub"]))

    async def _claims(self, provider: IdentityProvider, token: str) -> JSONObject:
        known = await provider.keys()
        strange = _unchecked(token, 0).get("kid") not in {key.kid for key in known.keys}
        due = self._asked.get(provider.name, float("-inf")) + AGAIN_SECONDS
        if strange and time.monotonic() > due:
            self._asked[provider.name] = time.monotonic()
            known = await provider.keys(anew=True)
        try:
            return dict(jwt.decode(token, known, algorithms=sorted(ALGORITHMS)).claims)
        except (JoseError, ValueError):
            raise NotSignedIn("provider_token_signature", name=provider.label) from None


def _unchecked(token: str, part: int) -> JSONObject:
    """A part of a token as it stands there: good for finding the key, and for nothing else."""
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        said = loads(base64.urlsafe_b64decode(parts[part] + "=" * (-len(parts[part]) % 4)))
    except (ValueError, binascii.Error):
        return {}
    return said if isinstance(said, dict) else {}
