"""The tools of the workspace: four that look, two that write, and what the two wrote."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from bancada import JSONObject, Services, Tool, ToolContext, ToolFailed, plain, tool
from bancada.packs.workspace.office import Office, singular
from bancada.packs.workspace.periods import MonthRange, period_of

READ = ("direct", "code_execution_20260120")
"""Callers of the read tools: the model itself, and code it writes."""
LEAST_DISK = 200_000_000
"""Bytes; with less free the status says so."""
EVERYONE = "everyone"
ACTIVE_USERS = 42
"""What `getSystemStatus` says in the demo, marked as such."""

Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Day = Annotated[date | None, WithJsonSchema({"type": ["string", "null"], "format": "date"})]
Title = Annotated[str, Field(min_length=1, max_length=200)]


def workspace_tools(
    services: Services, office: Office, *, has: dict[str, bool], missing: str
) -> Sequence[Tool]:
    """All of them; those whose rows are not `has` are switched off, with the sentence why."""
    looking = _reading_tools(office, has=has, missing=missing)
    return (*looking, _status_tool(services, office), *_writing_tools(office))


def _reading_tools(office: Office, *, has: dict[str, bool], missing: str) -> Sequence[Tool]:
    def off(part: str) -> str | None:
        return None if has[part] else missing

    @tool(
        allowed_callers=READ,
        cache_seconds=300,
        same_for_everyone=True,
        data_version=lambda: office.version,
        switched_off=off("documents"),
        outside_content=True,
        examples=({"query": "financial Q4", "category": "Financial"},),
    )
    def searchDocuments(
        context: ToolContext,
        query: Annotated[str, Field(min_length=1, max_length=300)],
        category: Text = None,
        filed_after: Day = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
    ) -> JSONObject:
        """Full-text search in the organisation's documents, best match first.

        Args:
            query: The words to find, without filler: "financial Q4", not a whole question.
            category: Only this category, for example Financial, HR, Operations, IT, Sales or Legal.
            filed_after: Only documents filed on this day or later.
        """
        office.must_be_home(context.person.organisation_id)
        category = category.strip() if category and category.strip() else None
        known = office.categories()
        if category is not None and plain(category) not in map(plain, known):
            return {"total": 0, "documents": [], "known_categories": known}
        after = filed_after.isoformat() if filed_after else None
        rows, total, every_word = office.search(
            query, category=category, filed_after=after, limit=limit
        )
        answer: JSONObject = {"total": total, "documents": [_document(row) for row in rows]}
        if rows and not every_word:
            answer["note"] = "No document has all the words; these have some of them."
        return answer

    @tool(
        allowed_callers=READ,
        switched_off=off("employees"),
        examples=({"role": "manager", "department": "operations"}, {"recent": True, "limit": 3}),
    )
    def getEmployeeList(
        context: ToolContext,
        role: Text = None,
        department: Text = None,
        recent: bool = False,
        hired_after: Day = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 50,
    ) -> JSONObject:
        """List employees with title, department and hire date.

        Args:
            role: For example manager, engineer, technician, analyst, operator or director.
            department: For example Operations, Finance, HR, IT, Sales, Quality or Legal.
            recent: The newest hires first; otherwise by name.
            hired_after: Only those hired on this day or later.
        """
        office.must_be_home(context.person.organisation_id)
        everyone = office.employees(context.person.organisation_id)
        found = [
            row
            for row in everyone
            if _is(role, row["role"], row["title"])
            and _is(department, row["department"])
            and (hired_after is None or row["hired_on"] >= hired_after.isoformat())
        ]
        if recent:
            found.sort(key=lambda row: row["hired_on"], reverse=True)
        answer: JSONObject = {
            "total": len(found),
            "employees": [_employee(row) for row in found[:limit]],
        }
        if role and not any(_is(role, row["role"], row["title"]) for row in everyone):
            answer["known_roles"] = sorted({row["role"] for row in everyone})
        if department and not any(_is(department, row["department"]) for row in everyone):
            answer["known_departments"] = sorted({row["department"] for row in everyone})
        return answer

    @tool(
        allowed_callers=READ,
        cache_seconds=300,
        same_for_everyone=True,
        data_version=lambda: office.version,
        switched_off=off("sales"),
        examples=({"period": "Q4 2024", "group_by": "region"},),
    )
    def getSalesSummary(
        context: ToolContext,
        period: Text = None,
        group_by: Literal["month", "region", "product"] = "month",
    ) -> JSONObject:
        """Revenue (EUR) and units sold in a period, compared with the period before.

        Args:
            period: "2024", "Q4 2024", "Q4" (the newest) or "2024-11"; the newest year if left out.
        """
        office.must_be_home(context.person.organisation_id)
        known = office.months()
        chosen = period_of(period, known)
        groups = office.sales(chosen.first, chosen.last, group_by)
        if not groups:
            raise ToolFailed(
                f"There are no sales in {chosen.name}; they are known from {known[0]} to {known[-1]}."
            )
        revenue = round(sum(row["revenue"] for row in groups), 2)
        return {
            "period": chosen.name,
            "currency": "EUR",
            "revenue": revenue,
            "units": sum(row["units"] for row in groups),
            "previous": _previous(office, chosen, revenue, known[0]),
            "group_by": group_by,
            "groups": [
                {
                    group_by: row["key"],
                    "revenue": round(row["revenue"], 2),
                    "units": row["units"],
                    "share_percent": round(100 * row["revenue"] / revenue, 1) if revenue else 0.0,
                }
                for row in groups
            ],
        }

    @tool(allowed_callers=READ)
    def getTaskList(
        context: ToolContext,
        assignee: Text = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
    ) -> JSONObject:
        """The organisation's tasks, the newest first.

        Args:
            assignee: Only the tasks of this employee.
        """
        organisation_id = context.person.organisation_id
        whose = office.employee(assignee, organisation_id) if assignee else None
        tasks = office.tasks(organisation_id, assignee=whose, limit=limit)
        return {"total": len(tasks), "tasks": tasks}

    @tool(allowed_callers=READ)
    def getAnnouncements(
        context: ToolContext, limit: Annotated[int, Field(ge=1, le=50)] = 5
    ) -> JSONObject:
        """The organisation's announcements, the newest first."""
        sent = office.announcements(context.person.organisation_id, limit=limit)
        return {"total": len(sent), "announcements": sent}

    return searchDocuments, getEmployeeList, getSalesSummary, getTaskList, getAnnouncements


