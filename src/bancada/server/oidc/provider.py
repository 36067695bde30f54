"""A provider as it describes itself: its discovery document and its keys, asked for when needed.

Everything goes through the one egress client. The operator named the issuer, so it may stand in
a private network; what its document leads to must be at the same place, or public, and https.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from authlib.oidc.discovery import get_well_known_url
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, KeySet

from bancada.custom.addresses import AllowedHost
from bancada.custom.egress import Egress, EgressLimits, EgressRefused, Outgoing
from bancada.domain.errors import BadAnswer
from bancada.domain.json import JSONObject, loads
from bancada.settings import OidcSettings

KEPT_SECONDS = 3600.0
"""How long what a provider says of itself is believed. Keys are asked for again at once where
a signature does not fit those we have."""
LIMITS = EgressLimits(seconds=10.0, body_bytes=1_000_000, sent_bytes=20_000, redirects=0)
ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""How a token may be signed: never with a secret that both sides know, never not at all."""
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
OPTIONAL = ("userinfo_endpoint", "end_session_endpoint")


@dataclass(frozen=True)
class Metadata:
    """What the discovery document says, checked."""

    said: Mapping[str, Any]

    def address(self, name: str) -> str | None:
        found = self.said.get(name)
        return found if isinstance(found, str) else None

    def listed(self, name: str) -> list[str]:
        found = self.said.get(name)
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    @property
    def algorithms(self) -> list[str]:
        return sorted(ALGORITHMS & set(self.listed("id_token_signing_alg_values_supported")))

    @property
    def sends_issuer(self) -> bool:
        """Whether each answer says who answers (RFC 9207)."""
        return self.said.get("authorization_response_iss_parameter_supported") is True


class IdentityProvider:
    """One provider; what it says is kept for a while, and asked for once by many."""

    def __init__(self, name: str, settings: OidcSettings) -> None:
        self.name = name
        self.settings = settings
        self.label = settings.label or name
        self._home = _place(settings.issuer)
        self._egress = Egress(limits=LIMITS, named_hosts=[(self._home.host, self._home.port)])
        self._metadata: tuple[float, Metadata] | None = None
        self._keys: tuple[float, KeySet] | None = None

    async def metadata(self) -> Metadata:
        """Raises `BadAnswer` where the provider cannot be asked, or says what cannot be."""
        if self._metadata is None or self._metadata[0] < time.monotonic() - KEPT_SECONDS:
            return await self.refresh()
        return self._metadata[1]

    async def refresh(self) -> Metadata:
        """Ask now, whatever is kept."""
        self._metadata = (time.monotonic(), await self._discover())
        return self._metadata[1]

    async def _discover(self) -> Metadata:
        issuer = self.settings.issuer
        said = await self.asked(get_well_known_url(issuer, external=True))
        if said.get("issuer") != issuer:
            raise BadAnswer("provider_other_issuer", issuer=issuer, said=said.get("issuer"))
        for name in (*ENDPOINTS, *OPTIONAL):
            self._check_address(name, said)
        return Metadata(said)

    def _check_address(self, name: str, said: JSONObject) -> None:
        address = said.get(name)
        if address is None and name in OPTIONAL:
            return
        if not isinstance(address, str):
            raise BadAnswer("provider_lacks", name=name)
        if urlsplit(address).scheme != "https" and _place(address) != self._home:
            raise BadAnswer("provider_not_https", name=name)

    async def keys(self, *, anew: bool = False) -> KeySet:
        """The keys it signs with; `anew`, those of this moment."""
        if anew or self._keys is None or self._keys[0] < time.monotonic() - KEPT_SECONDS:
            metadata = await self.metadata()
            said = await self.asked(metadata.address("jwks_uri") or "")
            self._keys = (time.monotonic(), _key_set(said))
        return self._keys[1]

    async def asked(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> JSONObject:
        """The JSON object at an address of the provider's. Raises `BadAnswer`."""
        request = Outgoing(
            method=method,
            url=url,
            places=[_place(url)],
            headers={"Accept": "application/json", **(headers or {})},
            body=body,
        )
        try:
            answer = await self._egress.send(request)
            said = loads(answer.body)
        except EgressRefused as error:
            raise BadAnswer("provider_unreachable", name=self.label, problem=str(error)) from None
        except ValueError:
            said = None
        if answer.status != 200 or not isinstance(said, dict):
            problem = said.get("error") if isinstance(said, dict) else None
            where = urlsplit(url).path[:100]
            raise BadAnswer(
                "provider_answered",
                name=self.label,
                where=where,
                status=answer.status,
                problem=str(problem or "")[:100],
            )
        return said


class IdentityProviders:
    """Those that are configured; what each says is kept with it."""

    def __init__(self, settings: Mapping[str, OidcSettings]) -> None:
        self._all = {name: IdentityProvider(name, one) for name, one in settings.items()}

    def __iter__(self) -> Iterator[IdentityProvider]:
        return iter(self._all.values())

    def get(self, name: str | None) -> IdentityProvider | None:
        return self._all.get(name or "")

    @property
    def enabled(self) -> list[IdentityProvider]:
        return [one for one in self._all.values() if one.settings.enabled]


def _place(url: str) -> AllowedHost:
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = 0
    return AllowedHost(parts.scheme, parts.hostname or "", port)


def _key_set(said: JSONObject) -> KeySet:
    """The keys that can be used to check a signature; one that we do not know spoils no other."""
    found = []
    keys = said.get("keys")
    for key in keys if isinstance(keys, list) else []:
        if isinstance(key, dict) and key.get("kty") != "oct" and key.get("use", "sig") == "sig":
            try:
                found.append(JWKRegistry.import_key(key))
            except (JoseError, ValueError, TypeError):
                continue
    if not found:
        raise BadAnswer("provider_no_keys")
    return KeySet(found)
