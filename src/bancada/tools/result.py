"""What a tool returned, as the model reads it.

A tool may return text, anything that has a plain JSON form, content blocks, or a `Result`.
Whatever comes, an `Outcome` leaves: within bounds, storable, and with a sentence in place of
what could not be shown.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bancada.domain.calls import Outcome, Widget
from bancada.domain.json import dumps
from bancada.domain.messages import Block, text_block
from bancada.tools.plain import NotJSON, PlainForm, whole_text
from bancada.tools.tool import Result

MAX_WHOLE_BYTES = 64 << 20
"""What code, or a tool made of others, is handed of one result: all of it, or an error."""
MAX_MANAGED_BYTES = 8 << 20
"""The same for code that runs at a provider: results travel there with every later request, and
one of more than 32 MB is refused."""
MAX_FILE_CHARS = 5 << 20
"""Base64 characters of one image the model is sent; more is refused upstream."""
MAX_SHOWN_FILE_CHARS = 200_000
"""The same in an event; beyond it the event says what there was."""
MAX_IMAGES = 20
_SIGNATURES = {
    "image/png": ("iVBORw0KGgo",),
    "image/jpeg": ("/9j/",),
    "image/gif": ("R0lGODdh", "R0lGODlh"),
    "image/webp": ("UklGR",),
}
"""How each kind of image begins, in base64. One that is not what it says is refused upstream, and
would be refused again with every later message of its conversation."""
IMAGES = tuple(_SIGNATURES)
"""The kinds of image that a model can be sent."""
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def outcome_of(raw: Any, *, max_chars: int) -> Outcome:
    """A tool's return value as a model reads it: its text has at most about `max_chars`."""
    return as_read(whole_of(raw), max_chars)


def whole_of(raw: Any) -> Outcome:
    """A tool's return value with nothing left out: what code and tools made of others are handed."""
    try:
        if isinstance(raw, Result):
            return _of_result(raw)
        if isinstance(raw, Outcome):
            return raw
        return _of_value(raw)
    except NotJSON as error:
        return _unreadable(str(error))
    except Exception as error:  # an object whose own code fails while it is read
        return _unreadable(f"{type(error).__name__} while reading a {type(raw).__qualname__}")


def bounded(outcome: Outcome, most: int = MAX_WHOLE_BYTES) -> Outcome:
    """The outcome itself, or an error in its place where it is too large to be handed over whole."""
    attached = (one.text or one.data or "" for one in outcome.attachments)
    size = sum(_bytes(part) for part in (*_texts(outcome.content), *attached))
    if size <= most:
        return outcome
    return Outcome(
        content=f"The result has {size:,} bytes; at most {most:,} ({most >> 20} MB) can be "
        "handed over whole. Ask for less, filter or page.",
        is_error=True,
        code="failed",
    )


def without_copy(outcome: Outcome, max_chars: int) -> Outcome:
    """Long JSON text without the value it says: nobody wants both in the record."""
    long = isinstance(outcome.content, str) and len(outcome.content) > max_chars
    return replace(outcome, value=None) if long and not outcome.meta.get("own_text") else outcome


def as_read(outcome: Outcome, max_chars: int) -> Outcome:
    """What a model reads of an outcome: cut where it is long, and told what was cut or left out."""
    if outcome.attachments:
        outcome = _with_attachments_told(outcome)
    if not isinstance(outcome.content, str):
        return _blocks_as_read(outcome, outcome.content, max_chars)
    text, value, meta = outcome.content, outcome.value, dict(outcome.meta)
    note, own_text = meta.pop("note", ""), meta.pop("own_text", False)
    shown = _cut(text, max_chars)
    if shown is not text:
        meta["cut_from"] = len(text)
    if own_text:
        said = dumps(value)
        brief = _cut(said, max_chars)
        value = value if brief is said else brief
    elif shown is not text and value is not None:
        value = shown
    if shown is text and not note and not own_text:
        return outcome
    return replace(outcome, content=shown + note, value=value, meta=meta)


def _with_attachments_told(outcome: Outcome) -> Outcome:
    listed = ", ".join(str(one) for one in outcome.attachments)
    told = f"[beside this, and not readable here: {listed}]"
    content = outcome.content
    if isinstance(content, str):
        return replace(outcome, content=f"{content}\n{told}".strip())
    return replace(outcome, content=[*content, text_block(told)])


def text_for_code(outcome: Outcome) -> str:
    """What code reads: always text, JSON text for structured results and for images."""
    content = outcome.content
    if outcome.meta.get("own_text") and not outcome.is_error:
        content = outcome.value if isinstance(outcome.value, str) else dumps(outcome.value)
    if isinstance(content, str):
        return content
    if all(block["type"] == "text" for block in content):
        return "\n".join(block["text"] for block in content)
    return dumps(content)


def note_for_code(outcome: Outcome) -> str:
    """What code should know beside the text, which stays readable as JSON."""
    return str(outcome.meta.get("note", "")).strip()


def _unreadable(reason: str) -> Outcome:
    content = f"The tool's result cannot be read: {reason}."
    return Outcome(content=content, is_error=True, code="failed")


