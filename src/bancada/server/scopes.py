"""What each scope of an API key opens: one table, and what is not in it stays shut.

A key without scopes may do what its person may. One with scopes may do what they name and the
person may; its person is asked for at every route as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada.domain.errors import Forbidden
from bancada.domain.people import SCOPES, Scope

CHAT = (
    r"\w+ /(conversations|messages|confirmations|dashboards|studies|conversas|shared)(/.*)?",
    r"GET /(agents|agentes|files/.*|reports/.*|me/events)",
    r"POST /(chat|anthropic-proxy|ag-ui/.*)",
)
OPENS: dict[Scope, tuple[str, ...]] = {
    "chat": CHAT,
    "tools": (r"GET /tools", r"POST /tools/[^/]+/run", r"GET /(confirmations|files)/[^/]+"),
    "gateway": (r"\w+ /v1/.*",),
    "mcp": (r"\w+ /mcp(/.*)?",),
    "admin:read": (r"GET /(admin/.*|system|metrics)",),
    "scim": (r"\w+ /scim/v2/.*",),
}
ALWAYS = r"GET /me"
"""Whoever has a key may ask whose it is."""

OF_AN_AGENT = (
    r"\w+ /(conversations|messages|confirmations|conversas|shared)(/.*)?",
    r"GET /(agents|agentes|files/.*)",
    r"POST /(chat|anthropic-proxy|ag-ui/.*)",
    *OPENS["tools"],
    *OPENS["gateway"],
    *OPENS["mcp"],
)
"""What a key for one agent opens, whatever its scopes: what is an agent's. Boards, studies and
schedules make calls within any of the person's agents, administration within none."""

ASKS_A_MODEL = re.compile(
    r"POST /(conversations/[^/]+/(messages|retry)|conversas/[^/]+/mensagens|chat|anthropic-proxy|ag-ui/.*)"
)
"""Where replies are paid for that are not counted towards a key: its limits hold at `/v1`."""

_OF_AN_AGENT = re.compile("|".join((ALWAYS, *OF_AN_AGENT)))
_OPENED = {scope: re.compile("|".join((ALWAYS, *OPENS[scope]))) for scope in SCOPES}


def check_scope(
    scopes: Sequence[Scope],
    method: str,
    path: str,
    *,
    for_one_agent: bool = False,
    has_limits: bool = False,
) -> None:
    """Refuse what none of the scopes opens; no scopes open everything, or all that is an agent's. With
    limits no model is asked where they would not be counted."""
    wanted = f"{'GET' if method == 'HEAD' else method} {path}"
    if scopes and not any(_OPENED[scope].fullmatch(wanted) for scope in scopes):
        raise Forbidden("not_in_scope", scopes=", ".join(scopes))
    if for_one_agent and not _OF_AN_AGENT.fullmatch(wanted):
        raise Forbidden("key_of_one_agent")
    if has_limits and ASKS_A_MODEL.fullmatch(wanted):
        raise Forbidden("key_has_limits")
