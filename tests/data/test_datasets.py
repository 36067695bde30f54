"""A conversation's data sets: received, named, found again, forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bancada.data.datasets import Dataset, Uploads
from bancada.data.problems import DataProblem
from bancada.sandbox import Sandbox
from tests.data.desk import Shelf, given

pytestmark = pytest.mark.asyncio(loop_scope="session")

CSV = "id,tipo\n1,lixo\n2,gordura\n"


@pytest.fixture
def uploads(tmp_path: Path, sandbox: Sandbox) -> Uploads:
    (tmp_path / "received.csv").write_text(CSV)
    return Uploads(tmp_path / "uploads", Shelf(tmp_path / "datasets"), given(sandbox))


def being_read(uploads: Uploads) -> list[str]:
    return [path.name for path in uploads.scratch.folder.iterdir() if path.name != "lock"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "received.csv"


async def test_an_upload_is_listed_with_its_message(uploads: Uploads, source: Path) -> None:
    uploaded = await uploads.receive("c1", source, "Produção.csv")
    assert uploaded.dataset.table == "producao"
    assert uploaded.dataset.rows == 2
    assert uploaded.message.startswith("[FICHEIRO CARREGADO: Produção.csv]")
    assert await uploads.of_conversation("c1") == [uploaded.dataset]
    assert (await uploads.file(uploaded.dataset)).path.exists()
    assert being_read(uploads) == []
    assert source.exists(), "the received file is its sender's to remove"


async def test_the_same_name_twice_gets_a_number(uploads: Uploads, source: Path) -> None:
    first = await uploads.receive("c1", source, "a.csv")
    second = await uploads.receive("c1", source, "a.csv")
    elsewhere = await uploads.receive("c2", source, "a.csv")
    assert [each.dataset.table for each in (first, second, elsewhere)] == ["a", "a_2", "a"]


async def test_two_at_once_do_not_get_one_name(uploads: Uploads, source: Path) -> None:
    both = await asyncio.gather(*(uploads.receive("c1", source, "a.csv") for _ in range(3)))
    assert {each.dataset.table for each in both} == {"a", "a_2", "a_3"}


async def test_reserved_names_are_not_given_away(
    tmp_path: Path, source: Path, sandbox: Sandbox
) -> None:
    source.write_text(CSV)
    uploads = Uploads(
        tmp_path, Shelf(tmp_path / "datasets"), given(sandbox), reserved=lambda: {"defeitos"}
    )
    assert (await uploads.receive("c1", source, "defeitos.csv")).dataset.table == "defeitos_2"


async def test_the_rows_are_in_the_message_for_an_agent_without_queries(
    uploads: Uploads, source: Path
) -> None:
    plain = await uploads.receive("c1", source, "a.csv")
    full = await uploads.receive("c1", source, "a.csv", with_rows=True)
    assert "Dados completos" not in plain.message
    assert "Dados completos (primeiras 100 linhas):\nid,tipo\n1,lixo" in full.message


async def test_a_refused_file_is_not_listed(uploads: Uploads, source: Path) -> None:
    with pytest.raises(DataProblem):
        await uploads.receive("c1", source, "a.pdf")
    assert await uploads.of_conversation("c1") == []


async def test_what_is_listed_while_it_is_called_off_keeps_its_file(
    tmp_path: Path, source: Path, sandbox: Sandbox
) -> None:
    begun, going_on = asyncio.Event(), asyncio.Event()

    class SlowShelf(Shelf):
        async def add(
            self, dataset: Dataset, file: Path, message: str, instead_of: Dataset | None = None
        ) -> str:
            begun.set()
            await going_on.wait()
            return await super().add(dataset, file, message, instead_of)

    source.write_text(CSV)
    shelf = SlowShelf(tmp_path / "kept")
    uploads = Uploads(tmp_path / "uploads", shelf, given(sandbox))
    receiving = asyncio.create_task(uploads.receive("c1", source, "a.csv"))
    await begun.wait()
    receiving.cancel()
    asyncio.get_running_loop().call_soon(going_on.set)
    with pytest.raises(asyncio.CancelledError):
        await receiving
    (listed,) = await uploads.of_conversation("c1")
    assert shelf.path(listed).exists()


async def test_what_cannot_be_listed_is_not_kept(
    tmp_path: Path, source: Path, sandbox: Sandbox
) -> None:
    class FullShelf(Shelf):
        async def add(
            self, dataset: Dataset, file: Path, message: str, instead_of: Dataset | None = None
        ) -> str:
            raise OSError("disk full")

    source.write_text(CSV)
    uploads = Uploads(tmp_path / "uploads", FullShelf(tmp_path / "kept"), given(sandbox))
    with pytest.raises(OSError, match="disk full"):
        await uploads.receive("c1", source, "a.csv")
    assert being_read(uploads) == []


async def test_the_catalogue_tells_the_conversations_tables(uploads: Uploads, source: Path) -> None:
    assert await uploads.catalogue("c1") is None
    await uploads.receive("c1", source, "a.csv")
    assert await uploads.catalogue("c1") == "a (2 linhas, de a.csv): id integer, tipo text"


async def test_forgetting_a_conversation_removes_its_files_only(
    uploads: Uploads, source: Path
) -> None:
    gone = await uploads.receive("c1", source, "a.csv")
    kept = await uploads.receive("c2", source, "a.csv")
    await uploads.forget("c1")
    assert await uploads.of_conversation("c1") == []
    assert not (await uploads.file(gone.dataset)).path.exists()
    assert (await uploads.file(kept.dataset)).path.exists()


async def test_a_file_counts_as_being_read_until_it_is_done_or_refused(
    uploads: Uploads, source: Path
) -> None:
    work = asyncio.create_task(uploads.receive("c1", source, "folder/a.csv"))
    await asyncio.sleep(0)
    assert [(one.name, one.share) for one in uploads.reading("c1")] == [("a.csv", 0.0)]
    assert uploads.reading("c2") == ()
    await work
    assert uploads.reading("c1") == ()
    with pytest.raises(DataProblem):
        await uploads.receive("c1", source, "a.txt")
    assert uploads.reading("c1") == ()
