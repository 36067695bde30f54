"""A turn beside other frameworks' turns: the same server, tools, question and clock; and a turn
whose model writes a program of a hundred calls, beside those who have a place for code.

    make bench-peers                   environments in build/peers, then everything
    python -m bench.peers --litellm    the gateway beside LiteLLM's proxy as well

Each peer runs in an environment of its own, made of its own lock file. Ours keeps gate, audit and
record; theirs keep nothing. Rounds alternate; medians of processor time are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import _programs, turn
from bench._figures import figure

ROOT = Path(__file__).resolve().parents[1]
PLACES = ROOT / "build" / "peers"
LEVELS = (1, 32)
PEERS = {
    "tool_runner": ("anthropic", "the SDK's tool runner"),
    "pydantic_ai_agent": ("pydantic-ai", "pydantic-ai"),
    "langchain_agent": ("langchain", "LangChain's agent"),
    "agent_sdk": ("claude-agent-sdk", "the Claude Agent SDK"),
}
ONE_AT_A_TIME = ("agent_sdk",)
"""A program of 250 MB for each conversation: not thirty-two at once."""
PROGRAMS = 8
"""Turns with a program; each has a container of its own, and a person may have so many."""
PLACES_FOR_CODE = {
    "code_mode": ("pydantic-ai-code", "pydantic-ai's code mode (no pandas)"),
    "smolagents_code": ("smolagents", "smolagents (its own process, no wall)"),
}


def python_of(peer: str) -> Path:
    """The peer's interpreter; its environment is made where there is none."""
    place = PLACES / peer
    lock = ROOT / "requirements" / "peers" / f"{peer}.lock"
    stamp = place / ".installed"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        print(f"Making an environment for {peer} …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        pip = [place / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "--quiet", "--require-hashes", "-r", lock], check=True)
        stamp.touch()
    return place / "bin" / "python"


def theirs(peer: str, driver: str, *arguments: str) -> float:
    """What the driver prints: milliseconds a turn."""
    program = ROOT / "bench" / "drivers" / f"{driver}.py"
    said = subprocess.run(
        [python_of(peer), program, *arguments],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return float(said.split()[-1])


async def measure(rounds: int, turns: int) -> dict[int, dict[str, float]]:
    """Medians by level, then by driver; ours is called `bancada`."""
    found: dict[int, dict[str, list[float]]] = {level: {} for level in LEVELS}
    needed = 10 + rounds * turns * len(LEVELS)
    with turn.scripted() as url, tempfile.TemporaryDirectory() as folder:
        async with turn.ours(url, Path(folder), needed) as ours:
            await turn.cpu_ms(ours, 5, 1)
            for _ in range(rounds):
                for level in LEVELS:
                    took = found[level]
                    took.setdefault("bancada", []).append(await turn.cpu_ms(ours, turns, level))
                    for driver, (peer, _) in PEERS.items():
                        if level > 1 and driver in ONE_AT_A_TIME:
                            continue
                        # Ours stands still meanwhile: one process is measured at a time.
                        many = str(4 if driver in ONE_AT_A_TIME else turns)
                        ms = await asyncio.to_thread(theirs, peer, driver, url, many, str(level))
                        took.setdefault(driver, []).append(ms)
    return {
        level: {name: statistics.median(ms) for name, ms in took.items()}
        for level, took in found.items()
    }


async def measure_programs(turns: int) -> dict[str, float]:
    """Milliseconds of a turn with a program in it, by driver; ours is called `bancada`."""
    found = {}
    for driver, (peer, _) in PLACES_FOR_CODE.items():
        found[driver] = await asyncio.to_thread(theirs, peer, driver, str(turns))
    with tempfile.TemporaryDirectory() as folder:
        async with _programs.ours(Path(folder), turns + 1) as took:
            ours = [ms async for ms in took]
    return {**found, "bancada": statistics.median(ours[1:])}


def gateway_beside_litellm() -> None:
    """`bench/gateway.py` with LiteLLM's proxy; its figures count as ours do."""
    program = python_of("litellm").with_name("litellm")
    subprocess.run(
        [sys.executable, "-m", "bench.gateway", "--litellm", str(program)], cwd=ROOT, check=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--turns", type=int, default=32)
    parser.add_argument("--litellm", action="store_true")
    given = parser.parse_args()
    for peer, _ in (PEERS | PLACES_FOR_CODE).values():
        python_of(peer)
    print(f"{'turns at once':>14} {'peer':<24} {'theirs':>10} {'ours':>10} {'ratio':>7}")
    for level, took in asyncio.run(measure(given.rounds, given.turns)).items():
        ours = took["bancada"]
        for driver, (_, name) in PEERS.items():
            if driver not in took:
                continue
            ms = took[driver]
            print(f"{level:>14} {name:<24} {ms:>7.2f} ms {ours:>7.2f} ms {ours / ms:>7.2f}")
            figure(f"a turn's CPU, {level} at once", ours, ms, peer=name, unit="ms")
    programs = asyncio.run(measure_programs(PROGRAMS))
    ours = programs["bancada"]
    for driver, (_, name) in PLACES_FOR_CODE.items():
        ms = programs[driver]
        print(f"{'program':>14} {name:<38} {ms:>7.0f} ms {ours:>7.0f} ms {ours / ms:>7.2f}")
        figure("a turn with a program of 100 calls", ours, ms, peer=name, unit="ms")
    if given.litellm:
        gateway_beside_litellm()


if __name__ == "__main__":
    main()
