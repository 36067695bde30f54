"""What a person can do with a conversation: ask, stop, try again."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.errors import Conflict, Forbidden, Invalid, NotFound, NotSignedIn, TooOften
from bancada.domain.events import TurnBegan, as_json
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_block, text_of
from bancada.domain.people import Person
from bancada.domain.turns import UNFINISHED
from bancada.engine.attachments import AttachedFile, attached_to, features, taken
from bancada.engine.context import system_text
from bancada.engine.live import Live
from bancada.engine.models import Models
from bancada.engine.runner import Runner
from bancada.engine.tables import Tables
from bancada.engine.variants import agent_of
from bancada.model.model import ModelFailed
from bancada.store import (
    agents,
    conversations,
    datasets,
    events,
    messages,
    people,
    turns,
)
from bancada.store.conversations import Conversation
from bancada.store.database import Database
from bancada.store.turns import TurnRow

contents = logging.getLogger("bancada.content")

TITLE_CHARS = 60
MOST_CHARS = 200_000
"""The longest question."""

WENT_ON = "The person went on without deciding."


@dataclass(frozen=True, kw_only=True)
class AskedConversation:
    """A conversation of this person's, as a question finds it."""

    conversation: Conversation
    last: TurnRow | None
    has_data: bool


@dataclass
class Conversations:
    """The doors to turns. Each checks, fresh, that the conversation is the person's."""

    database: Database
    runner: Runner
    models: Models
    tables: Tables
    per_organisation: int = 200
    per_person: int = 10
    """Questions that may be under way at once; another is told to wait."""

    # ------------------------------------------------------------------ asking

    async def ask(
        self,
        person: Person,
        conversation_id: str,
        content: str,
        turn_id: str | None = None,
        attachments: Sequence[str] = (),
    ) -> str:
        """Start a turn with a question; returns its id, the given one if one is given. The turn
        runs by itself. `attachments` are what was kept for it."""
        _check_question(content)
        found = await self.database.look(_look, conversation_id, person.id)
        await self._make_room(found.last)
        return await asyncio.shield(self._start(person, found, content, turn_id, attachments))

    async def _start(
        self,
        person: Person,
        found: AskedConversation,
        content: str,
        turn_id: str | None = None,
        attachments: Sequence[str] = (),
        *,
        instead_of: TurnRow | None = None,
    ) -> str:
        """Write the turn down, then run it. To be shielded: whoever asks may go away in between,
        and a turn that was written down is run all the same."""
        conversation_id = found.conversation.id
        known = await self.tables.in_words(found.conversation, person) if found.has_data else None
        blocks = [text_block(text) for text in (content, known) if text]
        contents.debug("%s asks in %s: %s", person.email, conversation_id, content)
        turn, first = await self.database.run(
            self._begin,
            person,
            conversation_id,
            content,
            blocks,
            attachments,
            instead_of,
            turn_id or new_id(),
        )
        self.runner.start(turn, Live(turn.id, [(0, as_json(first))], 1))
        return turn.id

    def _begin(
        self,
        db: Connection,
        person: Person,
        conversation_id: str,
        content: str,
        blocks: list[Block],
        attachments: Sequence[str],
        instead_of: TurnRow | None,
        turn_id: str,
    ) -> tuple[TurnRow, TurnBegan]:
        conversation = conversations.owned(db, conversation_id, person.id)
        agent = self._usable_agent(db, person, conversation)
        self._check_share(db, person)
        if instead_of is not None:
            _check_still_there(db, instead_of)
        attached = taken(db, conversation_id, attachments) if attachments else []
        model = self._model_of(db, agent, conversation, attached)
        changes: JSONObject = {}
        if not conversation.title:
            changes["title"] = title_of(content)
        if "system" not in conversation.settings:
            system = system_text(agent.system_prompt)
            changes["settings"] = {**conversation.settings, "system": system}
        if conversation.archived_at is not None:
            changes["archived_at"] = None
        conversations.change(db, conversation_id, **changes)
        turn = turns.begin(
            db,
            id=turn_id,
            conversation_id=conversation_id,
            organisation_id=conversation.organisation_id,
            user_id=person.id,
            agent_id=conversation.agent_id,
            model=model,
            settings={},
            owner=self.runner.first_owner,
            instead_of=instead_of,
        )
        self.runner.put(db, turn)
        messages.append(
            db,
            conversation_id,
            role="user",
            kind="question",
            # What is shown stands before what is asked about it: models read that best.
            content=[*(one.block for one in attached), *blocks],
            turn_id=turn.id,
            metadata=_about(content, blocks, attached),
        )
        first = TurnBegan(turn_id=turn.id, agent=agent.name, model=model)
        events.add(db, turn.id, 0, as_json(first))
        return turn, first

    def _model_of(
        self,
        db: Connection,
        agent: Agent,
        conversation: Conversation,
        attached: Sequence[AttachedFile],
    ) -> str:
        """The model that is asked first; where nobody may be asked, or what goes with the question
        cannot be shown to it, there is no turn."""
        try:
            route = self.models.routes(agent, conversation)[0]
        except ModelFailed as failed:
            if failed.detail is None:
                raise
            raise Forbidden(failed.detail.key, **failed.detail.parts) from failed
        if attached:
            self.models.refresh(db)
        if not self.models.does(route, features(attached)):
            raise Invalid("attachment_unseen", model=route.model)
        return route.model

    def _check_share(self, db: Connection, person: Person) -> None:
        """Nobody takes all the places: a person has so many turns at once, an organisation too."""
        # One person's questions are counted one after the other. Those of an organisation are not:
        # all its people would wait for each other, and one too many does no harm.
        if not people.hold(db, person.id).is_active:
            raise NotSignedIn("sign_in_first")
        of_organisation, of_person = turns.running(db, person.organisation_id, person.id)
        if of_person >= self.per_person:
            raise TooOften("turns_of_person", n=of_person, seconds=5)
        if of_organisation >= self.per_organisation:
            raise TooOften("turns_of_organisation", n=of_organisation, seconds=5)

    @staticmethod
    def _usable_agent(db: Connection, person: Person, conversation: Conversation) -> Agent:
        if not agents.may_use(db, person.id, conversation.agent_id):
            raise Forbidden("agent_no_longer_yours")
        return agent_of(db, conversation)

    async def _make_room(self, last: TurnRow | None) -> None:
        """A turn that waits ends when the person goes on; one that runs is in the way."""
        if last is None:
            return
        if last.status == "running":
            raise Conflict("turn_running_stop")
        if last.status == "waiting":
            await self.runner.close_waiting(last.id, WENT_ON)

    # ------------------------------------------------------------------ stopping, trying again

    async def stop(self, person: Person, conversation_id: str) -> str:
        """Stop what runs or waits; returns the turn's status afterwards."""
        last = await self.database.read(_last_turn, conversation_id, person.id)
        if last is None or last.status not in ("running", "waiting"):
            raise Conflict("nothing_running")
        if last.status == "waiting":
            await self.runner.close_waiting(last.id, "Stopped by the person.")
        elif not await self.runner.stop(last.id):
            # Its task ended a moment ago, or runs elsewhere; the record tells which.
            await self.runner.stop_elsewhere(last.id)
        after = await self.database.read(_last_turn, conversation_id, person.id)
        return after.status if after is not None else "stopped"

    async def retry(
        self,
        person: Person,
        conversation_id: str,
        content: str | None,
        again: str | None = None,
    ) -> str:
        """Go on with a failed or stopped turn, or ask a question again: the last one in other
        words, or that of the turn named `again`, in the same ones if no others are given. What was
        asked and answered from there on stays in the record, in a branch of its own."""
        if content is not None:
            _check_question(content)
        found = await self.database.look(_look, conversation_id, person.id)
        last = found.last
        if last is None:
            raise Conflict("no_question")
        if last.status == "running":
            raise Conflict("turn_running_stop")
        if content is not None or again is not None:
            turn, asked, attached = await self.database.read(
                _asked, conversation_id, again or last.id
            )
            if turn.aside:
                raise Conflict("turn_changed")
            if last.status == "waiting":
                await self.runner.close_waiting(last.id, WENT_ON)
            return await asyncio.shield(
                self._start(person, found, content or asked, None, attached, instead_of=turn)
            )
        if last.status not in ("failed", "stopped"):
            raise Conflict("cannot_continue")
        await asyncio.shield(self._go_on(person, last))
        return last.id

    async def choose(self, person: Person, conversation_id: str, turn_id: str) -> None:
        """Show, and let the model see, the branch through that turn."""
        await self.database.run(_choose, person, conversation_id, turn_id)

    async def _go_on(self, person: Person, last: TurnRow) -> None:
        carried = await self.database.run(self._take_up, person, last)
        await self.runner.go_on(last.id, cut=not carried, ended=True)

    def _take_up(self, db: Connection, person: Person, last: TurnRow) -> bool:
        """Whether it goes on from the middle of what was said."""
        conversation = conversations.owned(db, last.conversation_id, person.id)
        self._usable_agent(db, person, conversation)
        self._check_share(db, person)
        _check_still_last(db, last)
        kept = messages.of_turn(db, last.id)
        carried = last.status == "stopped" and bool(kept[-1].metadata.get("partial"))
        if not self.runner.resume(
            db, last.id, from_status=last.status, cut=not carried, ended=True
        ):
            raise Conflict("turn_changed")
        events.take_back_end(db, last.id)
        for message in kept:
            if message.metadata.get("refused") or message.metadata.get("mute"):
                messages.drop(db, message.id)
        return carried


