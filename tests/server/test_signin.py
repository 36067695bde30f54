"""Guessing at passwords: slow, alike for everybody, and nobody else's trouble."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bancada.domain.errors import Invalid
from bancada.engine.passwords import check_password, is_common
from bancada.server import signins
from bancada.server.signins import MOST_PER_PAIR, network_of
from bancada.store.database import Database
from bancada.store.login import Limit, forget, release, reserve, waits
from tests.server.site import Site, half_sent, served


async def guess(site: Site, email: str, password: str = "wrong", address: str = "127.0.0.1") -> Any:
    """From any network address: the one proxy that we trust says so."""
    headers = {"X-Forwarded-For": address}
    return await site.client(**headers).post(
        "/auth/login", json={"email": email, "password": password}
    )


async def test_guesses_made_at_once_all_count(site: Site) -> None:
    answers = await asyncio.gather(*(guess(site, "rui@demo.com") for _ in range(3 * MOST_PER_PAIR)))
    codes = [answer.status_code for answer in answers]
    assert codes.count(401) == MOST_PER_PAIR
    assert codes.count(429) == 2 * MOST_PER_PAIR


async def test_right_passwords_sent_at_once_are_all_taken(site: Site) -> None:
    answers = await asyncio.gather(
        *(guess(site, "rui@demo.com", "rui123") for _ in range(3 * MOST_PER_PAIR))
    )
    assert {answer.status_code for answer in answers} == {200}


async def test_known_and_unknown_addresses_meet_the_same_limits(site: Site) -> None:
    for email in ("rui@demo.com", "nobody@demo.com"):
        codes = [(await guess(site, email)).status_code for _ in range(MOST_PER_PAIR + 1)]
        assert codes == [401] * MOST_PER_PAIR + [429]
        refused = await guess(site, email)
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.headers["retry-after"] in refused.json()["detail"]


async def test_guesses_from_elsewhere_never_slow_an_owner(site: Site) -> None:
    assert (await guess(site, "rui@demo.com", "rui123", "10.0.0.1")).status_code == 200
    for number in range(2, 5):
        for _ in range(MOST_PER_PAIR + 1):
            last = await guess(site, "rui@demo.com", address=f"10.0.0.{number}")
        assert last.status_code == 429
    assert (await guess(site, "rui@demo.com", "rui123", "10.0.0.1")).status_code == 200


async def test_a_crowd_of_strangers_does_not_stand_before_who_has_been_here(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await guess(site, "rui@demo.com", "rui123", "10.0.0.1")).status_code == 200
    lanes: signins.SignInLanes = site.app.state.lanes
    # Every place of the strangers' is taken, and stays taken.
    for _ in range(signins.AT_ONCE):
        await lanes.of(False).acquire()
    stranger = asyncio.create_task(guess(site, "rui@demo.com", "rui123", "10.0.0.2"))
    owner = await asyncio.wait_for(guess(site, "rui@demo.com", "rui123", "10.0.0.1"), 10)
    assert owner.status_code == 200
    assert not stranger.done()
    for _ in range(signins.AT_ONCE):
        lanes.of(False).release()
    assert (await stranger).status_code == 200


async def test_one_address_that_tries_many_accounts_must_wait(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signins, "MOST_PER_ADDRESS", 15)
    monkeypatch.setattr(signins, "ADDRESS_SECONDS", 60.0)
    codes = [
        (await guess(site, f"p{n}@demo.com", address="10.0.0.9")).status_code for n in range(16)
    ]
    assert codes == [401] * 15 + [429]
    assert (await guess(site, "rui@demo.com", "rui123", "10.0.0.8")).status_code == 200


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("?", "?"),
    ],
)
def test_of_ipv6_a_whole_customers_network_is_one_address(address: str, network: str) -> None:
    assert network_of(address) == network


async def test_a_guess_is_taken_again_when_the_wait_is_over(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, now = Limit("pair:x", 3, 60.0), time.time()

    def at(seconds: float) -> Callable[[], float]:
        return lambda: now + seconds

    monkeypatch.setattr("bancada.store.login.time.time", at(0))
    assert [await database.run(reserve, limit) for _ in range(3)] == [0, 0, 0]
    assert await database.run(reserve, limit) == pytest.approx(60, abs=0.01)
    monkeypatch.setattr("bancada.store.login.time.time", at(60.1))
    assert await database.run(reserve, limit) == 0
    assert await database.run(reserve, limit) > 59
    await database.run(release, limit)
    assert await database.run(reserve, limit) == 0
    await database.run(forget, limit)
    assert await database.run(waits, limit) == 0


async def test_guesses_at_once_find_only_the_room_there_is_on_either_database(
    database: Database,
) -> None:
    # Several accounts: the race is between the first guesses at one, which find no row yet.
    for account in range(10):
        pair, address = Limit(f"pair:{account}", 5, 60.0), Limit(f"address:{account}", 50, 6.0)
        waited = await asyncio.gather(*(database.run(reserve, pair, address) for _ in range(25)))
        assert sum(1 for wait in waited if wait == 0) == 5


# ---------------------------------------------------------------------------- passwords


@pytest.mark.parametrize(
    "password",
    ["1234567890", "password123", "P@ssw0rd2024!", "qwertyuiop", "aaaaaaaaaa", "palavrapasse1",
     "abcdefghij", "benfica2024", "admin-admin1", "1q2w3e4r5t", "abababababab", "eva.lopes1",
     "Portugal2026", "9876543210"],
)  # fmt: skip
def test_what_is_guessed_first_is_refused(password: str) -> None:
    with pytest.raises(Invalid):
        check_password(password, "eva.lopes@example.com", demo=False)


@pytest.mark.parametrize(
    "password",
    ["correct horse battery", "cabine-2 amarela", "Xk4!pq9zLm", "long enough", "o rio passa ali"],
)
def test_a_password_of_ones_own_is_taken(password: str) -> None:
    assert not is_common(password)
    check_password(password, "eva@example.com", demo=False)


async def test_outside_the_demo_short_and_common_passwords_are_refused_with_a_sentence(
    folder: Path,
) -> None:
    async with served(folder, demo=False) as site:
        admin = await site.signs_in("admin")
        for password, said in (("short one", "10 caracteres"), ("password123", "adivinham")):
            body = {"email": "nova@example.com", "password": password}
            answer = await admin.post("/admin/users", body)
            assert answer.status_code == 422
            assert said in answer.json()["detail"]
        change = {"current": "admin123", "new": "qwertyuiop"}
        assert (await admin.post("/me/password", change)).status_code == 422


# ---------------------------------------------------------------------------- at full cost


async def _spent(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


@pytest.mark.long
async def test_unknown_sign_ins_at_full_cost_neither_stop_the_server_nor_tell_who_exists(
    folder: Path,
) -> None:
    async with served(folder, password_cost=3) as site:
        client = site.client()
        hashed = await _hash_at_full_cost(site)
        idle = statistics.median([await _spent(lambda: client.get("/health")) for _ in range(20)])
        # Made before: twenty clients take seconds of the loop that they share with the server.
        clients = [site.client() for _ in range(20)]
        crowd = asyncio.gather(
            *(
                one.post("/auth/login", json={"email": f"nobody{n}@demo.com", "password": "wrong"})
                for n, one in enumerate(clients)
            )
        )
        busy = []
        while not crowd.done():
            busy.append(await _spent(lambda: client.get("/health")))
        await crowd
        assert len(busy) > 5
        assert max(busy) < idle + 0.1, (idle, max(busy))

        known, unknown = [], []
        for turn in range(20):
            where = f"10.1.0.{turn}"
            known.append(await _spent(lambda w=where: guess(site, hashed, address=w)))  # type: ignore[misc]
            unknown.append(await _spent(lambda w=where: guess(site, "no@demo.com", address=w)))  # type: ignore[misc]
        apart = abs(statistics.median(known) - statistics.median(unknown))
        noise = statistics.stdev(known) + statistics.stdev(unknown)
        assert apart < noise, (statistics.median(known), statistics.median(unknown), noise)


async def _hash_at_full_cost(site: Site) -> str:
    """Somebody whose password was set at the cost of a real installation."""
    admin = await site.signs_in("admin")
    body = {"email": "full@demo.com", "password": "a slow password"}
    assert (await admin.post("/admin/users", body)).status_code == 201
    return "full@demo.com"


# ---------------------------------------------------------------------------- before the body


async def test_who_asks_is_known_before_a_body_is_read(site: Site) -> None:
    json = {"Content-Type": "application/json"}
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    rui = await site.signs_in("rui")
    token = {"Authorization": rui.client.headers["Authorization"]}
    assert "401" in await half_sent(site, "/conversations", json)
    assert "401" in await half_sent(site, "/conversations/17/upload", form)
    assert "401" in await half_sent(site, "/chat", {**json, "X-API-Key": "bk_none"})
    assert "403" in await half_sent(site, "/admin/users", {**json, **token})
    waits = await half_sent(site, "/conversations", {**json, **token}, 1)
    assert waits == "waits for the body"


# ---------------------------------------------------------------------------- hosts


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8321", 401), ("localhost", 401), ("[::1]:80", 401), ("LOCALHOST.", 401),
        ("bancada.example.com", 401), ("a.apps.example.com:443", 401),
        ("evil.example.com", 421), ("apps.example.com", 421), ("notapps.example.com", 421),
        ("127.0.0.1.evil.com", 421), ("localhost.evil.com", 421),
    ],
)  # fmt: skip
async def test_only_names_of_this_machine_and_configured_ones_are_answered(
    folder: Path, host: str, status: int
) -> None:
    allowed = ["bancada.example.com", "*.apps.example.com"]
    async with served(folder, allowed_hosts=allowed) as site:
        answer = await site.client(Host=host).get("/me")
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        if status == 421:
            assert "BANCADA_ALLOWED_HOSTS" in answer.json()["detail"]
        assert (await site.client(Host=host).get("/health")).status_code == 200
