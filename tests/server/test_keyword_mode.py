"""A conversation switched to keywords: the same gate, no model, and the audit says so."""

from __future__ import annotations

import json
from pathlib import Path

from bancada.testing import ScriptedModel
from tests.server.site import served


async def test_a_conversation_in_keyword_mode_asks_no_model_and_says_how_it_called(
    folder: Path,
) -> None:
    model = ScriptedModel([])
    async with served(folder, model=model) as site:
        rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
        await rui.begins("Qualidade")
        changed = await rui.patch(f"/conversations/{rui.conversation}", {"mode": "keyword"})
        assert changed.json()["mode"] == "keyword"

        events = await rui.asks("Qual é o defeito mais frequente?")

        exported = (await admin.get("/admin/audit/export")).text.splitlines()

    assert events[0].data["model"] == "offline"
    assert events[-1].data["status"] == "done"
    (use,) = [event.data for event in events if event.type == "tool_use"]
    assert use["caller"] == {"type": "direct", "via": "keyword"}
    assert json.loads(exported[-1])["caller"] == use["caller"]
    assert model.requests == []
