"""What can go wrong with somebody else's server, in few words and for whoever must know."""

from __future__ import annotations

from typing import Literal, TypeAlias

import httpx2
from mcp import MCPError
from mcp.client.auth import OAuthFlowError
from mcp.types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT
from pydantic import ValidationError

from bancada.mcp.connections.wire import AnswerRefused

TroubleKind: TypeAlias = Literal[
    "unreachable",
    "slow",
    "wrong_answer",
    "endless",
    "sign_in",
    "sign_in_refused",
    "busy",
    "resting",
]
MOST_SAID = 400
"""Characters kept of what a server says of its own failure."""
_LOST = (CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT)
"""Errors that the SDK makes up itself: no server answered so."""


class ServerTrouble(Exception):
    """The server could not be used. `kind` is for the page, the text for the record."""

    def __init__(self, kind: TroubleKind, detail: str) -> None:
        super().__init__(detail)
        self.kind: TroubleKind = kind
        self.detail = detail[:MOST_SAID]


class SignInNeeded(Exception):
    """The server wants somebody to sign in, perhaps again and for more. `scope` is what it asks for."""

    def __init__(self, scope: str | None = None) -> None:
        super().__init__("sign-in needed")
        self.scope = scope


def trouble_of(error: BaseException) -> Exception:
    """The one failure that explains the others: ours as it is, anything else as `ServerTrouble`."""
    leaves = list(_leaves(error))
    for kind in (
        SignInNeeded,
        ServerTrouble,
        OAuthFlowError,
        httpx2.HTTPError,
        AnswerRefused,
        MCPError,
    ):
        found = next((one for one in leaves if isinstance(one, kind)), None)
        if found is not None:
            return _told(found)
    return _told(leaves[0])


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in _leaves(one)]
    return [error]


def _told(error: BaseException) -> Exception:
    match error:
        case SignInNeeded() | ServerTrouble():
            return error
        case OAuthFlowError():
            return ServerTrouble("sign_in_refused", str(error))
        case TimeoutError() | httpx2.TimeoutException():
            return ServerTrouble("slow", "It did not answer in time.")
        case httpx2.HTTPError() | OSError():
            return ServerTrouble("unreachable", str(error) or type(error).__name__)
        case MCPError() if error.code == REQUEST_TIMEOUT:
            return ServerTrouble("slow", "It did not answer in time.")
        case MCPError() if error.code == CONNECTION_CLOSED:
            return ServerTrouble("unreachable", error.message)
        case ValidationError():
            return ServerTrouble(
                "wrong_answer", f"Its answer is not what the protocol says: {error}"
            )
    return ServerTrouble("wrong_answer", str(error) or type(error).__name__)


def is_an_answer(error: MCPError) -> bool:
    """Whether the server itself said so, and not the wire for it."""
    return error.code not in _LOST
