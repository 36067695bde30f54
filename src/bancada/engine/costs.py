"""What replies cost, and whether the next one may still be paid for."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from bancada.domain.errors import BancadaError
from bancada.domain.events import ErrorCode
from bancada.engine.money import CHARACTERS, Payer, may_cost
from bancada.engine.turn import Turn
from bancada.model.model import Began, Reply, Request
from bancada.model.weight import tokens_about
from bancada.store.replies import ReplyRow, Spending
from bancada.store.reservations import SetAside


class BudgetSpent(BancadaError):
    """The month's money is gone; asked before the next paid call."""

    code: ErrorCode = "budget_exceeded"


class BudgetUnderWay(BudgetSpent):
    """What is left may be used up by replies that others wait for."""

    retryable = True
    told = "budget_under_way"


async def check_budget(turn: Turn) -> None:
    """Stop before a reply that nobody allowed paying for. The offline model costs nothing."""
    if turn.route.provider.kind == "offline":
        return
    within_budget(await turn.record.spending(), turn.loaded.person.email)


async def set_aside(turn: Turn, request: Request) -> str | None:
    """Set aside what the reply may cost, where money is limited. Of many turns at once that see the
    same room, only those are asked for that it is enough for."""
    if turn.route.provider.kind == "offline" or not (await turn.record.spending()).is_limited:
        return None
    tokens = tokens_about(request, CHARACTERS)
    usd = may_cost(turn.route, request.model, tokens, request.max_tokens)
    row = turn.loaded.turn
    payer = Payer(organisation_id=row.organisation_id, user_id=row.user_id)

    def check(db: Connection, aside: SetAside) -> None:
        spent = turn.record.look_at_spending(db)
        email = turn.loaded.person.email
        within_budget(spent, email)
        try:
            within_budget(beside(spent, aside), email)
        except BudgetSpent as full:
            raise BudgetUnderWay(f"{full}, with what is under way") from None

    return await turn.money.reserve(payer, usd, check)


def beside(spent: Spending, aside: SetAside) -> Spending:
    """What was spent, and what is set aside as if it were."""
    return replace(
        spent,
        by_person=spent.by_person + aside.for_person,
        by_organisation=spent.by_organisation + aside.for_organisation,
    )


def within_budget(spent: Spending, email: str) -> None:
    """Raises `BudgetSpent` where the person or their organisation may spend no more."""
    if spent.person_limit is not None and spent.by_person >= spent.person_limit:
        raise BudgetSpent(f"{email} has spent {spent.by_person:.2f} USD")
    if spent.organisation_limit is not None and spent.by_organisation >= spent.organisation_limit:
        raise BudgetSpent(f"the organisation has spent {spent.by_organisation:.2f} USD")


def used(
    reply: Reply,
    cost: float | None,
    duration_ms: float,
    *,
    organisation_id: int,
    user_id: int,
    agent_id: int,
    conversation_id: str = "",
    turn_id: str = "",
    key_id: int | None = None,
) -> ReplyRow:
    """What a reply used, as it is counted; one asked for outside a turn has none to name."""
    tokens = reply.usage
    return ReplyRow(
        organisation_id=organisation_id,
        user_id=user_id,
        agent_id=agent_id,
        conversation_id=conversation_id,
        turn_id=turn_id,
        model=reply.model,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        cost_usd=cost,
        is_estimated=tokens.estimated,
        stop_reason=reply.stop_reason,
        duration_ms=duration_ms,
        key_id=key_id,
    )


def usage_of(turn: Turn, reply: Reply, cost: float | None, duration_ms: float) -> ReplyRow:
    """What a reply of the turn used."""
    row = turn.loaded.turn
    return used(
        reply,
        cost,
        duration_ms,
        organisation_id=row.organisation_id,
        user_id=row.user_id,
        agent_id=row.agent_id,
        conversation_id=row.conversation_id,
        turn_id=row.id,
    )


@dataclass
class CutReply:
    """A reply under way: what it would cost if it ended here."""

    began: Began | None = None
    characters: int = 0
    since: float = field(default_factory=time.perf_counter)


async def count_cut(turn: Turn, cut: CutReply) -> None:
    """Put what a reply used that was cut on the books; its words are counted here, by their length."""
    began, cut.began = cut.began, None
    if began is None:
        return
    output = max(began.usage.output, cut.characters // CHARACTERS)
    usage = replace(began.usage, output=output, estimated=True)
    reply = Reply(content=[], stop_reason="", usage=usage, model=began.model)
    cost = turn.price(usage, reply.model)
    row = usage_of(turn, reply, cost, (time.perf_counter() - cut.since) * 1000)
    await turn.record.count(row, None)
