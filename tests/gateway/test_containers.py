"""A client's container is one, whichever process its requests come to, and goes when it is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic
from sqlalchemy import select, update

from bancada.sandbox import OutputFile
from bancada.store.people import person_by_email
from bancada.store.tables import audit_entries, files, gateway_containers, journal
from tests.gateway.counter import Counter, counter
from tests.gateway.test_code import SUM, asking, converse, paused
from tests.gateway.vendor import runs, says, vendor
from tests.server.site import served


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """Where to serve from, and what to serve with, on each database."""
    if request.param == "sqlite":
        return request.getfixturevalue("folder"), {}
    return tmp_path, {"database_url": request.getfixturevalue("postgres_url")}


@asynccontextmanager
async def two_processes(
    folder: Path, postgres_url: str, *answers: Any
) -> AsyncIterator[tuple[AsyncAnthropic, AsyncAnthropic]]:
    """Two servers of one database, and a client of each with the same key."""
    async with vendor(*answers) as behind:
        shared: dict[str, Any] = {
            "database_url": postgres_url,
            "anthropic_base_url": behind.address,
            "secret_key": ["one key for both, of at least thirty-two bytes"],
        }
        async with served(folder / "a", **shared) as a, served(folder / "b", **shared) as b:
            at, beside = Counter(a, behind), Counter(b, behind)
            _, key = await at.key()
            yield at.client(key), beside.client(key)
            await at.close()
            await beside.close()


async def test_of_two_requests_for_one_container_at_once_one_is_told_to_wait(
    kept: tuple[Path, dict[str, Any]],
) -> None:
    folder, settings = kept
    async with counter(folder, says(runs(SUM)), says("Ao todo 2."), **settings) as at:
        client, _, body = await paused(at)

        ended = await asyncio.gather(
            *(client.messages.create(**body) for _ in range(2)), return_exceptions=True
        )

        [refused] = [each for each in ended if isinstance(each, BaseException)]
        assert isinstance(refused, anthropic.BadRequestError)
        assert "in use by another request" in str(refused)
        [went_on] = [each for each in ended if not isinstance(each, BaseException)]
        assert [block.input for block in went_on.content] == [{"region": "S"}]


async def test_of_two_requests_in_two_processes_one_is_told_to_wait(
    tmp_path: Path, postgres_url: str
) -> None:
    async with two_processes(tmp_path, postgres_url, says(runs(SUM)), says("2.")) as (a, b):
        body = await first_call(a)

        ended = await asyncio.gather(
            a.messages.create(**body), b.messages.create(**body), return_exceptions=True
        )

        assert sorted(type(each).__name__ for each in ended) == ["BadRequestError", "Message"]


async def test_code_goes_on_in_whichever_process_the_next_request_comes_to(
    tmp_path: Path, postgres_url: str
) -> None:
    answers = [says(runs(SUM)), says("Ao todo 30."), says(runs("t += 1\nprint(t)")), says("31.")]
    async with two_processes(tmp_path, postgres_url, *answers) as (a, b):
        turns = iter([b, a, b, a])

        *_, last = await converse(
            a,
            lambda name, input: {"N": "10", "S": "20"}[input["region"]],
            between=lambda: asyncio.sleep(0, next(turns)),
        )

        assert last.content[0].content.stdout == "30\n"
        # The first process has a container of this id still, and did not see where it ended.
        body = asking(container=last.container.id)
        [more] = await converse(b, lambda name, input: "", body=body)
        assert more.content[1].content.stdout == "31\n"


async def first_call(client: AsyncAnthropic) -> dict[str, Any]:
    """Code that waits for its first call, and the request that answers it."""
    message = await client.messages.create(**asking())
    said = [block.model_dump(exclude_none=True) for block in message.content]
    answer = {"type": "tool_result", "tool_use_id": message.content[-1].id, "content": "1"}
    body = asking({"role": "assistant", "content": said}, {"role": "user", "content": [answer]})
    assert message.container is not None
    return {**body, "container": message.container.id}


@pytest.mark.parametrize(
    "past", [{"expires_at": 1.0}, {"held_until": 1.0}], ids=["expired", "unused"]
)
async def test_a_container_that_is_over_goes_with_its_journal_and_files(
    kept: tuple[Path, dict[str, Any]], past: dict[str, float]
) -> None:
    folder, settings = kept
    code = runs("open('a.txt', 'w').write('x')")
    async with counter(folder, says(code), says("Feito."), retention_days=30, **settings) as at:
        bench = at.site.bench
        [_] = await converse(await at.sdk(), lambda name, input: "")
        [path] = await bench.database.run(
            lambda db: db.execute(select(files.c.path)).scalars().all()
        )
        await bench.retention.chore()
        assert await kept_rows(at, journal), "what can still be used stays"

        await bench.database.run(lambda db: db.execute(update(gateway_containers).values(past)))
        await bench.retention.chore()

        for table in (gateway_containers, journal, files):
            assert not await kept_rows(at, table)
        assert await bench.files.file(path) is None
        said = [row.content for row in await kept_rows(at, audit_entries) if row.kind == "changed"]
        assert any("container" in str(one) for one in said)


async def test_a_container_that_a_request_has_now_does_not_go(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("2.")) as at:
        await paused(at)
        held = {"expires_at": 1.0, "held_until": time.time() + 60}
        bench = at.site.bench
        await bench.database.run(lambda db: db.execute(update(gateway_containers).values(held)))

        await bench.retention.chore()

        assert await kept_rows(at, gateway_containers)


async def kept_rows(at: Counter, table: Any) -> list[Any]:
    return await at.site.bench.database.run(lambda db: list(db.execute(select(table))))


async def test_a_file_that_code_wrote_is_fetched_with_a_key_for_the_gateway(folder: Path) -> None:
    code = runs("open('a.txt', 'w').write('olá')")
    async with counter(folder, says(code), says("Feito.")) as at:
        client = await at.sdk(scopes=("gateway",))
        [message] = await converse(client, lambda name, input: "")
        id = message.content[1].content.content[0].file_id

        about = await client.beta.files.retrieve_metadata(id)
        content = await client.beta.files.download(id)

        assert (about.filename, about.size_bytes) == ("a.txt", 4)
        assert (await content.read()).decode() == "olá"
        for another in ("admin", "rui"):
            with pytest.raises(anthropic.NotFoundError):
                await (await at.sdk(another)).beta.files.download(id)


async def test_a_key_for_the_gateway_does_not_open_what_a_chat_made(folder: Path) -> None:
    async with counter(folder, says("Sim.")) as at:
        rui = await at.site.bench.database.run(person_by_email, "rui@demo.com")
        assert rui is not None
        kept = await at.site.bench.files.keep(
            OutputFile(name="a.txt", content=b"x", media_type="text/plain"),
            organisation_id=rui.organisation_id,
            user_id=rui.id,
            conversation_id="c1",
        )
        client = await at.sdk(scopes=("gateway",))

        with pytest.raises(anthropic.NotFoundError):
            await client.beta.files.download(kept["id"])