def _status_tool(services: Services, office: Office) -> Tool:
    began = time.monotonic()

    @tool(allowed_callers=READ)
    def getSystemStatus(context: ToolContext) -> JSONObject:
        """Whether the system is healthy: its database, disk and sandbox, and how many people use it."""
        checks: JSONObject = {}
        try:
            checks["database"] = {"ok": True, "answer_ms": round(office.check(), 2)}
        except sqlite3.Error as error:
            checks["database"] = {"ok": False, "error": str(error)}
        free = shutil.disk_usage(services.folder).free
        checks["disk"] = {"ok": free >= LEAST_DISK, "free_gb": round(free / 1e9, 1)}
        healthy = all(check["ok"] for check in checks.values())
        # A machine without a sandbox is well: its code tools are switched off and say so.
        missing = services.jail.missing
        checks["sandbox"] = {"ok": missing is None, **({"reason": missing} if missing else {})}
        word = "healthy" if healthy else "degraded"
        if context.person.organisation_id != services.first_organisation:
            # The machine is the first organisation's: to others it is well, or it is not.
            return {"status": word}
        status: JSONObject = {
            "status": word,
            "uptime_seconds": round(time.monotonic() - began),
            "checks": checks,
        }
        if services.demo:
            status["active_users"] = ACTIVE_USERS
            status["active_users_source"] = "demo"
        return status

    return getSystemStatus


