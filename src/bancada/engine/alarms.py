"""What a scheduled run was to look for, and whether it is there.

A finding has a key by which it is known again: what was there at the last run and still is tells
nobody a second time. What cannot be looked at is said, never passed over.
"""

from __future__ import annotations

import hashlib
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bancada.domain.calls import BrokenRule
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.domain.wording import Wording

SHOWN_POINTS = 5
COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


@dataclass(frozen=True)
class AlarmFinding:
    """Something that the owner wants to be told of."""

    key: str
    says: Wording


@dataclass(frozen=True, kw_only=True)
class AlarmOutcome:
    """What one look at the figures came to."""

    found: tuple[AlarmFinding, ...] = ()
    unseen: tuple[Wording, ...] = ()
    """What was to be looked at and could not be."""


def of_board(items: Sequence[JSONObject], alarms: Sequence[JSONObject]) -> AlarmOutcome:
    """The findings on a board; an item that was not brought up to date is not looked at."""
    fresh = [item for item in items if item["error"] is None]
    found: dict[str, AlarmFinding] = {}
    unseen: list[Wording] = []
    for alarm in alarms:
        if alarm["kind"] == "rule":
            for item in fresh:
                subject = _digest([item.get("call"), None])
                seen = [BrokenRule.of(one) for one in item.get("broken") or ()]
                found |= {
                    one.key: one for one in _rules(subject, _title(item), seen, alarm.get("rules"))
                }
        else:
            for one in _threshold(items, alarm):
                if isinstance(one, AlarmFinding):
                    found[one.key] = one
                else:
                    unseen.append(one)
    return AlarmOutcome(found=tuple(found.values()), unseen=tuple(unseen))


def of_study(
    study_id: str, title: str, broken: Sequence[BrokenRule] | None, alarms: Sequence[JSONObject]
) -> AlarmOutcome:
    """The findings of a study that was made again."""
    if broken is None:
        return AlarmOutcome(unseen=(Wording("alarm_no_chart", title=title),) if alarms else ())
    found: dict[str, AlarmFinding] = {}
    for alarm in alarms:
        found |= {one.key: one for one in _rules(study_id, title, broken, alarm.get("rules"))}
    return AlarmOutcome(found=tuple(found.values()))


def _rules(
    subject: str, title: str, broken: Sequence[BrokenRule], wanted: Sequence[int] | None
) -> Iterator[AlarmFinding]:
    named: Counter[str] = Counter()
    for one in broken:
        if wanted and one.rule not in wanted:
            continue
        said = {"title": title, "rule": one.rule, "chart": one.chart}
        for points in one.points:
            key = f"rule:{subject}:{one.chart}:{one.rule}:{points[-1]}"
            # Points may be called alike, the parts of one day for example: each is its own finding.
            named[key] += 1
            shown = ", ".join(points[-SHOWN_POINTS:])
            yield AlarmFinding(f"{key}#{named[key]}", Wording("alarm_rule", **said, points=shown))
        if one.times > len(one.points):
            # More than are listed: what comes beyond is known by how many there are.
            more = Wording("alarm_rule_more", **said, n=one.times)
            yield AlarmFinding(f"rule:{subject}:{one.chart}:{one.rule}:{one.times}×", more)


def _threshold(items: Sequence[JSONObject], alarm: JSONObject) -> Iterator[AlarmFinding | Wording]:
    item = next((one for one in items if one["id"] == alarm["item"]), None)
    if item is None:
        yield Wording("alarm_item_gone")
        return
    if item["error"] is not None:
        return  # said already, with why
    value, op, limit = figure(item), alarm["op"], alarm["value"]
    if value is None:
        yield Wording("alarm_no_number", title=_title(item))
    elif COMPARED[op](value, limit):
        says = Wording("alarm_threshold", title=_title(item), value=value, op=op, limit=limit)
        yield AlarmFinding(f"threshold:{item['id']}:{op}:{limit:.12g}", says)


def figure(item: JSONObject) -> float | None:
    """The number that an item shows, if it is one that shows a number."""
    value: JSON = item["data"].get("valor") if item["type"] == "kpi" else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _title(item: JSONObject) -> str:
    return str(item["data"].get("titulo") or "—")


def _digest(what: JSON) -> str:
    return hashlib.sha256(canonical(what)).hexdigest()[:16]
