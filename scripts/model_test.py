"""Twenty questions to a real small model: through the chat, through the gateway, and bare.

    make test-model                          builds what is missing, asks everything
    scripts/model_test.py --questions 4      only the first four
    scripts/model_test.py --url http://…     a server that runs already

Every way has the same model, tools, prompt and questions. What is right is known from the tools
themselves, called with the right arguments. A small model is slow on a small machine: minutes each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anthropic
import httpx2

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("BANCADA_SMALL_MODEL", ROOT / "build" / "small-model"))
AGENT = "Qualidade"
MODEL = "qwen"
MOST_TOKENS = 300
STEPS = 8
SECONDS = 900.0
"""For one question, one way."""


@dataclass(frozen=True)
class Question:
    text: str
    tool: str
    input: dict[str, Any]
    want: Callable[[Any], list[str]]
    """The words or numbers that a right answer holds."""


def total(result: Any) -> list[str]:
    return [str(result["total"])]


def names(result: Any) -> list[str]:
    rows = (
        result["top"]
        if "top" in result
        else next(v for v in result.values() if isinstance(v, list))
    )
    return [str(row["tipo_defeito"] if "tipo_defeito" in row else row["tipo"]) for row in rows]


def counted(text: str, **input: str) -> Question:
    return Question(text, "contar_defeitos", input, total)


QUESTIONS = [
    counted("How many defects are there in total?"),
    counted("Quantos defeitos há no turno da noite?", turno="noite"),
    Question("Qual é o defeito mais frequente?", "top_defeitos", {"n": 1}, names),
    counted("How many defects of type lixo are there?", tipo_defeito="lixo"),
    counted("Quantos defeitos há no turno da manhã?", turno="manha"),
    counted("Quantos defeitos de gordura há?", tipo_defeito="gordura"),
    Question("What are the 3 most frequent defect types?", "top_defeitos", {"n": 3}, names),
    counted("How many defects in the afternoon shift (tarde)?", turno="tarde"),
    counted("Quantos defeitos de crateras há?", tipo_defeito="crateras"),
    counted("Quantos defeitos de lixo há no turno da noite?", tipo_defeito="lixo", turno="noite"),
    counted("How many defects of type escorrido?", tipo_defeito="escorrido"),
    Question("Quais são os 2 defeitos mais frequentes?", "top_defeitos", {"n": 2}, names),
    counted("Quantos defeitos de casca de laranja há?", tipo_defeito="casca_laranja"),
    counted("How many peeling defects (descasque) are there?", tipo_defeito="descasque"),
    counted("Quantos defeitos de falta de tinta há?", tipo_defeito="falta_tinta"),
    counted(
        "How many gordura defects in the morning (manha)?", tipo_defeito="gordura", turno="manha"
    ),
    counted("Quantos defeitos há ao todo?"),
    Question("Which defect type is the most common one?", "top_defeitos", {"n": 1}, names),
    counted("Quantos defeitos de crateras há à tarde?", tipo_defeito="crateras", turno="tarde"),
    counted("How many defects of type outros are there?", tipo_defeito="outros"),
]


@dataclass
class Result:
    way: str
    question: str
    wanted: list[str]
    answer: str = ""
    right: bool = False
    words: bool = False
    calls: int = 0
    refused: int = 0
    replies: int = 0
    seconds: float = 0.0
    problem: str = ""


# ---------------------------------------------------------------------------- servers


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(
    command: list[str], url: str, ready: str, log: Path, **env: str
) -> AsyncIterator[None]:
    """A server of ours, ended with the block."""
    with log.open("wb") as out:
        process = await asyncio.to_thread(
            subprocess.Popen, command, stdout=out, stderr=out, env={**os.environ, **env}
        )
    try:
        async with httpx2.AsyncClient() as client:
            for _ in range(600):
                try:
                    if (await client.get(f"{url}{ready}")).status_code == 200:
                        break
                except httpx2.HTTPError:
                    pass
                if process.poll() is not None:
                    raise SystemExit(f"{command[0]} ended; see {log}")
                await asyncio.sleep(1)
        yield
    finally:
        process.terminate()
        process.wait(20)


def llama(port: int, threads: int) -> list[str]:
    template = FOLDER / "src/vendor/llama.cpp/models/templates/Qwen3-Coder.jinja"
    server = FOLDER / "BUILD/bin/llama-server"
    return [
        str(server), "-m", str(FOLDER / "qwen.gguf"), "-c", "16384", "--jinja",
        "--chat-template-file", str(template), "--host", "127.0.0.1", "--port", str(port),
        "-t", str(threads), "-np", "1", "--temp", "0",
    ]  # fmt: skip


# ---------------------------------------------------------------------------- the house


@dataclass
class House:
    """A served demo, and somebody in it."""

    url: str
    client: httpx2.AsyncClient
    key: str = ""
    tools: list[dict[str, Any]] | None = None
    prompt: str = ""

    async def enter(self) -> None:
        login = {"email": "admin@demo.com", "password": "admin123"}
        token = (await self.client.post("/auth/login", json=login)).json()["token"]
        self.client.headers["authorization"] = f"Bearer {token}"
        agents = (await self.client.get("/admin/agents")).json()
        agent = next(one for one in agents if one["name"] == AGENT)
        small = {"max_tokens": MOST_TOKENS, "max_iterations": STEPS}
        changed = await self.client.patch(f"/admin/agents/{agent['id']}", json=small)
        changed.raise_for_status()
        self.prompt = agent["system_prompt"]
        known = {one["name"]: one for one in (await self.client.get("/tools")).json()}
        self.tools = [
            {
                "name": name,
                "description": known[name]["description"],
                "input_schema": known[name]["input_schema"],
            }
            for name in agent["tools"]
            if name in known
        ]
        key = {"name": "model-test", "scopes": ["gateway"], "agent": AGENT}
        made = await self.client.post("/me/keys", json=key)
        made.raise_for_status()
        self.key = made.json()["key"]

    async def run_tool(self, name: str, input: Any) -> tuple[str, bool]:
        """What the tool says, and whether that is an error."""
        answer = await self.client.post(f"/tools/{name}/run", json={"input": input})
        if answer.status_code != 200:
            return answer.json().get("detail", answer.text), True
        said = answer.json()
        result = said.get("result", said)
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return text, bool(said.get("is_error"))

    async def wanted(self, question: Question) -> list[str]:
        text, failed = await self.run_tool(question.tool, question.input)
        assert not failed, text
        return question.want(json.loads(text))


async def by_chat(house: House, question: Question, result: Result) -> None:
    made = await house.client.post("/conversations", json={"agent": AGENT})
    id = made.json()["id"]
    body = {"content": question.text}
    async with house.client.stream("POST", f"/conversations/{id}/messages", json=body) as stream:
        async for line in stream.aiter_lines():
            if not line.startswith("data: "):
                continue
            event = json.loads(line[6:])
            match event["type"]:
                case "text":
                    result.answer += event["content"]
                case "again":
                    result.answer = ""
                case "tool_use":
                    result.calls += 1
                    result.refused += event["is_error"]
                    result.answer = ""
                case "usage":
                    result.replies += 1
                case "error":
                    result.problem = event["content"]


async def by_gateway(
    house: House, question: Question, result: Result, client: anthropic.AsyncAnthropic
) -> None:
    """The SDK with the key of an agent: its tools are offered and run there."""
    messages: list[Any] = [{"role": "user", "content": question.text}]
    while True:
        message = await client.beta.messages.create(
            model=MODEL,
            max_tokens=MOST_TOKENS,
            system=house.prompt,
            messages=messages,
            betas=["mcp-client-2025-11-20"],
        )
        result.replies += 1
        ended = [block for block in message.content if block.type == "mcp_tool_result"]
        result.calls += len(ended)
        result.refused += sum(block.is_error for block in ended)
        last = max((at for at, b in enumerate(message.content) if b.type != "text"), default=-1)
        said = message.content[last + 1 :]
        result.answer = "".join(block.text for block in said if block.type == "text")
        if message.stop_reason != "pause_turn":
            return
        messages.append({"role": "assistant", "content": message.content})


async def by_sdk(
    house: House, question: Question, result: Result, client: anthropic.AsyncAnthropic
) -> None:
    """The SDK's own loop, as anybody would write it: `tool_runner` with these tools."""

    def tool(shape: dict[str, Any]) -> Any:
        async def run(**input: Any) -> str:
            result.calls += 1
            text, failed = await house.run_tool(shape["name"], input)
            if failed:
                result.refused += 1
                raise RuntimeError(text)
            return text

        return anthropic.beta_async_tool(
            run,
            name=shape["name"],
            description=shape["description"],
            input_schema=shape["input_schema"],
        )

    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=MOST_TOKENS,
        system=house.prompt,
        messages=[{"role": "user", "content": question.text}],
        tools=[tool(shape) for shape in house.tools or ()],
        max_iterations=STEPS,
    )
    async for message in runner:
        result.replies += 1
        result.answer = "".join(block.text for block in message.content if block.type == "text")
        if message.stop_reason == "tool_use":
            result.answer = ""


