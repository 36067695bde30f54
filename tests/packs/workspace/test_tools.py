"""What the tools of the workspace answer, and refuse."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bancada import BadDefinition, ToolFailed
from bancada.packs import workspace
from tests.packs.quality.bench import Jail
from tests.packs.workspace.bench import Bench


async def titles(bench: Bench, **search: object) -> list[str]:
    found = await bench.call("searchDocuments", **search)
    return [one["title"] for one in found["documents"]]


async def test_the_printed_documents_come_first_and_with_their_sizes(bench: Bench) -> None:
    found = await bench.call("searchDocuments", query="financial Q4", category="financial")
    assert found["total"] == 3
    assert [(one["title"], one["size"]) for one in found["documents"]][:2] == [
        ("Q4 Financial Report 2024", "2.4 MB"),
        ("Q3 Sales Report", "1.5 MB"),
    ]
    assert {one["filed_in"] for one in found["documents"]} == {"Q4 2024"}


async def test_search_ignores_accents_case_and_endings(bench: Bench) -> None:
    assert await titles(bench, query="MANUTENCAO") == ["Plano de Manutenção 2025"]
    assert await titles(bench, query="contracts logistics") == ["Logistics Contract 2024"]


async def test_when_no_document_has_every_word_those_with_some_are_marked(bench: Bench) -> None:
    found = await bench.call("searchDocuments", query="holidays on Mars")
    assert found["documents"][0]["title"] in ("Holiday Calendar 2025", "Employee Handbook")
    assert "all the words" in found["note"]


@pytest.mark.parametrize(
    "query",
    ['"', "a AND", "NEAR(", "title:x*", "-", "'; DROP TABLE documents; --", "…", "ção" * 90],
)
async def test_any_text_is_a_query_and_none_is_an_error(bench: Bench, query: str) -> None:
    found = await bench.call("searchDocuments", query=query)
    assert found["total"] == len(found["documents"]) or found["total"] > 10
    assert await titles(bench, query="financial Q4", category="Financial")


async def test_an_unknown_category_says_which_exist(bench: Bench) -> None:
    found = await bench.call("searchDocuments", query="x", category="Spaceships")
    assert found["total"] == 0
    assert "Financial" in found["known_categories"]


async def test_documents_can_be_limited_by_day_and_number(bench: Bench) -> None:
    assert await titles(bench, query="plano plan", filed_after="2025-01-01") == [
        "Plano de Manutenção 2025"
    ]
    found = await bench.call("searchDocuments", query="segurança", limit=1)
    assert len(found["documents"]) == 1
    assert found["total"] == 5


async def test_managers_in_operations_are_two_and_john_doe_is_one(bench: Bench) -> None:
    found = await bench.call("getEmployeeList", role="managers", department="OPERATIONS")
    assert found["total"] == 2
    first = found["employees"][0]
    assert (first["name"], first["title"], first["since"]) == (
        "John Doe",
        "Operations Manager",
        "Aug 2021",
    )


async def test_recent_employees_come_newest_first(bench: Bench) -> None:
    found = await bench.call("getEmployeeList", recent=True, limit=3)
    days = [one["hired_on"] for one in found["employees"]]
    assert len(days) == 3
    assert days == sorted(days, reverse=True)
    everyone = await bench.call("getEmployeeList")
    assert days[0] == max(one["hired_on"] for one in everyone["employees"])


async def test_an_unknown_role_or_department_says_which_exist(bench: Bench) -> None:
    found = await bench.call("getEmployeeList", role="astronaut", department="Moon")
    assert found["total"] == 0
    assert "manager" in found["known_roles"]
    assert "Operations" in found["known_departments"]


async def test_the_status_marks_demo_figures_beside_real_ones(tmp_path: Path) -> None:
    bench = Bench(tmp_path, jail=Jail(missing="no namespaces"))
    status = await bench.call("getSystemStatus")
    assert status["status"] == "healthy"
    assert (status["active_users"], status["active_users_source"]) == (42, "demo")
    assert status["checks"]["database"]["answer_ms"] > 0
    assert status["checks"]["sandbox"] == {"ok": False, "reason": "no namespaces"}


async def test_a_broken_database_is_not_healthy(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "workspace.db").write_bytes(b"not a database at all, " * 100)
    for stray in ("workspace.db-wal", "workspace.db-shm"):
        (tmp_path / stray).unlink(missing_ok=True)
    status = await bench.call("getSystemStatus")
    assert status["status"] == "degraded"
    assert status["checks"]["database"]["ok"] is False


async def test_without_the_demo_no_figure_is_invented(tmp_path: Path) -> None:
    bench = Bench(tmp_path, demo=False)
    assert "active_users" not in await bench.call("getSystemStatus")
    assert "--demo" in (bench.tool("searchDocuments").switched_off or "")
    assert bench.tool("createTask").switched_off is None


@pytest.mark.parametrize(
    ("period", "name", "months"),
    [
        ("2024", "2024", 12),
        ("Q4", "Q4 2024", 3),
        ("2023-Q4", "Q4 2023", 3),
        ("2024-11", "2024-11", 1),
    ],
)
async def test_sales_add_up_whatever_they_are_grouped_by(
    bench: Bench, period: str, name: str, months: int
) -> None:
    by_month = await bench.call("getSalesSummary", period=period)
    by_region = await bench.call("getSalesSummary", period=period, group_by="region")
    assert by_month["period"] == name
    assert len(by_month["groups"]) == months
    for answer in (by_month, by_region):
        assert round(sum(one["revenue"] for one in answer["groups"]), 2) == answer["revenue"]
    assert by_month["revenue"] == by_region["revenue"]


async def test_the_change_is_against_the_period_directly_before(bench: Bench) -> None:
    q3 = await bench.call("getSalesSummary", period="Q3 2024")
    q4 = await bench.call("getSalesSummary", period="Q4 2024")
    assert q4["previous"]["revenue"] == q3["revenue"]
    first = await bench.call("getSalesSummary", period="2023")
    assert first["previous"] is None


@pytest.mark.parametrize("period", ["Q5", "yesterday", "1999", "2024-13"])
async def test_a_period_without_sales_is_told_and_not_zero(bench: Bench, period: str) -> None:
    with pytest.raises(ToolFailed, match=r"2024|known"):
        await bench.call("getSalesSummary", period=period)


async def test_a_task_is_kept_for_its_organisation_only(bench: Bench) -> None:
    made = await bench.call("createTask", title="Paint", assignee="john doe", due_date="2026-05-01")
    assert (made["assignee"], made["status"], made["due_date"]) == (
        "John Doe",
        "open",
        "2026-05-01",
    )
    assert (await bench.call("getTaskList"))["tasks"] == [made]
    assert (await bench.call("getTaskList", assignee="Sofia Almeida"))["tasks"] == []
    assert (await bench.call("getTaskList", organisation=2))["tasks"] == []


async def test_a_task_is_not_given_to_somebody_who_does_not_exist(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="Nobody"):
        await bench.call("createTask", title="Paint", assignee="Zé Ninguém")
    with pytest.raises(ToolFailed, match="empty"):
        await bench.call("createTask", title="   ")
    assert (await bench.call("getTaskList"))["tasks"] == []


async def test_an_announcement_says_how_many_it_reaches(bench: Bench) -> None:
    sent = await bench.call(
        "sendAnnouncement", title="Lunch", message="At noon.", audience="quality"
    )
    assert (sent["audience"], sent["recipients"]) == ("Quality", 4)
    assert (await bench.call("getAnnouncements"))["announcements"][0]["title"] == "Lunch"
    assert (await bench.call("getAnnouncements", organisation=2))["total"] == 0
    with pytest.raises(ToolFailed, match="Operations"):
        await bench.call("sendAnnouncement", title="x", message="y", audience="Moon")


async def test_tasks_stay_when_the_pack_is_built_again(bench: Bench, tmp_path: Path) -> None:
    made = await bench.call("createTask", title="Paint")
    again = Bench(tmp_path)
    assert (await again.call("getTaskList"))["tasks"] == [made]
    assert (await again.call("getEmployeeList"))["total"] == 24


async def test_a_command_without_the_demo_leaves_the_demos_rows_where_a_server_reads_them(
    bench: Bench, tmp_path: Path
) -> None:
    command = Bench(tmp_path, demo=False)
    assert (await bench.call("getEmployeeList"))["total"] == 24
    assert (await command.call("searchDocuments", query="financial Q4"))["total"] == 3
    assert "active_users" not in await command.call("getSystemStatus")


async def test_an_organisation_brings_its_own_files(tmp_path: Path) -> None:
    shutil.copytree(Path(workspace.__file__).parent / "demo", tmp_path / "ours")
    people = tmp_path / "ours" / "employees.csv"
    people.write_text(people.read_text("utf-8").replace("John Doe", "Joana Doe"), "utf-8")
    (tmp_path / "ours" / "sales.csv").unlink()
    bench = Bench(tmp_path, demo=False, settings={"data": str(tmp_path / "ours")})
    names = [one["name"] for one in (await bench.call("getEmployeeList"))["employees"]]
    assert "Joana Doe" in names
    assert bench.tool("getSalesSummary").switched_off is not None


def test_a_bad_file_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "employees.csv").write_text(
        "id,name,title,role,department,hired_on\n1,Ana,Boss,manager,HR,yesterday\n"
    )
    with pytest.raises(BadDefinition, match=r"employees\.csv, line 2"):
        Bench(tmp_path, demo=False, settings={"data": str(tmp_path)})
    with pytest.raises(BadDefinition, match="no folder"):
        Bench(tmp_path, demo=False, settings={"data": str(tmp_path / "nowhere")})


async def test_what_is_in_the_workspace_is_one_organisations(bench: Bench) -> None:
    for name, input in (
        ("searchDocuments", {"query": "financial"}),
        ("getEmployeeList", {}),
        ("getSalesSummary", {}),
    ):
        with pytest.raises(ToolFailed, match="Your organisation has no documents"):
            await bench.call(name, organisation=2, **input)
    task = await bench.call("createTask", organisation=2, title="x", assignee="John")
    assert task["assignee"] == "John"
    told = await bench.call("sendAnnouncement", organisation=2, title="t", message="m")
    assert told["recipients"] == 0
    with pytest.raises(ToolFailed) as failed:
        await bench.call(
            "sendAnnouncement", organisation=2, title="t", message="m", audience="Nowhere"
        )
    assert "Operations" not in str(failed.value)


async def test_the_machine_is_told_to_the_first_organisation_only(bench: Bench) -> None:
    assert "disk" in (await bench.call("getSystemStatus"))["checks"]
    assert await bench.call("getSystemStatus", organisation=2) == {"status": "healthy"}
