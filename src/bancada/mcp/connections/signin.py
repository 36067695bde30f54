"""Signing in to somebody else's server: the SDK's OAuth, kept by us and spread over two visits.

The SDK finds who signs people in, registers us (by our metadata document where they take it),
checks `iss`, and asks for more rights when a call needs them. What it learns is sealed in the
database, for one person or for everybody. A call never sends a person anywhere: it ends with
`SignInNeeded`, and the person begins the sign-in from the page.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.utils import union_scopes
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl

from bancada.domain.json import JSONObject, dumps, loads
from bancada.mcp.connections.trouble import SignInNeeded
from bancada.store import connections
from bancada.store.database import Database
from bancada.store.vault import Vault, connection_secret

NAME = "Bancada"


@dataclass(frozen=True, kw_only=True)
class CredentialHolder:
    """Whose sign-in to which connection; nobody's is everybody's."""

    organisation_id: int
    connection_id: str
    user_id: int | None

    @property
    def secret_name(self) -> str:
        return connection_secret(self.connection_id, self.user_id)


@dataclass(frozen=True, kw_only=True)
class OurAddress:
    """Where people come back to after they have signed in, and how we name ourselves there."""

    origin: str = "http://localhost"

    @property
    def callback(self) -> str:
        return f"{self.origin}/connections/callback"

    @property
    def metadata_document(self) -> str | None:
        """Our client id, where others can read it."""
        return (
            f"{self.origin}/connections/client.json" if self.origin.startswith("https://") else None
        )

    def metadata(self, **more: Any) -> OAuthClientMetadata:
        return OAuthClientMetadata(
            client_name=NAME,
            redirect_uris=[AnyUrl(self.callback)],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            **more,
        )


@dataclass
class SealedStorage:
    """The SDK's token storage, over one sealed row. What is learnt on the way is kept with it: a
    token alone could not be renewed after a restart."""

    database: Database
    vault: Vault
    holder: CredentialHolder
    signs_in: bool = True
    """Whether somebody signs in now. A call only uses what is there: were it to register us, it
    would be with an address that nobody comes back to."""
    known: JSONObject | None = None

    async def load(self) -> JSONObject:
        holder = self.holder
        sealed = await self.database.read(
            connections.credential, holder.connection_id, holder.user_id
        )
        self.known = (
            {}
            if sealed is None
            else loads(self.vault.open(sealed, holder.organisation_id, holder.secret_name))
        )
        return self.known

    async def keep(self, **changed: Any) -> None:
        holder = self.holder
        known = {**(await self.load()), **changed}
        sealed = self.vault.seal(dumps(known), holder.organisation_id, holder.secret_name)
        await self.database.run(
            connections.keep_credential,
            holder.connection_id,
            holder.user_id,
            sealed,
            new=self.signs_in,
        )
        self.known = known

    async def get_tokens(self) -> OAuthToken | None:
        tokens = (await self.load()).get("tokens")
        return None if tokens is None else OAuthToken.model_validate(tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        expires_at = None if tokens.expires_in is None else time.time() + tokens.expires_in
        shape = tokens.model_dump(mode="json", exclude_none=True)
        await self.keep(tokens=shape, expires_at=expires_at, wanted=None)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        info = (await self.load()).get("client")
        return None if info is None else OAuthClientInformationFull.model_validate(info)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        if self.signs_in:
            await self.keep(client=client_info.model_dump(mode="json", exclude_none=True))


class ConnectionAuth(OAuthClientProvider):
    """The SDK's provider, with a memory. `send_person` is how a sign-in leads somebody to the door
    and waits for them; without it a call that needs one ends."""

    def __init__(
        self,
        url: str,
        storage: SealedStorage,
        address: OurAddress,
        *,
        send_person: Callable[[str], Awaitable[AuthorizationCodeResult]] | None = None,
    ) -> None:
        self._sealed = storage
        storage.signs_in = send_person is not None
        self._send_person = send_person
        self._came_back: AuthorizationCodeResult | None = None
        super().__init__(
            url,
            address.metadata(),
            storage,
            redirect_handler=self._lead,
            callback_handler=self._back,
            client_metadata_url=address.metadata_document,
        )

    async def _lead(self, url: str) -> None:
        if self._send_person is None:
            raise SignInNeeded(self.context.client_metadata.scope)
        self._came_back = await self._send_person(url)

    async def _back(self) -> AuthorizationCodeResult:
        assert self._came_back is not None
        return self._came_back

    async def _initialize(self) -> None:
        await super()._initialize()
        known = self._sealed.known or {}
        context = self.context
        if self._send_person is None and context.current_tokens is None:
            # Who registers us must know where people come back to: that is for a sign-in to do.
            raise SignInNeeded(known.get("wanted"))
        # The SDK keeps these in memory only: without them a token that has run out is not renewed,
        # or is renewed at the wrong door.
        context.token_expiry_time = known.get("expires_at")
        context.auth_server_url = known.get("auth_server")
        if self._send_person is not None:
            # Whoever signs in, perhaps again and for more, is to be let in anew.
            context.clear_tokens()
        if "metadata" in known and context.oauth_metadata is None:
            context.oauth_metadata = OAuthMetadata.model_validate(known["metadata"])
        if "resource" in known and context.protected_resource_metadata is None:
            resource = ProtectedResourceMetadata.model_validate(known["resource"])
            context.protected_resource_metadata = resource

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        context = self.context
        known = self._sealed.known or {}
        context.client_metadata.scope = union_scopes(
            context.client_metadata.scope, known.get("wanted")
        )
        if self._send_person is None:
            await self._sealed.keep(wanted=context.client_metadata.scope)
            raise SignInNeeded(context.client_metadata.scope)
        return await super()._perform_authorization_code_grant()

    async def _handle_token_response(self, response: httpx2.Response) -> None:
        await super()._handle_token_response(response)
        context = self.context
        learnt: JSONObject = {"auth_server": context.auth_server_url}
        for name, model in (
            ("metadata", context.oauth_metadata),
            ("resource", context.protected_resource_metadata),
        ):
            if model is not None:
                learnt[name] = model.model_dump(mode="json", exclude_none=True)
        await self._sealed.keep(**learnt)

    async def _handle_refresh_response(self, response: httpx2.Response) -> bool:
        used = self.context.current_tokens
        if await super()._handle_refresh_response(response):
            return True
        # Another process may have renewed it in the same moment, and a token is renewed once.
        kept = await self._sealed.get_tokens()
        if kept is None or used is None or kept.access_token == used.access_token:
            return False
        self.context.current_tokens = kept
        self.context.token_expiry_time = (self._sealed.known or {}).get("expires_at")
        return True
