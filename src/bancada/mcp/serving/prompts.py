"""Ways to begin: how each of the person's agents is told to work, its starters, and packs' prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp import types
from mcp.shared.exceptions import MCPError

from bancada.data.names import table_name
from bancada.domain.agents import Agent
from bancada.domain.calls import Attachment, Outcome
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.mcp.serving.calls import page
from bancada.mcp.serving.clients import McpClient
from bancada.mcp.serving.desk import Context, Guest, McpDesk
from bancada.mcp.serving.results import result_of
from bancada.mcp.serving.rounds import Round, asking, lacking
from bancada.store import agents
from bancada.tools.inquiries import AnswerNeeded
from bancada.tools.offerings import (
    MakePrompt,
    PackPrompt,
    PromptArgument,
    PromptContext,
    PromptMessage,
)

QUESTION = "question"


@dataclass(frozen=True)
class Prompts:
    """The prompts of whoever asks."""

    desk: McpDesk

    async def listed(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        offered = await self._all(await self.desk.who(ctx))
        shown, following = page([_listed(one) for one in offered], params)
        return types.ListPromptsResult(prompts=shown, next_cursor=following)

    async def get(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        guest, client = await self.desk.who(ctx), McpClient.of(ctx)
        prompt = await self._named(guest, params.name)
        given = dict(params.arguments or {})
        missing = [one.name for one in prompt.arguments if one.required and not given.get(one.name)]
        if missing:
            raise MCPError(types.INVALID_PARAMS, f"{prompt.name} needs {', '.join(missing)}.")
        answers = Round.of(params).answers
        while True:
            try:
                within = PromptContext(person=guest.person, ask=answers)
                messages = await prompt.make(within, given)
                return types.GetPromptResult(
                    description=prompt.description, messages=[_message(one) for one in messages]
                )
            except AnswerNeeded:
                if not client.forms:
                    raise lacking({"elicitation": {}}, f"{prompt.name} asks something.") from None
                if client.modern:
                    return asking(answers)
                answers = await answers.put(ctx)

    async def suggested(self, guest: Guest, name: str, argument: str, begun: str) -> Sequence[str]:
        """Values for an argument."""
        prompt = await self._named(guest, name)
        if prompt.suggest is None:
            return ()
        return await prompt.suggest(guest.person, argument, begun)

    async def names(self, guest: Guest) -> list[str]:
        return [one.name for one in await self._all(guest)]

    async def _named(self, guest: Guest, name: str) -> PackPrompt:
        for one in await self._all(guest):
            if one.name == name:
                return one
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name}")

    async def _all(self, guest: Guest) -> list[PackPrompt]:
        """Packs' own, then each agent's: a name is given once."""
        found = {one.name: one for pack in self.desk.packs for one in pack.prompts}
        mine = await self.desk.gate.database.read(agents.agents_for, guest.person.id)
        for agent in mine:
            if guest.agent_id in (None, agent.id):
                for one in await self._of_agent(agent, guest.person):
                    found.setdefault(one.name, one)
        return list(found.values())

    async def _of_agent(self, agent: Agent, person: Person) -> list[PackPrompt]:
        starters = await self.desk.starters(agent, person)
        slug = table_name(agent.name)

        async def suggest(_: Person, argument: str, begun: str) -> Sequence[str]:
            return [one for one in starters if one.lower().startswith(begun.lower())]

        async def instructed(_: PromptContext, given: Mapping[str, str]) -> list[PromptMessage]:
            text = await self.desk.prompt(agent, person)
            question = given.get(QUESTION, "")
            return [PromptMessage(content=part) for part in (text, question) if part]

        told = Wording("mcp_agent_prompt", agent=agent.name, description=agent.description)
        whole = PackPrompt(
            name=f"agent_{slug}",
            description=told.told(person.language),
            arguments=(PromptArgument(name=QUESTION),),
            make=instructed,
            suggest=suggest,
        )
        begun = [
            PackPrompt(
                name=f"{slug}_{at}",
                description=Wording("mcp_starter", agent=agent.name).told(person.language),
                make=_saying(starter),
            )
            for at, starter in enumerate(starters, 1)
        ]
        return [whole, *begun]


def _saying(text: str) -> MakePrompt:
    async def make(_: PromptContext, __: Mapping[str, str]) -> list[PromptMessage]:
        return [PromptMessage(content=text)]

    return make


def _listed(one: PackPrompt) -> types.Prompt:
    return types.Prompt(
        name=one.name,
        description=one.description,
        arguments=[
            types.PromptArgument(
                name=each.name, description=each.description or None, required=each.required
            )
            for each in one.arguments
        ],
    )


def _message(one: PromptMessage) -> types.PromptMessage:
    content = one.content
    if isinstance(content, Attachment):
        outcome = Outcome(content="", attachments=(content,))
    else:
        outcome = Outcome(content=content if isinstance(content, str) else [content])
    (block,) = result_of(outcome, None, modern=True).content
    return types.PromptMessage(role=one.role, content=block)