# ---------------------------------------------------------------------------- asking


def is_right(answer: str, wanted: list[str]) -> bool:
    """Whether the answer holds every wanted word or number, however it is written."""
    plain = answer.lower().replace("_", " ").replace("\u00a0", " ")
    digits = re.sub(r"(?<=\d)[.,\s](?=\d{3}\b)", "", plain)
    return all(
        re.search(rf"(?<![\w.,]){re.escape(word.lower().replace('_', ' '))}(?!\w|[.,]\d)", digits)
        for word in wanted
    )


async def ask(
    way: str,
    asking: Callable[[Question, Result], Awaitable[None]],
    question: Question,
    wanted: list[str],
) -> Result:
    result = Result(way, question.text, wanted)
    began = time.monotonic()
    try:
        async with asyncio.timeout(SECONDS):
            await asking(question, result)
    except Exception as error:
        result.problem = f"{type(error).__name__}: {error}"[:300]
    result.seconds = round(time.monotonic() - began, 1)
    result.words = bool(result.answer.strip())
    result.right = result.words and is_right(result.answer, wanted)
    mark = "✓" if result.right else "·" if result.words else "✗"
    said = " ".join((result.answer or result.problem).split())[:110]
    print(
        f"{mark} {way:<8}{result.seconds:>7.0f} s {result.calls:>3} calls {result.refused:>3} refused  "
        f"{question.text} → {said}",
        flush=True,
    )
    return result


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--skip", type=int, default=0, help="leave out the first so many")
    parser.add_argument("--ways", default="chat,gateway,bare")
    parser.add_argument("--url", help="a server of the Messages API that runs already")
    parser.add_argument(
        "--no-probe", action="store_true", help="take the server to honour everything"
    )
    parser.add_argument("--data", help="a data folder to go on with, which was probed before")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    ways = options.ways.split(",")
    upstream, ours = options.url or f"http://127.0.0.1:{free_port()}", free_port()
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="bancada-model-test-") as new:
        data = options.data or new
        folder = Path(data)
        (folder / "bancada.toml").write_text(
            f'[providers.small]\nkind = "compatible"\nbase_url = "{upstream}"\n'
            f'models = ["{MODEL}"]\nmax_context = 16384\nconcurrency = 1\n'
        )
        bancada = str(ROOT / ".venv/bin/bancada")
        serve = [bancada, "serve", "--demo", "--data", data, "--port", str(ours)]
        port = int(upstream.rsplit(":", 1)[1].strip("/"))
        model = running(
            ["sleep", "1000000"] if options.url else llama(port, options.threads),
            upstream, "/health", FOLDER / "llama.log",
        )  # fmt: skip
        url = f"http://127.0.0.1:{ours}"
        async with model:
            if not (options.no_probe or (folder / "bancada.db").exists()):
                print("asking the server what it honours", flush=True)
                doctor = [bancada, "doctor", "--probe", "--demo", "--data", data]
                await asyncio.to_thread(subprocess.run, doctor, check=True)
            async with (
                running(serve, url, "/ready", FOLDER / "bancada.log"),
                httpx2.AsyncClient(base_url=url, timeout=SECONDS) as client,
            ):
                house = House(url, client)
                await house.enter()
                bare = anthropic.AsyncAnthropic(
                    api_key="none", base_url=upstream, timeout=SECONDS, max_retries=0
                )
                through = anthropic.AsyncAnthropic(
                    api_key=house.key, base_url=url, timeout=SECONDS, max_retries=0
                )
                asking: dict[str, Callable[[Question, Result], Awaitable[None]]] = {
                    "chat": lambda q, r: by_chat(house, q, r),
                    "gateway": lambda q, r: by_gateway(house, q, r, through),
                    "bare": lambda q, r: by_sdk(house, q, r, bare),
                }
                # One way after the other: each has a prompt of its own, which the server keeps.
                for way in ways:
                    for question in QUESTIONS[options.skip :][: options.questions]:
                        wanted = await house.wanted(question)
                        results.append(await ask(way, asking[way], question, wanted))
                        keep(results)
    return told(results, ways)


