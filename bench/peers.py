"""A turn beside other frameworks' turns: the same server, tools, question and clock.

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

from bench import turn
from bench._figures import figure

ROOT = Path(__file__).resolve().parents[1]
PLACES = ROOT / "build" / "peers"
LEVELS = (1, 32)
PEERS = {
    "tool_runner": ("anthropic", "the SDK's tool runner"),
    "pydantic_ai_agent": ("pydantic-ai", "pydantic-ai"),
    "langchain_agent": ("langchain", "LangChain's agent"),
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


def theirs(peer: str, driver: str, url: str, turns: int, level: int) -> float:
    """Processor milliseconds a turn."""
    program = ROOT / "bench" / "drivers" / f"{driver}.py"
    said = subprocess.run(
        [python_of(peer), program, url, str(turns), str(level)],
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
                        # Ours stands still meanwhile: one process is measured at a time.
                        ms = await asyncio.to_thread(theirs, peer, driver, url, turns, level)
                        took.setdefault(driver, []).append(ms)
    return {
        level: {name: statistics.median(ms) for name, ms in took.items()}
        for level, took in found.items()
    }


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
    for peer, _ in PEERS.values():
        python_of(peer)
    print(f"{'turns at once':>14} {'peer':<24} {'theirs':>10} {'ours':>10} {'ratio':>7}")
    for level, took in asyncio.run(measure(given.rounds, given.turns)).items():
        ours = took["bancada"]
        for driver, (_, name) in PEERS.items():
            ms = took[driver]
            print(f"{level:>14} {name:<24} {ms:>7.2f} ms {ours:>7.2f} ms {ours / ms:>7.2f}")
            figure(f"a turn's CPU, {level} at once", ours, ms, peer=name, unit="ms")
    if given.litellm:
        gateway_beside_litellm()


if __name__ == "__main__":
    main()
