"""News for people, numbered for each; written last in the transaction that they tell of.

A person's numbers are given under a lock that is held until the commit, so whoever has read up to
a number has missed none below it. That lock is taken after every other, in the order of people:
two transactions never hold what the other needs.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text

from bancada.domain.json import JSONObject, dumps
from bancada.domain.news import ApprovalNews, News, Notice
from bancada.domain.people import ROLES, reaches
from bancada.store.endings import at_the_end, tell
from bancada.store.hot import Hot
from bancada.store.tables import news, news_heads, stand_ins, users

KEPT_SECONDS = 7 * 24 * 3600.0
MOST = 500
"""How many are handed over at once; the rest follows."""

_NEXT = Hot(
    text(
        "INSERT INTO news_heads (user_id, number) VALUES (:user, 1) "
        "ON CONFLICT (user_id) DO UPDATE SET number = news_heads.number + 1 RETURNING number"
    ).columns(news_heads.c.number),
    ["user"],
)
_COLUMNS = ("user_id", "number", "data", "at")
_INSERT = Hot(insert(news).values({name: bindparam(name) for name in _COLUMNS}), _COLUMNS)


def add(db: Connection, user_id: int, item: News) -> None:
    """Tell this person, when everything else of the transaction is written."""
    at_the_end(db, _write, (user_id, dict(vars(item))))


def _write(db: Connection, items: list[tuple[int, JSONObject]]) -> None:
    at = time.time()
    for user_id, data in sorted(items, key=lambda item: item[0]):
        number = _NEXT(db, user_id).scalar()
        _INSERT(db, user_id, number, dumps(data), at)
    for user_id in sorted({user_id for user_id, _ in items}):
        tell(db, user_id)


def of_approval(
    db: Connection,
    found: Any,
    item: ApprovalNews | Notice,
    *,
    asker: bool = True,
) -> None:
    """Tell whoever may decide it, their stand-ins, and whoever asked; a reader's rights are looked
    at once more when it is read."""
    told = set(deciders(db, found))
    for user_id in told | ({found.user_id} if asker else set()):
        add(db, user_id, item)


def deciders(db: Connection, found: Any) -> dict[int, str]:
    """Who may decide a confirmation as far as roles go, and their stand-ins: ids and addresses."""
    may: Any = users.c.id == found.user_id
    if found.approver_role is not None:
        may = users.c.role.in_([one for one in ROLES if reaches(one, found.approver_role)])
    ours = select(users.c.id).where(
        users.c.organisation_id == found.organisation_id, users.c.is_active.is_(True), may
    )
    standing = select(stand_ins.c.stand_in_id).where(
        stand_ins.c.person_id.in_(ours),
        stand_ins.c.until > time.time(),
        stand_ins.c.ended_at.is_(None),
    )
    who = ours.union(standing).scalar_subquery()
    rows = db.execute(select(users.c.id, users.c.email).where(users.c.id.in_(who)))
    return {row.id: row.email for row in rows}


def head(db: Connection, user_id: int) -> int:
    """The number of the newest."""
    query = select(news_heads.c.number).where(news_heads.c.user_id == user_id)
    return db.execute(query).scalar() or 0


def is_whole(db: Connection, user_id: int, after: int) -> bool:
    """Whether everything above that number is still here."""
    oldest = db.execute(select(func.min(news.c.number)).where(news.c.user_id == user_id)).scalar()
    newest = head(db, user_id)
    return after == newest or (oldest is not None and oldest <= after + 1 <= newest)


def since(db: Connection, user_id: int, after: int) -> Sequence[tuple[int, JSONObject]]:
    """What this person was told above that number, oldest first."""
    query = (
        select(news.c.number, news.c.data)
        .where(news.c.user_id == user_id, news.c.number > after)
        .order_by(news.c.number)
        .limit(MOST)
    )
    return [(row.number, row.data) for row in db.execute(query)]


def forget_old(db: Connection) -> None:
    db.execute(delete(news).where(news.c.at < time.time() - KEPT_SECONDS))