def keep(results: list[Result]) -> None:
    """The whole record so far: a run of hours may be cut short."""
    said = json.dumps([asdict(one) for one in results], indent=2, ensure_ascii=False)
    (FOLDER / "report.json").write_text(said)


def told(results: list[Result], ways: list[str]) -> int:
    """The table, and whether what is ours held: words at every end, and more right than the bare loop."""
    print(f"\n{'way':<9}right  words  calls  refused  replies  seconds")
    for way in ways:
        mine = [one for one in results if one.way == way]
        print(
            f"{way:<9}{sum(one.right for one in mine):>2}/{len(mine):<3}{sum(one.words for one in mine):>4}"
            f"{sum(one.calls for one in mine):>8}{sum(one.refused for one in mine):>9}"
            f"{sum(one.replies for one in mine):>9}{sum(one.seconds for one in mine):>9.0f}"
        )
    silent = [one for one in results if one.way != "bare" and not one.words]
    for one in silent:
        print(f"without a word: {one.way}: {one.question} ({one.problem})")
    right = {way: sum(one.right for one in results if one.way == way) for way in ways}
    behind = [way for way in ways if way != "bare" and right[way] <= right.get("bare", -1)]
    for way in behind:
        print(f"not more right than the bare loop: {way}")
    return 1 if silent or behind else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
