"""Thumbs, and why one is down."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bancada.store import feedback
from tests.server.site import Reader, Site


async def _answered(person: Reader, question: str = "quantos defeitos há?") -> str:
    await person.begins("Qualidade")
    await person.asks(question)
    whole = (await person.get(f"/conversations/{person.conversation}")).json()
    return str(whole["messages"][-1]["id"])


async def test_why_an_answer_was_bad_is_kept_with_the_thumb_and_read_by_an_administrator(
    site: Site,
) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    message = await _answered(rui)
    why = {"reasons": ["wrong", "slow", "wrong"], "comment": " São 12, não 15. "}

    for body in ({"value": -1}, {"value": -1, **why}):
        assert (await rui.post(f"/messages/{message}/feedback", body)).status_code == 204

    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    metadata = whole["messages"][-1]["metadata"]
    said = {"reasons": ["wrong", "slow"], "comment": "São 12, não 15."}
    assert (metadata["feedback"], metadata["feedback_why"]) == (-1, said)
    page = (await admin.get("/admin/feedback", params={"value": -1})).json()
    (seen,) = page["entries"]
    assert page["next"] is None
    assert {key: seen[key] for key in said} == said
    assert (seen["question"], seen["agent"]["name"]) == ("quantos defeitos há?", "Qualidade")
    assert seen["turn_id"] == whole["turn_id"]
    assert (await admin.get("/admin/feedback", params={"value": 1})).json()["entries"] == []


async def test_thumbs_come_in_pages_and_one_taken_back_is_gone(site: Site) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    given = [await _answered(rui, f"olá {n}") for n in range(3)]
    for message in given:
        await rui.post(f"/messages/{message}/feedback", {"value": 1})

    first = (await admin.get("/admin/feedback", params={"limit": 2})).json()
    rest = (await admin.get("/admin/feedback", params={"before": first["next"]})).json()

    told = [one["message_id"] for page in (first, rest) for one in page["entries"]]
    assert (told, rest["next"]) == (given[::-1], None)
    await rui.post(f"/messages/{given[0]}/feedback", {"value": 0})
    left = (await admin.get("/admin/feedback")).json()["entries"]
    assert [one["message_id"] for one in left] == given[:0:-1]


async def test_thumbs_of_the_same_moment_are_not_lost_between_two_pages(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    given = [(who, await _answered(who, f"olá {n}")) for n in range(2) for who in (rui, ana)]
    with monkeypatch.context() as still:
        still.setattr(feedback, "time", SimpleNamespace(time=lambda: 1_790_000_000.25))
        for who, message in given:
            await who.post(f"/messages/{message}/feedback", {"value": 1})

    admin = await site.signs_in("admin")
    told: list[str] = []
    place: dict[str, str] = {}
    while True:
        page = (await admin.get("/admin/feedback", params={"limit": 1, **place})).json()
        told += [one["message_id"] for one in page["entries"]]
        if page["next"] is None:
            break
        place = {"before": page["next"]}
    assert sorted(told) == sorted(message for _, message in given)
    assert (await admin.get("/admin/feedback", params={"before": "ontem"})).status_code == 422


async def test_only_known_reasons_are_taken(site: Site) -> None:
    rui = await site.signs_in("rui")
    message = await _answered(rui)
    answer = await rui.post(f"/messages/{message}/feedback", {"value": -1, "reasons": ["mood"]})
    assert answer.status_code == 422
