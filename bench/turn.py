"""A turn: ours, with gate, audit, record and events, against the SDK's bare stream loop.

`python -m bench.turn` prints one table. One turn is three streamed replies, three tool calls and 80
pieces of text; both sides talk to the same scripted server, which runs in a process of its own
and sends one write an event. Rounds alternate, and the medians of their CPU times are compared.
Aim: at most 1.0 of the SDK's `messages.stream`; 0.5 is the dream.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from anthropic import AsyncAnthropic
from bench._figures import figure

from bancada.domain.agents import Agent
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench, open_workbench
from bancada.settings import load_settings
from bancada.store import agents, conversations, people, tool_settings
from bancada.tools.tool import Tool, tool

MODEL = "claude-sonnet-5-5"
SYSTEM = "You answer questions about a graph of companies and parts. Use the tools. " * 8
QUESTION = "How many parts does Acme supply within two hops, by category?"
CALLS: list[list[tuple[str, dict[str, Any]]]] = [
    [
        ("find_company", {"name": "Acme Corporation", "label": "Company", "limit": 5}),
        ("count_parts", {"node_id": "n-42", "rel_type": "SUPPLIES", "max_depth": 2}),
    ],
    [("run_graph_query", {"query": "MATCH (c)-[:SUPPLIES]->(p) RETURN p.category", "limit": 25})],
    [],
]
TEXTS = [["word "] * 20, [], ["part "] * 60]
PIECES = sum(len(texts) for texts in TEXTS)


# ---------------------------------------------------------------------------- the server


def events(step: int, number: int, offered: dict[str, str]) -> list[bytes]:
    """The stream of one reply: text, then calls whose arguments arrive in six parts."""
    usage = {"input_tokens": 1472, "output_tokens": 80}
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": MODEL}
    said: list[dict[str, Any]] = [
        {
            "type": "message_start",
            "message": {**head, "content": [], "stop_reason": None, "usage": usage},
        }
    ]
    index = 0
    if TEXTS[step]:
        said += block(index, {"type": "text", "text": ""}, "text_delta", "text", TEXTS[step])
        index += 1
    for name, arguments in CALLS[step]:
        use = {"type": "tool_use", "id": f"toolu_{number}_{index}", "input": {}}
        use["name"] = offered[name]
        text = json.dumps(arguments)
        size = -(-len(text) // 6)
        parts = ["", *(text[at : at + size] for at in range(0, len(text), size))]
        said += block(index, use, "input_json_delta", "partial_json", parts)
        index += 1
    reason = "tool_use" if CALLS[step] else "end_turn"
    said.append({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage})
    said.append({"type": "message_stop"})
    return [f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in said]


def block(
    index: int, start: dict[str, Any], kind: str, field: str, parts: list[str]
) -> list[dict[str, Any]]:
    deltas = [
        {"type": "content_block_delta", "index": index, "delta": {"type": kind, field: part}}
        for part in parts
    ]
    begin = {"type": "content_block_start", "index": index, "content_block": start}
    return [begin, *deltas, {"type": "content_block_stop", "index": index}]


async def serve() -> None:
    """Answer each request with the step its messages stand at."""
    number = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal number
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                body = json.loads(await reader.readexactly(length))
                step = sum(message["role"] == "assistant" for message in body["messages"])
                number += 1
                # A framework may offer a tool under a longer name that ends in ours.
                names = [str(each["name"]) for each in body.get("tools", ())]
                offered = {name.rsplit("__", 1)[-1]: name for name in names}
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                    b"transfer-encoding: chunked\r\n\r\n"
                )
                for event in events(step, number, offered):
                    writer.write(b"%x\r\n%b\r\n" % (len(event), event))
                    await asyncio.sleep(0)
                writer.write(b"0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# ---------------------------------------------------------------------------- the tools


@tool
async def find_company(name: str, label: str, limit: int) -> str:
    """Find nodes by name."""
    return '[{"id":"n-42","label":"Company","name":"Acme Corporation"}]'


@tool
async def count_parts(node_id: str, rel_type: str, max_depth: int) -> str:
    """Count nodes related to a node."""
    return '{"count":42,"depth":2}'


@tool
async def run_graph_query(query: str, limit: int) -> str:
    """Run one read-only query."""
    return '[["fasteners",19],["bearings",11],["seals",7],["springs",3],["other",2]]'


TOOLS: dict[str, Tool] = {each.name: each for each in (find_company, count_parts, run_graph_query)}


# ---------------------------------------------------------------------------- the two sides

Turn = Callable[[], Awaitable[int]]
"""Runs one turn and returns how many pieces of text were seen."""


def sdk(url: str) -> Turn:
    """The official client's `messages.stream` and a loop written by hand: nothing is kept."""
    client = AsyncAnthropic(api_key="k", base_url=url, max_retries=0)
    shapes: list[Any] = [
        {"name": each.name, "description": each.description, "input_schema": each.input_schema}
        for each in TOOLS.values()
    ]

    async def turn() -> int:
        messages: list[Any] = [{"role": "user", "content": QUESTION}]
        pieces = 0
        while True:
            async with client.messages.stream(
                model=MODEL, max_tokens=1024, system=SYSTEM, tools=shapes, messages=messages
            ) as stream:
                async for event in stream:
                    pieces += event.type == "text"
                reply = await stream.get_final_message()
            if reply.stop_reason != "tool_use":
                return pieces
            messages.append({"role": "assistant", "content": reply.content})
            uses = [each for each in reply.content if each.type == "tool_use"]
            results = await asyncio.gather(*(run(use.name, use.input) for use in uses))
            messages.append(
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": use.id, "content": result}
                        for use, result in zip(uses, results, strict=True)
                    ],
                }
            )

    return turn


