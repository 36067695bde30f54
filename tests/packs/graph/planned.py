"""The offline model over a graph: asked as an organisation, answered by the pack's tools."""

from __future__ import annotations

from typing import Any

from bancada import Answered, Results, ToolFailed
from bancada.model import offline_text
from bancada.model.offline import OfflineModel
from bancada.model.planner import Detected
from tests.packs.graph.kit import ANA, Kit


class Planned:
    """What the offline model makes of a question that somebody of an organisation asks."""

    def __init__(self, kit: Kit, organisation_id: int = ANA.organisation_id) -> None:
        self.offline = OfflineModel(kit.pack.intents)
        self._organisation_id = organisation_id

    def detect(self, text: str, tools: list[str] | None = None) -> Detected | None:
        return self.offline.detect(text, tools, organisation_id=self._organisation_id)


async def answer(model: Planned, kit: Kit, question: str) -> tuple[str, list[Answered]]:
    """Plan, call, go on and tell, as a turn does."""
    detected = model.detect(question, sorted(kit.tools))
    assert detected is not None, question
    done: list[Answered] = []
    steps: list[Any] = list(detected.steps)
    while steps:
        for step in steps:
            try:
                done.append(Answered(step=step, result=await kit.run(step.tool, **step.input)))
            except ToolFailed as failed:
                done.append(Answered(step=step, result=str(failed), is_error=True))
        more = detected.intent.then
        steps = list(more(detected.sentence, done)) if more else []
    good = Results(one for one in done if not one.is_error)
    bad = [(one.step.tool, str(one.result)) for one in done if one.is_error]
    if bad and not good:
        return offline_text.failed(bad, detected.sentence.language), done
    return detected.intent.tell(detected.sentence, good), done
