"""One sign-in with a provider: asking for a code, exchanging it, and reading what was vouched for.

Between the two, what must fit is in a signed cookie of the browser that began: state, nonce, the
PKCE verifier and the provider's name. A state is tried once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt as tokens
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ClaimError, ExpiredTokenError, JoseError
from joserfc.jwk import KeySet

from bancada.domain.errors import BadAnswer, NotSignedIn
from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.engine.identities import VouchedIdentity
from bancada.server.oidc.provider import IdentityProvider, Metadata

BEGUN_SECONDS = 600.0
"""How long somebody may take at the provider."""
LEEWAY_SECONDS = 60
"""By how much its clock and ours may differ."""


@dataclass(frozen=True)
class BegunSignIn:
    """A sign-in that a browser began and must bring back."""

    provider: str
    state: str
    nonce: str
    verifier: str
    language: Language

    @staticmethod
    def now(provider: str, language: Language) -> BegunSignIn:
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return BegunSignIn(provider, state, nonce, verifier, language)

    def sealed(self, secret: str) -> str:
        return tokens.encode({**self.__dict__, "exp": time.time() + BEGUN_SECONDS}, _key(secret))

    @staticmethod
    def read(cookie: str, secret: str) -> BegunSignIn | None:
        try:
            said = tokens.decode(cookie, _key(secret), ["HS256"], options={"require": ["exp"]})
            del said["exp"]
            return BegunSignIn(**said)
        except (tokens.InvalidTokenError, TypeError):
            return None


def _key(secret: str) -> bytes:
    """Not the key of tokens: neither can be taken for the other."""
    return hmac.new(secret.encode(), b"oidc", hashlib.sha256).digest()


def asking(
    provider: IdentityProvider, metadata: Metadata, begun: BegunSignIn, callback: str
) -> str:
    """Where the browser goes to be asked who it is."""
    return str(
        prepare_grant_uri(
            metadata.address("authorization_endpoint"),
            provider.settings.client_id,
            "code",
            redirect_uri=callback,
            scope=list(provider.settings.scopes),
            state=begun.state,
            nonce=begun.nonce,
            code_challenge=create_s256_code_challenge(begun.verifier),
            code_challenge_method="S256",
            ui_locales=begun.language,
        )
    )


def leaving(
    provider: IdentityProvider,
    metadata: Metadata,
    id_token: str | None,
    home: str,
    language: Language,
) -> str | None:
    """Where the browser goes so that the provider's own session ends too; none where it cannot."""
    address = metadata.address("end_session_endpoint")
    if address is None:
        return None
    asked = {
        "client_id": provider.settings.client_id,
        "post_logout_redirect_uri": home,
        "ui_locales": language,
        **({} if id_token is None else {"id_token_hint": id_token}),
    }
    return str(add_params_to_uri(address, list(asked.items())))


def code_in(
    answer: Mapping[str, str],
    begun: BegunSignIn | None,
    provider: IdentityProvider,
    metadata: Metadata,
) -> str:
    """The code that the provider sent the browser back with. Raises `NotSignedIn`."""
    if begun is None or begun.provider != provider.name:
        raise NotSignedIn("provider_not_begun")
    if not hmac.compare_digest(answer.get("state", "").encode(), begun.state.encode()):
        raise NotSignedIn("provider_not_begun")
    issuer = answer.get("iss")
    if issuer != provider.settings.issuer and (issuer is not None or metadata.sends_issuer):
        raise NotSignedIn("provider_wrong_issuer", name=provider.label)
    if answer.get("error"):
        raise NotSignedIn("provider_said_no", name=provider.label, problem=answer["error"][:100])
    if not answer.get("code"):
        raise NotSignedIn("provider_not_begun")
    return answer["code"]


@dataclass(frozen=True)
class Exchanged:
    vouched: VouchedIdentity
    id_token: str


async def exchange(
    provider: IdentityProvider, code: str, begun: BegunSignIn, callback: str
) -> Exchanged:
    """Exchange a code for the provider's word on who it is, checked to the last claim."""
    metadata = await provider.metadata()
    said = await redeemed(provider, metadata, code, begun, callback)
    id_token = said.get("id_token")
    if not isinstance(id_token, str):
        raise BadAnswer("provider_lacks", name="id_token")
    access = said.get("access_token")
    claims = await _checked(provider, metadata, id_token, begun.nonce, access)
    if _lacks(claims, provider) and isinstance(access, str):
        more = await _user_info(provider, metadata, access, claims["sub"])
        if "email" in claims:
            # What it vouches for there may be another address.
            more.pop("email_verified", None)
        claims = {**more, **claims}
    return Exchanged(vouched_for(claims, provider), id_token)


