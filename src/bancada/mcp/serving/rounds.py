"""What a client carries from one round of a request to the next, and what it answers.

A tool that asks runs again from its beginning with all that was answered so far. What was
answered travels with the client, sealed; nothing waits in memory, so any process may go on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp import types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from bancada.domain.json import JSONObject, dumps
from bancada.mcp.serving.desk import Context
from bancada.tools.inquiries import AnswerNeeded, Inquiry, InquiryAnswer
from bancada.tools.validation import Validator


@dataclass
class Answers:
    """How a tool asks here: what is answered is handed over, what is not ends the call."""

    given: dict[str, InquiryAnswer] = field(default_factory=dict)
    open: list[Inquiry] = field(default_factory=list)
    """What the call ended on."""

    async def __call__(self, *inquiries: Inquiry) -> Mapping[str, InquiryAnswer]:
        missing = [one for one in inquiries if not fits(one, self.given.get(one.key))]
        if missing:
            self.open += missing
            raise AnswerNeeded(missing)
        return {one.key: self.given[one.key] for one in inquiries}

    async def put(self, ctx: Context) -> Answers:
        """Put what is open to a client of before 2026, in mid-call; all that is answered then."""
        given = dict(self.given)
        for one in self.open:
            said = await ctx.session.elicit_form(one.message, one.schema, ctx.request_id)
            given[one.key] = InquiryAnswer(action=said.action, content=dict(said.content or {}))
        return Answers(given)

    def as_json(self) -> JSONObject:
        return {key: vars(answer) for key, answer in self.given.items()}


@dataclass(frozen=True)
class Round:
    """One request of a chain: what came back sealed, and what the client answers now."""

    confirmation_id: str | None = None
    given: Mapping[str, InquiryAnswer] = field(default_factory=dict)
    responses: Mapping[str, InquiryAnswer] = field(default_factory=dict)

    @staticmethod
    def of(params: types.InputResponseRequestParams) -> Round:
        state: dict[str, Any] = json.loads(params.request_state or "{}")
        return Round(
            confirmation_id=state.get("confirmation"),
            given=answers_from(state.get("answers") or {}),
            responses=responses_of(params.input_responses or {}),
        )

    @property
    def answers(self) -> Answers:
        return Answers({**self.given, **self.responses})


def responses_of(responses: Mapping[str, Any]) -> dict[str, InquiryAnswer]:
    """What a client answers, by key; an answer to something else than a form is nothing to us."""
    said: dict[str, InquiryAnswer] = {}
    for key, one in responses.items():
        try:
            answer = types.ElicitResult.model_validate(one)
        except ValidationError:
            continue
        said[key] = InquiryAnswer(action=answer.action, content=dict(answer.content or {}))
    return said


def answers_from(stored: Mapping[str, Any]) -> dict[str, InquiryAnswer]:
    return {key: InquiryAnswer(**one) for key, one in stored.items()}


def fits(inquiry: Inquiry, answer: InquiryAnswer | None) -> bool:
    """Whether this answers it: a no does, and a yes that has the form's shape."""
    if answer is None:
        return False
    return answer.action != "accept" or Validator(inquiry.schema).problem(answer.content) is None


def form(message: str, schema: JSONObject) -> types.ElicitRequest:
    params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    return types.ElicitRequest(params=params)


def asking(answers: Answers) -> types.InputRequiredResult:
    """The questions a call ended on; the client comes back with answers."""
    return types.InputRequiredResult(
        input_requests={one.key: form(one.message, one.schema) for one in answers.open},
        request_state=dumps({"answers": answers.as_json()}),
    )


def lacking(capability: dict[str, Any], message: str) -> MCPError:
    """The request cannot be served to a client that does not have this."""
    return MCPError(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, {"requiredCapabilities": capability}
    )
