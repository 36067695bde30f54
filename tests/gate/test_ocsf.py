"""Audit lines as events of the Open Cybersecurity Schema Framework."""

from __future__ import annotations

from typing import Any

import pytest

from bancada.gate.administration import note
from bancada.gate.ocsf import event
from bancada.store import audit
from bancada.tools.tool import tool
from tests.house import House


async def events(house: House) -> list[dict[str, Any]]:
    lines = await house.database.read(audit.export, house.organisation_id)
    return [event(line, "1.0") for line in lines]


async def test_a_call_is_api_activity(house: House) -> None:
    @tool(effect="write")
    async def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    await house.add(pay)
    await house.result("pay", {"amount": 3})
    await house.result("pay", {"amount": "much"})
    paid, refused = await events(house)

    assert (paid["class_uid"], paid["activity_id"], paid["type_uid"]) == (6003, 3, 600303)
    assert (paid["category_uid"], paid["status_id"], paid["severity_id"]) == (6, 1, 1)
    assert paid["metadata"]["version"] == "1.3.0"
    assert paid["metadata"]["product"]["name"] == "Bancada"
    assert paid["api"]["operation"] == "pay"
    assert paid["unmapped"]["arguments"] == {"amount": 3}
    assert paid["time"] > 1_000_000_000_000
    assert (refused["status_id"], refused["api"]["response"]["error"]) == (2, "invalid_tool_input")


@pytest.mark.parametrize(
    ("action", "after", "type_uid"),
    [
        ("person_added", {"role": "admin"}, 300101),
        ("person_changed", {"is_active": True}, 300102),
        ("password_set", None, 300103),
        ("link_made", None, 300104),
        ("person_changed", {"is_active": False}, 300105),
        ("person_removed", None, 300106),
        ("person_changed", {"role": "admin"}, 300199),
        ("key_added", None, 600301),
        ("rule_changed", {"is_enabled": False}, 600303),
        ("secret_set", None, 600303),
        ("share_revoked", None, 600304),
        ("signed_in", None, 300201),
    ],
)
async def test_a_change_has_the_class_and_activity_it_is(
    house: House, action: Any, after: Any, type_uid: int
) -> None:
    before = None if after is None or action.endswith("added") else dict.fromkeys(after)
    await house.database.run(
        lambda db: note(db, house.eva, action, "x", id=7, before=before, after=after)
    )
    (shown,) = await events(house)

    assert shown["type_uid"] == type_uid
    assert shown["type_uid"] == shown["class_uid"] * 100 + shown["activity_id"]
    assert shown["category_uid"] == shown["class_uid"] // 1000
    assert shown["actor"]["user"] == {"name": house.eva.email, "uid": str(house.eva.id)}


async def test_a_failed_sign_in_says_why_and_from_where(house: House) -> None:
    await house.database.run(
        lambda db: note(
            db,
            None,
            "sign_in_failed",
            "nobody@x.pt",
            outcome="failed",
            reason="unknown_address",
            address="203.0.113.9",
            count=20,
        )
    )
    (shown,) = await events(house)

    assert (shown["type_uid"], shown["status_id"]) == (300201, 2)
    assert (shown["status_detail"], shown["count"]) == ("USER_DOES_NOT_EXIST", 20)
    assert (shown["user"], shown["src_endpoint"]) == (
        {"name": "nobody@x.pt"},
        {"ip": "203.0.113.9"},
    )
    assert shown["service"]["name"] == "Bancada"
