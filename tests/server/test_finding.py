"""A person's list of conversations: pinned, archived, and found by what was said in them."""

from __future__ import annotations

from typing import Any

from tests.server.site import Reader, Site


async def _asked(person: Reader, question: str) -> str:
    await person.begins("Qualidade")
    await person.asks(question)
    return person.conversation


async def _listed(person: Reader, **how: Any) -> list[dict[str, Any]]:
    answer = await person.get("/conversations", params=how)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


async def test_a_search_finds_only_ones_own_words_and_says_where(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    mine = await _asked(rui, "quantos defeitos há na prensa amarela?")
    await _asked(ana, "a prensa amarela está parada")

    (found,) = await _listed(rui, q="PRENSA amarela")

    assert found["id"] == mine
    hits = [piece["text"] for piece in found["passage"]["pieces"] if piece["hit"]]
    assert hits[:2] == ["prensa", "amarela"]
    whole = (await rui.get(f"/conversations/{mine}")).json()
    assert found["passage"]["message_id"] in [message["id"] for message in whole["messages"]]
    assert [one["passage"] for one in await _listed(rui)] == [None]


async def test_an_archived_conversation_leaves_the_list_until_it_is_used_again(site: Site) -> None:
    rui = await site.signs_in("rui")
    kept = await _asked(rui, "olá do arquivo")
    changed = await rui.patch(f"/conversations/{kept}", {"archived": True})
    assert changed.json()["archived"] is True

    assert await _listed(rui) == []
    assert [one["id"] for one in await _listed(rui, archived=True)] == [kept]
    assert [one["id"] for one in await _listed(rui, q="arquivo")] == [kept]

    await rui.asks("e agora?")
    assert [one["archived"] for one in await _listed(rui)] == [False]


async def test_pinned_conversations_can_be_listed_apart(site: Site) -> None:
    rui = await site.signs_in("rui")
    first, second = await _asked(rui, "um"), await _asked(rui, "dois")
    await rui.patch(f"/conversations/{first}", {"pinned": True})

    assert [one["id"] for one in await _listed(rui, pinned=True)] == [first]
    assert [one["id"] for one in await _listed(rui, pinned=False)] == [second]
    assert [(one["id"], one["pinned"]) for one in await _listed(rui)] == [
        (second, False),
        (first, True),
    ]
    await rui.patch(f"/conversations/{first}", {"pinned": False})
    assert await _listed(rui, pinned=True) == []


async def test_a_question_that_was_put_differently_is_not_found_in_its_old_words(
    site: Site,
) -> None:
    rui = await site.signs_in("rui")
    await _asked(rui, "quantos defeitos? girafa")
    await rui.post(f"/conversations/{rui.conversation}/retry", {"content": "quantos defeitos?"})
    await rui.patch(f"/conversations/{rui.conversation}", {"title": "x"})

    assert await _listed(rui, q="girafa") == []
