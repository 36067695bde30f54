"""A handful of tiny questions to a server, to learn what it does with our requests.

Nothing of anybody's data is sent. Each question stands alone: one that fails says what it says,
and the others are asked all the same, unless nobody is there.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_of
from bancada.model.anthropic import COUNT_TOKENS, MESSAGES, AnthropicModel, body_chunks
from bancada.model.honours import Feature, Honours, ProbeAnswer
from bancada.model.model import ModelFailed
from bancada.model.sse import Frames, ReplyBuilder, parse

MOST_TOKENS = 60
RULES_TO_CACHE = 300
"""The vendor caches nothing shorter than about a thousand tokens; each rule is four or five."""

TOOL: JSONObject = {
    "name": "read_gauge",
    "description": "Read the gauge of this name; the only way to know its value.",
    "input_schema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    },
}
ASK_TOOL = "What does the gauge called north show? Use the tool read_gauge."


async def probe(upstream: AnthropicModel, model: str) -> Honours:
    """What the server behind this connection honours of a request for this model.

    Raises:
        ModelFailed: it does not answer even the simplest question.
    """
    return Honours(await _Questions(upstream, model).all())


class _Questions:
    def __init__(self, upstream: AnthropicModel, model: str) -> None:
        self._upstream, self._model = upstream, model

    async def all(self) -> dict[Feature, ProbeAnswer]:
        found: dict[Feature, ProbeAnswer] = {"answers": await self.answers()}
        asked: dict[Feature, Callable[[], Awaitable[ProbeAnswer]]] = {
            "streaming": self.streaming,
            "tools": self.tools,
            "results": self.results,
            "tool_choice_none": self.tool_choice_none,
            "cache": self.cache,
            "effort": self.effort,
            "thinking": self.thinking,
            "images": self.images,
            "documents": self.documents,
            "count_tokens": self.count_tokens,
        }
        for feature, question in asked.items():
            shown = await _shown(question)
            if shown is not None:
                found[feature] = shown
        return found

    async def answers(self) -> ProbeAnswer:
        reply = await self._ask("Say the word yes.")
        return ProbeAnswer("yes" if text_of(reply["content"]).strip() else "ignored")

    async def streaming(self) -> ProbeAnswer:
        body = {**self._body("Say the word yes."), "stream": True}
        response = await self._upstream.send(MESSAGES, body)
        try:
            if "json" in response.headers.get("content-type", ""):
                await response.aread()
                return ProbeAnswer("ignored")
            frames, builder = Frames(), ReplyBuilder()
            async for chunk in body_chunks(response):
                builder.feed(frames.feed(chunk))
            return ProbeAnswer("yes" if builder.finished else "ignored")
        finally:
            await response.aclose()

    async def tools(self) -> ProbeAnswer:
        reply = await self._ask(ASK_TOOL, tools=[TOOL])
        if _calls(reply):
            return ProbeAnswer("yes")
        said = text_of(reply["content"])
        return ProbeAnswer("text" if re.search(r'"name"\s*:\s*"read_gauge"', said) else "ignored")

    async def results(self) -> ProbeAnswer:
        """Whether it goes on in words after a result, and takes a history of calls without tools."""
        messages = [
            {"role": "user", "content": ASK_TOOL},
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": "toolu_probe1",
                        "name": "read_gauge",
                        "input": {"name": "north"},
                    }
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_probe1", "content": "42"}
                ],
            },
        ]
        reply = await self._send({**self._body(""), "messages": messages})
        return ProbeAnswer("yes" if text_of(reply["content"]).strip() else "ignored")

    async def tool_choice_none(self) -> ProbeAnswer:
        reply = await self._ask(ASK_TOOL, tools=[TOOL], tool_choice={"type": "none"})
        return ProbeAnswer("ignored" if _calls(reply) else "yes")

    async def cache(self) -> ProbeAnswer:
        text = "Rules of the house. " + " ".join(f"Rule {n}." for n in range(RULES_TO_CACHE))
        system = [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]
        await self._ask("Say yes.", system=system)
        reply = await self._ask("Say yes.", system=system)
        read = (reply.get("usage") or {}).get("cache_read_input_tokens")
        return ProbeAnswer("yes" if read else "ignored")

    async def effort(self) -> ProbeAnswer:
        await self._ask("Say yes.", output_config={"effort": "low"})
        return ProbeAnswer("yes", "taken; whether it has an effect cannot be seen")

    async def thinking(self) -> ProbeAnswer:
        reply = await self._ask("What is 17 times 23?", thinking={"type": "adaptive"})
        thought = any(block.get("type") == "thinking" for block in reply["content"])
        return ProbeAnswer("yes" if thought else "ignored")

    async def images(self) -> ProbeAnswer:
        return await self._sees_red("image", "image/png", _red_square())

    async def documents(self) -> ProbeAnswer:
        return await self._sees_red("document", "application/pdf", _red_page())

    async def _sees_red(self, type: str, media_type: str, made: bytes) -> ProbeAnswer:
        data = base64.b64encode(made).decode()
        content: list[Block] = [
            {"type": type, "source": {"type": "base64", "media_type": media_type, "data": data}},
            {"type": "text", "text": f"Which colour does this {type} show? One word."},
        ]
        reply = await self._ask(content)
        seen = re.search(r"\b(red|vermelh|rojo|rouge)", text_of(reply["content"]).lower())
        return ProbeAnswer("yes" if seen else "ignored")

    async def count_tokens(self) -> ProbeAnswer:
        body = self._body("How long is this?")
        del body["max_tokens"]
        counted = await self._send(body, COUNT_TOKENS, needs="input_tokens")
        return ProbeAnswer("yes" if int(counted["input_tokens"]) > 0 else "ignored")

    def _body(self, content: Any) -> JSONObject:
        return {
            "model": self._model,
            "max_tokens": MOST_TOKENS,
            "messages": [{"role": "user", "content": content}],
        }

    async def _ask(self, content: Any, **more: Any) -> JSONObject:
        return await self._send({**self._body(content), **more})

    async def _send(
        self, body: JSONObject, path: str = MESSAGES, needs: str = "content"
    ) -> JSONObject:
        response = await self._upstream.send(path, body)
        try:
            read = parse(await response.aread())
        except ValueError:
            read = None
        finally:
            await response.aclose()
        if not isinstance(read, dict) or needs not in read:
            raise ModelFailed("internal", "the answer is not one of the API's", retryable=False)
        return read


async def _shown(
    question: Callable[[], Awaitable[ProbeAnswer]], *, again: bool = True
) -> ProbeAnswer | None:
    """What a question showed; none where no answer came to it, twice: that says nothing."""
    try:
        return await question()
    except ModelFailed as failed:
        if failed.retryable and again:
            return await _shown(question, again=False)
        if failed.retryable and failed.status is None:
            return None
        return ProbeAnswer("no", str(failed)[:300])


def _calls(reply: JSONObject) -> bool:
    return any(block.get("type") == "tool_use" for block in reply["content"])


def _red_square() -> bytes:
    """A PNG without a library: a red square."""
    side = 32

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    rows = (b"\x00" + b"\xff\x00\x00" * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return png + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _red_page() -> bytes:
    """A PDF without a library: a red page that says so, for servers that read its text alone."""
    drawn = b"1 0 0 rg 0 0 200 200 re f 0 g BT /F1 24 Tf 60 90 Td (red) Tj ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    pdf, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(pdf))
        pdf += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(places)
    trailer = b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(pdf)
    return pdf + table + trailer