def new_id(seed: str = "") -> str:
    """A turn's id: a new one, or the one made of these digits."""
    return f"t{(seed or secrets.token_hex(8))[:16]}"


def _check_question(content: str) -> None:
    if not content.strip():
        raise Invalid("question_empty")
    if len(content) > MOST_CHARS:
        raise Invalid("question_too_long", most=MOST_CHARS)
    try:
        content.encode()
    except UnicodeEncodeError:
        raise Invalid("half_a_pair") from None


def _about(content: str, blocks: list[Block], attached: Sequence[AttachedFile]) -> JSONObject:
    """What is known of a question beside its blocks."""
    about: JSONObject = {"text": content}
    # Beside the question stand the names of tables and columns, as the file has them, or a document.
    if len(blocks) > 1 or attached:
        about["outside"] = True
    if attached:
        about["attachments"] = [one.as_json() for one in attached]
    return about


def title_of(question: str) -> str:
    """A conversation's title is its first question, cut at a word."""
    line = " ".join(question.split())
    if len(line) <= TITLE_CHARS:
        return line
    cut = line[:TITLE_CHARS].rsplit(" ", 1)[0]
    return f"{cut or line[:TITLE_CHARS]}…"


def _last_turn(db: Connection, conversation_id: str, person_id: int) -> TurnRow | None:
    return _look(db, conversation_id, person_id).last