async def redeemed(
    provider: IdentityProvider, metadata: Metadata, code: str, begun: BegunSignIn, callback: str
) -> JSONObject:
    """What the provider gives for a code. Raises `BadAnswer`."""
    settings = provider.settings
    body = prepare_token_request(
        "authorization_code", code=code, redirect_uri=callback, code_verifier=begun.verifier
    )
    # In the body wherever that is taken: in a header, providers disagree about how the secret's
    # special characters are spelled.
    taken = metadata.listed("token_endpoint_auth_methods_supported")
    method = "client_secret_post" if "client_secret_post" in taken else "client_secret_basic"
    secret = settings.client_secret
    authentication = ClientAuth(settings.client_id, secret, method if secret else "none")
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    url = metadata.address("token_endpoint")
    url, headers, body = authentication.prepare("POST", url, headers, body)
    return await provider.asked(url or "", method="POST", headers=headers, body=body.encode())


async def _checked(
    provider: IdentityProvider, metadata: Metadata, id_token: str, nonce: str, access: Any
) -> JSONObject:
    """The claims of a token that this issuer signed, for us, for this very sign-in, and lately."""
    token = await _signed(provider, metadata, id_token)
    issuer, client = provider.settings.issuer, provider.settings.client_id
    claims = CodeIDToken(
        token.claims,
        token.header,
        {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client},
            "sub": {"essential": True},
        },
        {"nonce": nonce, "client_id": client, "access_token": access},
    )
    try:
        claims.validate(int(time.time()), LEEWAY_SECONDS)
    except ExpiredTokenError:
        raise NotSignedIn("provider_token_expired", name=provider.label) from None
    except ClaimError as error:
        key = "provider_wrong_issuer" if error.claim == "iss" else "provider_token_claim"
        raise NotSignedIn(key, name=provider.label, claim=error.claim) from None
    return dict(claims)


async def _signed(provider: IdentityProvider, metadata: Metadata, id_token: str) -> jwt.Token:
    """The token, if one of the provider's keys signed it: those we have, else those of now."""
    kept = await provider.keys()
    try:
        return _verified(id_token, kept, metadata)
    except (JoseError, ValueError):
        pass
    try:
        return _verified(id_token, await provider.keys(anew=True), metadata)
    except (JoseError, ValueError):
        raise NotSignedIn("provider_token_signature", name=provider.label) from None


def _verified(id_token: str, keys: KeySet, metadata: Metadata) -> jwt.Token:
    return jwt.decode(id_token, keys, algorithms=metadata.algorithms or ["RS256"])


def _lacks(claims: JSONObject, provider: IdentityProvider) -> bool:
    """Whether something we need may stand in the provider's user info only."""
    settings = provider.settings
    wanted = ["email"]
    if settings.roles or settings.organisations:
        wanted.append(settings.groups_claim)
    if settings.organisation_claim:
        wanted.append(settings.organisation_claim)
    return any(_claim(claims, name) is None for name in wanted)


async def _user_info(
    provider: IdentityProvider, metadata: Metadata, access: str, subject: str
) -> JSONObject:
    address = metadata.address("userinfo_endpoint")
    if address is None:
        return {}
    said = await provider.asked(address, headers={"Authorization": f"Bearer {access}"})
    if said.get("sub") != subject:
        raise NotSignedIn("provider_token_claim", name=provider.label, claim="sub")
    return said


def vouched_for(claims: JSONObject, provider: IdentityProvider) -> VouchedIdentity:
    """What the claims say, in our words."""
    settings = provider.settings
    email = claims.get("email")
    name = claims.get("name") or claims.get("preferred_username")
    place = settings.organisation_claim or settings.groups_claim
    return VouchedIdentity(
        provider=provider.name,
        issuer=str(claims["iss"]),
        subject=str(claims["sub"]),
        email=email.strip().lower() if isinstance(email, str) and "@" in email else None,
        email_verified=settings.trust_email or claims.get("email_verified") is True,
        name=name.strip()[:120] if isinstance(name, str) and name.strip() else None,
        groups=_names(_claim(claims, settings.groups_claim)),
        places=_names(_claim(claims, place)) or (),
    )


def _claim(claims: JSONObject, path: str) -> Any:
    """A claim by its name, which may hold dots itself, or one inside another."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _names(said: Any) -> tuple[str, ...] | None:
    if said is None:
        return None
    listed = said if isinstance(said, list) else [said]
    return tuple(one for one in listed if isinstance(one, str))