def _of_result(result: Result) -> Outcome:
    """The parts of a `Result`: its content for the model, its value for code and events."""
    widgets = tuple(Widget(kind=one.kind, data=PlainForm().of(one.data)) for one in result.widgets)
    if result.content is None and result.value is None and (widgets or result.attachments):
        made = Outcome(content="Shown to the person." if widgets else "")
    else:
        made = _of_value(result.value if result.content is None else result.content)
    value, meta = made.value, made.meta
    if result.content is not None and result.value is not None:
        own = _of_value(result.value)
        value, meta = own.shown, {**own.meta, "own_text": True}
    return Outcome(
        content=made.content,
        attachments=tuple(result.attachments),
        is_error=result.is_error,
        code="failed" if result.is_error else None,
        value=value,
        widgets=widgets,
        broken=None if result.broken is None else tuple(result.broken),
        meta=meta,
    )


def _of_value(raw: Any) -> Outcome:
    if type(raw) is str:
        return Outcome(content=whole_text(raw))
    if _is_image(raw):
        raw = [raw]
    if _are_blocks(raw):
        return Outcome(content=PlainForm().of(raw))
    plain = PlainForm()
    value = plain.of(raw)
    try:
        text = dumps(value)
    except ValueError as error:
        raise NotJSON(str(error)) from error
    return Outcome(content=text, value=value, meta={"note": plain.note} if plain.note else {})


def _are_blocks(raw: Any) -> bool:
    """Whether this is a list of texts and images, and not data that looks a little like it.

    Nothing else a tool returns becomes a content block: what a block may hold besides (addresses
    to fetch, documents, marks for the cache) is not a tool's to say.
    """
    return (
        isinstance(raw, list) and bool(raw) and all(_is_text(one) or _is_image(one) for one in raw)
    )


def _is_text(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and one.keys() == {"type", "text"}
        and one["type"] == "text"
        and isinstance(one["text"], str)
    )


def _is_image(one: Any) -> bool:
    if not isinstance(one, dict) or one.keys() != {"type", "source"} or one["type"] != "image":
        return False
    source = one["source"]
    return (
        isinstance(source, dict)
        and source.keys() == {"type", "media_type", "data"}
        and source["type"] == "base64"
        and isinstance(source["media_type"], str)
        and isinstance(source["data"], str)
    )


def _blocks_as_read(outcome: Outcome, blocks: Sequence[Block], max_chars: int) -> Outcome:
    """Texts share the bound, and images that cannot be sent become a note."""
    left = max_chars
    images = 0
    content: list[Block] = []
    for block in blocks:
        if block["type"] == "text":
            if not block["text"]:
                continue  # an empty text block is refused upstream
            text = _cut(block["text"], left)
            left = max(0, left - len(block["text"]))
            content.append({**block, "text": text})
            continue
        images += 1
        problem = _image_problem(block["source"]) if images <= MAX_IMAGES else "there are too many"
        content.append(block if problem is None else text_block(f"[image left out: {problem}]"))
    shown = [_shown_file(block) for block in content]
    value = outcome.value
    if value is None and shown != content:
        value = shown
    return replace(outcome, content=content or "", value=value)


def _image_problem(source: Block) -> str | None:
    """Why the model cannot be sent this image."""
    data, media_type = source["data"], source["media_type"]
    if media_type not in _SIGNATURES:
        return f"{media_type[:80]} is not one of {', '.join(_SIGNATURES)}"
    if len(data) > MAX_FILE_CHARS:
        return (
            f"{len(data) * 3 // 4:,} bytes, at most "
            f"{MAX_FILE_CHARS * 3 // 4:,} can be read; ask for a smaller one"
        )
    if not data.startswith(_SIGNATURES[media_type]) or not _BASE64.fullmatch(data):
        return f"its data is not {media_type} in base64"
    return None


def image_block(media_type: str, content: bytes) -> Block:
    """An image as tools return it."""
    data = base64.b64encode(content).decode()
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": media_type, "data": data},
    }


def _shown_file(block: Block) -> Block:
    """A block as an event carries it."""
    data = block.get("source", {}).get("data")
    if not isinstance(data, str) or len(data) <= MAX_SHOWN_FILE_CHARS:
        return block
    media_type = block["source"].get("media_type", "")
    return text_block(f"[{block['type']}: {media_type}, {len(data) * 3 // 4:,} bytes]")


def _texts(content: str | list[Block]) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [
        str(block["source"]["data"] if "source" in block else block["text"]) for block in content
    ]


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _cut(text: str, max_chars: int) -> str:
    """The text itself, or its beginning and a note that says how much that is."""
    if len(text) <= max_chars:
        return text
    end = max(0, max_chars - 100)  # room for the note
    # What belongs to the character before it (an accent, a skin tone, a joiner) is not torn off.
    for _ in range(16):
        if end == 0 or not (_joins(text[end]) or text[end - 1] == "\u200d"):
            break
        end -= 1
    note = f"…[cut: {end:,} of {len(text):,} characters shown; ask for less, filter or page]"
    return text[:end] + note


def _joins(character: str) -> bool:
    return (
        unicodedata.combining(character) != 0
        or character in "\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )
