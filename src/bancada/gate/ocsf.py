"""Audit lines in the shape of the Open Cybersecurity Schema Framework, for a collector of events.

Calls and changes of things are API Activity (6003), changes of people Account Change (3001),
sign-ins Authentication (3002). What the schema has no place for stands under `unmapped`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bancada.domain.json import JSONObject

VERSION = "1.3.0"
"""Of the schema; the three classes are the same in every 1.x."""

API, ACCOUNT, AUTHENTICATION = 6003, 3001, 3002
OTHER = 99
CRUD = {0: "Unknown", 1: "Create", 2: "Read", 3: "Update", 4: "Delete"}
ON_ACCOUNTS = {
    1: "Create",
    2: "Enable",
    3: "Password Change",
    4: "Password Reset",
    5: "Disable",
    6: "Delete",
    OTHER: "Other",
}
NAMES = {API: CRUD, ACCOUNT: ON_ACCOUNTS, AUTHENTICATION: {1: "Logon"}}
CLASSES = {API: "API Activity", ACCOUNT: "Account Change", AUTHENTICATION: "Authentication"}
ENDINGS = {
    "added": 1, "made": 1, "started": 1, "set": 3, "changed": 3, "removed": 4, "retired": 4,
    "revoked": 4, "ended": 4,
}  # fmt: skip
DETAILS = {
    "wrong_password": "INVALID_CREDENTIALS",
    "bad_key": "INVALID_CREDENTIALS",
    "bad_token": "INVALID_CREDENTIALS",
    "unknown_address": "USER_DOES_NOT_EXIST",
    "disabled": "ACCOUNT_DISABLED",
}
ONGOING = ("waiting", "started")


@dataclass(frozen=True)
class _Kind:
    class_uid: int
    activity_id: int
    says: JSONObject


def event(line: JSONObject, product_version: str) -> JSONObject:
    """One line of the audit's export as an OCSF event."""
    kind = _kind(line)
    status_id, status = _status(line)
    shown: JSONObject = {
        "class_uid": kind.class_uid,
        "class_name": CLASSES[kind.class_uid],
        "category_uid": kind.class_uid // 1000,
        "activity_id": kind.activity_id,
        "activity_name": NAMES[kind.class_uid][kind.activity_id],
        "type_uid": kind.class_uid * 100 + kind.activity_id,
        "time": round(line["at"] * 1000),
        "severity_id": 1 if status_id != 2 else 2,
        "status_id": status_id,
        "status": status,
        "metadata": {
            "version": VERSION,
            "product": {"name": "Bancada", "vendor_name": "Bancada", "version": product_version},
            "uid": f"{line['organisation_id']}-{line['id']}",
            "log_name": "audit",
            "sequence": line["id"],
        },
        "actor": {"user": _user(line.get("person"), line.get("person_id"))},
        "src_endpoint": _source(line),
        **kind.says,
        "unmapped": {name: line[name] for name in UNMAPPED if line.get(name) is not None},
    }
    if isinstance(line.get("duration_ms"), int | float):
        shown["duration"] = round(line["duration_ms"])
    return shown


UNMAPPED = (
    "organisation_id", "category", "action", "arguments", "asked_arguments", "decision",
    "decided_by", "agent_id", "caller", "role", "scope", "subject", "how", "before", "after",
    "conversation_id", "turn_id", "entries", "throttled", "untold_before",
)  # fmt: skip


def _kind(line: JSONObject) -> _Kind:
    category, action = line.get("category"), str(line.get("action") or "")
    about = _user(line.get("about"), line.get("about_id"))
    if category == "sign_in":
        says: JSONObject = {"user": about, "service": {"name": "Bancada"}, "is_remote": True}
        if line.get("reason"):
            says["status_detail"] = DETAILS.get(line["reason"], str(line["reason"]))
        if line.get("count"):
            says["count"] = line["count"]
        return _Kind(AUTHENTICATION, 1, says)
    if category == "people":
        return _Kind(ACCOUNT, _on_account(action, line), {"user": about})
    if category != "call":
        thing = {"type": category, "name": str(line.get("about") or ""), **_uid(line, "about_id")}
        activity = ENDINGS.get(action.rpartition("_")[2], 0)
        return _Kind(API, activity, {"api": {"operation": action}, "resources": [thing]})
    activity = {"read": 2, "write": 3}.get(str(line.get("effect")), 0)
    api: JSONObject = {"operation": line["tool"], "request": {"uid": line["call_id"]}}
    if line.get("tool_version"):
        api["version"] = str(line["tool_version"])
    if line.get("error"):
        api["response"] = {"error": str(line.get("outcome")), "error_message": str(line["error"])}
    return _Kind(API, activity, {"api": api})


def _on_account(action: str, line: JSONObject) -> int:
    if action == "person_changed":
        active = (line.get("after") or {}).get("is_active")
        return OTHER if active is None else 2 if active else 5
    known = {"person_added": 1, "password_set": 3, "link_made": 4, "person_removed": 6}
    return known.get(action, OTHER)


def _status(line: JSONObject) -> tuple[int, str]:
    outcome = str(line.get("outcome") or line.get("state"))
    if outcome == "ok":
        return 1, "Success"
    return (OTHER, outcome) if outcome in ONGOING else (2, "Failure")


def _user(name: Any, id: Any) -> JSONObject:
    user: JSONObject = {"name": str(name or "unknown")}
    return user if id is None else {**user, "uid": str(id)}


def _uid(line: JSONObject, name: str) -> JSONObject:
    return {} if line.get(name) is None else {"uid": str(line[name])}


def _source(line: JSONObject) -> JSONObject:
    """Where it came from: an address where it is known, else the door."""
    if line.get("address"):
        return {"ip": line["address"]}
    caller = line.get("caller") or {}
    return {"name": str(line.get("via") or caller.get("via") or caller.get("type") or "start")}
