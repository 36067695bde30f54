"""What one entry of the audit holds: facts that stay, and words that can be erased."""

from __future__ import annotations

import hashlib
import secrets

from bancada.domain.json import JSONObject, dumps, loads
from bancada.store.columns import clean

PLACE = (
    "organisation_id", "number", "ref", "kind", "at", "person_id", "conversation_id", "turn_id",
    "call_id", "tool",
)  # fmt: skip
"""What every entry says, beside its facts."""
FACTS = frozenset(
    {
        "action", "again", "agent_id", "cached", "category", "confirmation_id", "decided_at",
        "decided_by", "decision", "duration_ms", "effect", "erased", "key_id", "outcome",
        "of_person", "rewritten", "size", "tool_version", "via",
    }
)  # fmt: skip
"""What stays in the chain for good: none of it is anybody's words, name or address."""
CONTENT = "content"


def apart(says: JSONObject) -> tuple[JSONObject, str | None]:
    """What an entry says as facts, with a hash of the rest, and the rest as text."""
    facts = {name: value for name, value in says.items() if name in FACTS}
    rest = {name: value for name, value in says.items() if name not in FACTS}
    caller = rest.get("caller")
    if caller is not None:
        facts["caller"] = caller_name(caller)
    if isinstance(rest.get("about_id"), int):
        facts["about_id"] = rest.pop("about_id")
    if not rest:
        return facts, None
    # Salted: who has the hash must not find what was erased by guessing.
    content = dumps([secrets.token_hex(8), rest])
    facts[CONTENT] = digest(content)
    return facts, content


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def said(body: str, content: str | None) -> JSONObject:
    """What an entry says, words included as far as they are there."""
    says: JSONObject = loads(body)
    if content is not None:
        says.update(loads(content)[1])
    elif CONTENT in says or says.get("reduced"):
        says |= {"is_erased": True, "person": None, "arguments": None, "about": None}
        if isinstance(says.get("caller"), str):
            says["caller"] = {"type": "direct", "via": says["caller"]}
    for name in (CONTENT, "reduced"):
        says.pop(name, None)
    return says


def reduced(body: str) -> str:
    """What is left of an entry that holds its words in its body, when they are erased."""
    says: JSONObject = loads(body)
    facts, _ = apart({name: says[name] for name in says if name not in PLACE})
    facts.pop(CONTENT, None)
    return dumps({**{name: says[name] for name in PLACE}, **facts, "reduced": True})


def caller_name(caller: JSONObject) -> str:
    """Who asked, in a word: the model, code it wrote, or the door it came through."""
    if caller.get("type", "direct") != "direct":
        return "code"
    return clean(str(caller.get("via") or "model"))