async def run(name: str, input: Any) -> str:
    result: str = await TOOLS[name].run(None, input)  # type: ignore[arg-type]
    return result


@asynccontextmanager
async def ours(url: str, folder: Path, turns: int) -> AsyncIterator[Turn]:
    """A workbench on SQLite. Conversations are there before the clock starts."""
    settings = load_settings(data=folder, environment={}, anthropic_base_url=url, password_cost=1)
    bench = await open_workbench(settings)
    try:
        for each in TOOLS.values():
            bench.registry.add(each)
        await bench.database.run(tool_settings.reconcile, dict(bench.registry.packs()))
        person, waiting = await prepare(bench, turns)

        async def turn() -> int:
            turn_id = await bench.conversations.ask(person, waiting.pop(), QUESTION)
            pieces, last = 0, ""
            async for frames in bench.runner.follow(turn_id):
                for frame in frames:
                    frame.encode(turn_id)
                    pieces += frame.type == "text"
                    last = frame.data
            assert '"status":"done"' in last, last
            return pieces

        yield turn
    finally:
        await bench.close()


async def prepare(bench: Workbench, turns: int) -> tuple[Person, list[str]]:
    organisation = await bench.database.run(people.first_organisation)
    person = await bench.database.run(
        people.add_person,
        organisation_id=organisation,
        email="ana@example.com",
        name="Ana",
        role="operador",
    )
    shape = Agent(name="Graph", description="", system_prompt=SYSTEM, tools=tuple(TOOLS))
    agent = await bench.database.run(agents.add_agent, organisation, shape)
    assert agent.id is not None
    await bench.database.run(agents.grant, person.id, agent.id)
    made = [
        await bench.database.run(
            conversations.add,
            organisation_id=organisation,
            user_id=person.id,
            agent_id=agent.id,
        )
        for _ in range(turns)
    ]
    return person, [each.id for each in made]


# ---------------------------------------------------------------------------- measuring


async def cpu_ms(turn: Turn, turns: int, at_once: int) -> float:
    """Processor time of this process for one turn, all its threads counted."""
    left = turns

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            pieces = await turn()
            assert pieces == PIECES, pieces

    began = time.process_time()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    return (time.process_time() - began) * 1000 / turns


@contextmanager
def scripted() -> Iterator[str]:
    """The address of a server that answers as the script says, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.turn", "--serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


async def measure(rounds: int, turns: int) -> dict[int, tuple[float, float]]:
    """Medians of both sides, by how many turns were under way at once."""
    levels = (1, 32)
    needed = 10 + rounds * turns * len(levels)
    found: dict[int, tuple[float, float]] = {}
    with scripted() as url, tempfile.TemporaryDirectory() as folder:
        async with ours(url, Path(folder), needed) as bancada:
            theirs = sdk(url)
            await cpu_ms(theirs, 5, 1)
            await cpu_ms(bancada, 5, 1)
            for level in levels:
                pairs = [
                    (await cpu_ms(theirs, turns, level), await cpu_ms(bancada, turns, level))
                    for _ in range(rounds)
                ]
                found[level] = (
                    statistics.median(pair[0] for pair in pairs),
                    statistics.median(pair[1] for pair in pairs),
                )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=32)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve())
        return
    print(f"{'turns at once':>14} {'messages.stream':>17} {'bancada':>10} {'ratio':>7}")
    for level, (theirs, bancada) in asyncio.run(measure(options.rounds, options.turns)).items():
        ratio = bancada / theirs
        print(f"{level:>14} {theirs:>14.2f} ms {bancada:>7.2f} ms {ratio:>7.2f}")
        what = f"a turn's CPU, {level} at once"
        aim = 0.8 if level == 1 else 0.45
        figure(what, bancada, theirs, peer="the SDK's messages.stream", unit="ms", aim=aim)


if __name__ == "__main__":
    main()