def _writing_tools(office: Office) -> Sequence[Tool]:
    # From code as well: a task for each of many rows is what loops are for, and each one is asked.
    @tool(
        category="action",
        effect="write",
        permission_level="responsavel",
        confirm="always",
        allowed_callers=READ,
        examples=({"title": "Review the Q4 report", "assignee": "John Doe"},),
    )
    def createTask(
        context: ToolContext,
        title: Title,
        description: Annotated[Text, Field(max_length=4000)] = None,
        assignee: Text = None,
        due_date: Day = None,
        priority: Literal["low", "normal", "high"] = "normal",
    ) -> JSONObject:
        """Create a task. A person confirms it first.

        Args:
            title: What is to be done, in one line.
            assignee: The employee who does it, by full name.
        """
        return office.add_task(
            context.person.organisation_id,
            title=_said(title, "title"),
            description=description,
            assignee=office.employee(assignee, context.person.organisation_id)
            if assignee
            else None,
            due_date=due_date.isoformat() if due_date else None,
            priority=priority,
            created_by=context.person.name,
        )

    @tool(category="action", effect="write", permission_level="admin", confirm="always")
    def sendAnnouncement(
        context: ToolContext,
        title: Title,
        message: Annotated[str, Field(min_length=1, max_length=4000)],
        audience: str = EVERYONE,
    ) -> JSONObject:
        """Post an announcement on the organisation's notice board. An administrator confirms it first.

        Args:
            audience: "everyone", or one department.
        """
        reached = _audience(office.employees(context.person.organisation_id), audience)
        sent = office.add_announcement(
            context.person.organisation_id,
            title=_said(title, "title"),
            message=_said(message, "message"),
            audience=reached[0],
            sent_by=context.person.name,
        )
        return {**sent, "recipients": reached[1]}

    return createTask, sendAnnouncement


def _audience(people: Sequence[sqlite3.Row], audience: str) -> tuple[str, int]:
    """Whom an announcement is for, as it is written, and how many employees that is."""
    if plain(audience).strip() in (EVERYONE, "all", "todos"):
        return EVERYONE, len(people)
    reached = [row for row in people if _is(audience, row["department"])]
    if not reached:
        known = ", ".join(sorted({row["department"] for row in people}))
        one_of = f", or one of {known}" if known else ""
        raise ToolFailed(f"There is no department {audience!r}. It is {EVERYONE}{one_of}.")
    return reached[0]["department"], len(reached)


def _said(text: str, field: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise ToolFailed(f"Field '{field}' is empty.")
    return stripped


def _is(wanted: str | None, *values: str) -> bool:
    """Whether a value is what was asked for: itself, or a word of it, in one or many."""
    if wanted is None or not wanted.strip():
        return True
    asked = " ".join(singular(word) for word in plain(wanted).split())
    for value in values:
        words = [singular(word) for word in plain(value).split()]
        if asked == " ".join(words) or asked in words:
            return True
    return False


def _document(row: sqlite3.Row) -> JSONObject:
    filed = date.fromisoformat(row["filed_on"])
    hidden = ("size_mb", "text", "keywords")
    return {key: value for key, value in dict(row).items() if key not in hidden} | {
        "size": f"{row['size_mb']:g} MB",
        "filed_in": f"Q{(filed.month + 2) // 3} {filed.year}",
    }


def _employee(row: sqlite3.Row) -> JSONObject:
    hired = date.fromisoformat(row["hired_on"])
    return dict(row) | {"since": f"{MONTHS[hired.month - 1]} {hired.year}"}


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _previous(office: Office, period: MonthRange, revenue: float, first: str) -> JSONObject | None:
    """The period before, where it is known in full."""
    before = period.before()
    if before.first < first:
        return None
    sold = sum(row["revenue"] for row in office.sales(before.first, before.last, "month"))
    change = round(100 * (revenue - sold) / sold, 1) if sold else None
    return {"period": before.name, "revenue": round(sold, 2), "change_percent": change}
