"""`bancada eval`: a file, or the conversations that a pack brings, with one agent or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bancada.domain.errors import NotFound
from bancada.engine.workbench import Workbench
from bancada.evaluation.report import CaseReport, evaluate
from bancada.evaluation.script import read_script
from bancada.jobs import agent_called, person_called


async def evaluate_script(
    bench: Workbench,
    email: str | None,
    named: str,
    agents: Sequence[str],
    told: Callable[[CaseReport], None],
) -> list[CaseReport]:
    """Play every case with every agent named, or with the one that the case names.

    `told` hears of each as it ends: a real model takes its time.
    """
    person = await person_called(bench, email)
    file = script_called(bench, named)
    script = read_script(file)
    wanted: Sequence[str | None] = agents or [None]
    reports = []
    for case in script.cases:
        for name in wanted:
            agent = await agent_called(bench, person, name or case.agent or script.agent)
            reports.append(await evaluate(bench, person, agent, case, file.parent))
            told(reports[-1])
    return reports


def script_called(bench: Workbench, named: str) -> Path:
    """The file of that path, or the one that the pack of that name brings."""
    file = Path(named)
    if file.is_file():
        return file
    brought = {pack.name: pack.evaluation for pack in bench.packs if pack.evaluation is not None}
    if named not in brought:
        raise NotFound("no_eval_file", file=named, packs=", ".join(sorted(brought)) or "-")
    return brought[named]
