"""Beginning a conversation, and the agent it has: experiments give some a variant of it.

A conversation's variant is chosen when it begins and never changes, so what is compared is
whole conversations.
"""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.errors import BancadaError
from bancada.domain.people import Person
from bancada.policy.experiments import assigned, read_variants, varied
from bancada.store import agents, conversations, experiments
from bancada.store.conversations import Conversation


def begin_conversation(
    db: Connection,
    person: Person,
    agent_id: int,
    *,
    is_listed: bool = True,
    id: str | None = None,
) -> Conversation:
    """A new conversation of this person's; takes part in the agent's experiment, if one runs."""
    row = conversations.add(
        db,
        organisation_id=person.organisation_id,
        user_id=person.id,
        agent_id=agent_id,
        is_listed=is_listed,
        id=id,
    )
    experiment = experiments.running(db, agent_id)
    if experiment is None:
        return row
    variant = assigned(experiment.id, row.id, read_variants(experiment.variants))
    conversations.change(db, row.id, experiment_id=experiment.id, variant=variant.name)
    changed = conversations.find(db, row.id)
    assert changed is not None
    return changed


def agent_of(db: Connection, conversation: Conversation) -> Agent:
    """The conversation's agent, as its variant has it."""
    agent = agents.any_agent(db, conversation.agent_id)
    if conversation.experiment_id is None or conversation.variant is None:
        return agent
    try:
        found = experiments.find(db, conversation.experiment_id, conversation.organisation_id)
    except BancadaError:
        # The experiment was removed: its conversations go on with the agent as it is.
        return agent
    variants = {variant.name: variant for variant in read_variants(found.variants)}
    chosen = variants.get(conversation.variant)
    return agent if chosen is None else varied(agent, chosen)