def _look(db: Connection, conversation_id: str, person_id: int) -> AskedConversation:
    conversation = conversations.owned(db, conversation_id, person_id)
    return AskedConversation(
        conversation=conversation,
        last=turns.last_of(db, conversation_id),
        has_data=datasets.has_any(db, conversation_id),
    )


def _asked(db: Connection, conversation_id: str, turn_id: str) -> tuple[TurnRow, str, list[str]]:
    """A turn of this conversation that has a question, the question, and what goes with it."""
    turn = turns.find(db, turn_id)
    kept = [] if turn is None else messages.of_turn(db, turn_id)
    question = next((each for each in kept if each.kind == "question"), None)
    if turn is None or turn.conversation_id != conversation_id or question is None:
        raise NotFound("no_turn_here")
    attached = [one.id for one in attached_to(question)]
    return turn, str(question.metadata.get("text") or text_of(question.content[:1])), attached


def _choose(db: Connection, person: Person, conversation_id: str, turn_id: str) -> None:
    conversations.owned(db, conversation_id, person.id)
    turn, *_ = _asked(db, conversation_id, turn_id)
    turns.choose(db, turn)


def _check_still_there(db: Connection, turn: TurnRow) -> None:
    """Raises `Conflict` where another tab was quicker: the turn stands in the branch that is
    chosen, and nothing goes on."""
    turns.hold(db, turn.conversation_id)
    now, last = turns.find(db, turn.id), turns.last_of(db, turn.conversation_id)
    if now is None or now.aside or (last is not None and last.status in UNFINISHED):
        raise Conflict("turn_changed")


def _check_still_last(db: Connection, turn: TurnRow) -> None:
    """Raises `Conflict` where another tab was quicker: nothing was begun since, nor goes on."""
    turns.hold(db, turn.conversation_id)
    last = turns.last_of(db, turn.conversation_id)
    if last is None or last.id != turn.id or last.status in UNFINISHED:
        raise Conflict("turn_changed")
