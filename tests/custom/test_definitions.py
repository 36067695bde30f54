"""What is refused before it is kept, and the schema that parameter rows mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bancada.custom.databases import Databases, named_database
from bancada.custom.definitions import ToolMachinery, check_definition, make_tool, read_definition
from bancada.custom.egress import Egress
from bancada.custom.organisation import check_settings, hidden, means_of, merged
from bancada.custom.templates import MISSING, filled, looked_up, references
from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Tool, tool
from tests.custom.workshop import NoSandboxes, parameter

MEANS = means_of(
    {
        "egress": ["api.example.com"],
        "secrets": {"TOKEN": "t"},
    },
    {"erp": named_database("erp", "sqlite:////srv/erp.db", 1)},
)


@tool
async def look(query: str, limit: int = 3) -> str:
    """Look something up."""
    return query


@tool(effect="write", permission_level="responsavel", allowed_callers=["direct"])
async def act(what: str) -> str:
    """Do something."""
    return what


@tool(allowed_callers=["code_execution_20260120"])
async def only_code() -> str:
    """For code."""
    return ""


SOMEBODY = Person(
    id=1, organisation_id=1, email="a@example.com", name="A", role="operador", language="en"
)
TOOLS: dict[str, Tool] = {one.name: one for one in (look, act, only_code)}

HTTP: JSONObject = {
    "name": "t",
    "kind": "http",
    "description": "d",
    "parameters": [parameter("a")],
    "definition": {"url": "https://api.example.com/{a}"},
}
PYTHON: JSONObject = {**HTTP, "kind": "python", "definition": {"code": "result = input['a']"}}
CHAIN: JSONObject = {
    **HTTP,
    "kind": "composed",
    "definition": {"steps": [{"name": "s", "tool": "look", "input": {"query": "{a}"}}]},
}


def read(shape: Any, owner_id: int | None = None) -> CustomTool:
    return read_definition(shape, organisation_id=1, created_by=1, owner_id=owner_id)


def check(shape: Any, owner_id: int | None = None) -> JSONObject:
    return check_definition(read(shape, owner_id), MEANS, TOOLS.get)


def made(shape: Any) -> Tool:
    workings = ToolMachinery(egress=Egress(), sandboxes=NoSandboxes(), databases=Databases())
    return make_tool(read(shape), MEANS, workings, TOOLS.get)


@pytest.mark.parametrize("shape", [HTTP, PYTHON, CHAIN], ids=["http", "python", "composed"])
def test_the_examples_are_good(shape: JSONObject) -> None:
    assert check(shape)["required"] == ["a"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": ""}, "name: must be letters"),
        ({"name": "a b"}, "^name: must be letters"),
        ({"name": "x" * 65}, "^name: must be letters"),
        ({"name": "code_execution"}, "^name: must be letters"),
        ({"kind": "shell"}, "^kind: must be 'http' or 'sql'"),
        ({"description": "  "}, "^description: must have at least 1"),
        ({"definition": []}, "^definition: must be an object"),
        ({"effect": "maybe"}, "^effect: must be 'read' or 'write'"),
        ({"category": "other"}, "^category: must be"),
        ({"permission_level": "root"}, "^permission_level: must be"),
        ({"requires_confirmation": "no"}, "true or false"),
        ({"allowed_callers": ["moon"]}, r"^allowed_callers\.0: must be"),
        ({"allowed_callers": []}, "^allowed_callers: has too few"),
        ({"surprise": 1}, "^surprise: is not known here"),
        ({"description": "x" * 200_000}, "^description: must have at most"),
        ({"parameters": [parameter("a", description="x" * 200_000)]}, "larger than 100,000"),
        ({"parameters": {}}, "^parameters: must be a list"),
        (
            {"parameters": [parameter("a"), parameter("a")]},
            "^parameters: two parameters are called a",
        ),
        ({"parameters": [parameter("a b")]}, r"^parameters\.0\.name: must be letters"),
        ({"parameters": [parameter("a", "date")]}, r"^parameters\.0\.type: must be"),
        ({"parameters": [parameter("a", constraints={"type": "string"})]}, "constraints"),
        ({"parameters": [parameter("a", constraints={"minimum": "x"})]}, "Parameter a"),
        ({"parameters": [parameter("a", constraints={"pattern": "("})]}, "Parameter a"),
        (
            {"parameters": [parameter("a", constraints={"minimun": 1})]},
            r"^parameters\.0\.constraints\.minimun: must be",
        ),
        ({"parameters": [parameter("a", "array", constraints={"items": 3})]}, "Parameter a"),
        ({"parameters": [parameter("a", is_required="yes")]}, "true or false"),
        (
            {"parameters": [parameter("a", is_required=True, default_value="x")]},
            "needs no default",
        ),
        (
            {"parameters": [parameter("a", "integer", default_value="x")]},
            "does not fit",
        ),
        (
            {"parameters": [parameter("a", default_value="x", constraints={"enum": ["y"]})]},
            "does not fit",
        ),
        ({"parameters": [parameter(f"p{n}") for n in range(51)]}, "at most 50"),
    ],
)
def test_a_tool_that_could_not_work_is_refused_with_the_reason(
    change: JSONObject, why: str
) -> None:
    with pytest.raises(Invalid, match=why):
        check({**HTTP, **change})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"url": None}, r"^definition\.url: must be text"),
        ({"url": "ftp://api.example.com/{a}"}, r"^definition\.url: must be https"),
        ({"url": "https://{a}.example.com/"}, "host is written out"),
        ({"url": "https://api.example.com@evil.example/{a}"}, "host is written out"),
        ({"url": "https://api.example.com:{a}/"}, "host is written out"),
        ({"url": "https://evil.example/{a}"}, "not among the hosts"),
        ({"url": "http://api.example.com/{a}"}, "not among the hosts"),
        ({"url": "https://api.example.com:8443/{a}"}, "not among the hosts"),
        ({"url": "https://api.example.com/{a}#x"}, "without a fragment"),
        ({"url": "https://api.example.com/{a}/{b}"}, "cannot be left out"),
        ({"url": "https://api.example.com/{secret:TOKEN}/{a}"}, "belongs in a header"),
        ({"url": "https://api.example.com/{a"}, "single"),
        ({"url": "https://api.example.com/"}, "a is not used"),
        ({"method": "BREW"}, r"^definition\.method: must be"),
        ({"method": "POST"}, "effect is 'write'"),
        ({"body": {}}, "has no body"),
        ({"headers": {"Host": "evil"}}, "cannot be set"),
        ({"headers": {"X-A": "{b}"}}, "not a parameter"),
        ({"headers": {"X-A": "{secret:OTHER}"}}, "no secret of that name"),
        ({"headers": {"X-A": 1}}, r"^definition\.headers\.X-A: must be text"),
        ({"headers": {"X-A": "a\nb"}}, "line break"),
        ({"query": []}, r"^definition\.query: must be an object"),
        ({"result": 1}, r"^definition\.result: must be text"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": 61}, "timeout"),
        ({"timeout": "10"}, "timeout"),
        ({"proxy": "x"}, r"^definition\.proxy: is not known"),
    ],
)
def test_a_request_that_could_not_be_made_is_refused(change: JSONObject, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        check({**HTTP, "definition": {**HTTP["definition"], **change}})


@pytest.mark.parametrize(
    ("definition", "why"),
    [
        ({}, r"^definition\.code: is needed"),
        ({"code": "  "}, "'result'"),
        ({"code": "def f(:"}, "line 1"),
        ({"code": "print(1)"}, "'result'"),
        ({"code": "result = 1\x00"}, "cannot be read|line"),
        ({"code": "result = " + "(" * 5_000}, "line 1|cannot be read"),
        ({"code": "result = " + "-" * 19_000 + "1"}, "cannot be read"),
        ({"code": "result = 1", "timeout": 100}, "timeout"),
        ({"code": "result = 1", "files": []}, r"^definition\.files: is not known"),
    ],
)
def test_a_program_that_could_not_run_is_refused(definition: JSONObject, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        check({**PYTHON, "definition": definition})


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([], r"^definition\.steps: has too few"),
        ([{"tool": "look", "input": {"query": "{a}"}}] * 21, r"^definition\.steps: has too many"),
        ([{}], r"^definition\.steps\.0\.tool: is needed"),
        ([{"tool": "t", "input": {}}], "cannot call itself"),
        ([{"tool": "nothing", "input": {"query": "{a}"}}], "no tool called"),
        ([{"tool": "only_code", "input": {}}], "from code only"),
        ([{"tool": "look", "input": {}}], "needs the field 'query'"),
        ([{"tool": "look", "input": {"query": "{a}", "x": 1}}], "no field 'x'"),
        ([{"tool": "look", "input": {"query": "x", "limit": "y"}}], "'limit'"),
        ([{"tool": "look", "input": {"query": "{b}"}}], "no parameter and no earlier step"),
        ([{"name": "s", "tool": "look", "input": {"query": "{s}"}}], "no earlier step"),
        ([{"name": "a", "tool": "look", "input": {"query": "{a}"}}], "Two things are called"),
        ([{"tool": "look", "input": {"query": "x"}}], "a is not used"),
        ([{"tool": "look", "input": {"query": "{secret:TOKEN} {a}"}}], "no secrets"),
        ([{"tool": "act", "input": {"what": "{a}"}}], "effect is 'write'"),
        (
            [{"tool": "look", "input": {"query": "{a}"}, "loop": 1}],
            r"^definition\.steps\.0\.loop: is not known",
        ),
        ([{"name": "a b", "tool": "look", "input": {"query": "{a}"}}], "letters, digits"),
    ],
)
def test_a_chain_that_could_not_run_is_refused(steps: list[JSONObject], why: str) -> None:
    with pytest.raises(Invalid, match=why):
        check({**CHAIN, "definition": {"steps": steps}})


def test_a_persons_own_tool_has_no_secrets_no_databases_and_asks_before_it_writes() -> None:
    headers = {**HTTP["definition"], "headers": {"X": "{secret:TOKEN}"}}
    with pytest.raises(Invalid, match="secrets"):
        check({**HTTP, "definition": headers}, owner_id=1)
    sql = {"database": "erp", "sql": "SELECT :a"}
    with pytest.raises(Invalid, match="databases"):
        check({**HTTP, "kind": "sql", "definition": sql}, owner_id=1)
    writes = {
        **HTTP,
        "effect": "write",
        "requires_confirmation": False,
        "definition": {**HTTP["definition"], "method": "POST"},
    }
    with pytest.raises(Invalid, match="requires_confirmation"):
        check(writes, owner_id=1)
    assert check(writes)


def test_the_schema_is_made_of_the_rows() -> None:
    shape = {
        **PYTHON,
        "parameters": [
            parameter("a", description="The first.", constraints={"enum": ["x", "y"]}),
            parameter("n", "integer", default_value=3, constraints={"minimum": 1}),
            parameter(
                "many", "array", is_required=False, constraints={"items": {"type": "number"}}
            ),
        ],
    }
    assert check(shape) == {
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "The first.", "enum": ["x", "y"]},
            "n": {"type": "integer", "minimum": 1, "default": 3},
            "many": {"type": "array", "items": {"type": "number"}},
        },
        "required": ["a"],
        "additionalProperties": False,
    }


def test_rows_may_be_written_as_json_schema_has_them() -> None:
    rows: list[JSONObject] = [
        {"name": "a", "type": "string", "required": True, "enum": ["x", "y"]},
        {"name": "n", "type": "integer", "default": 3, "minimum": 1},
        {"name": "o", "type": "object", "required": False, "constraints": {"required": ["z"]}},
    ]
    ours = [
        parameter("a", constraints={"enum": ["x", "y"]}),
        parameter("n", "integer", default_value=3, constraints={"minimum": 1}),
        parameter("o", "object", is_required=False, constraints={"required": ["z"]}),
    ]
    assert check({**PYTHON, "parameters": rows}) == check({**PYTHON, "parameters": ours})


def test_a_chain_says_of_itself_what_its_steps_are() -> None:
    writes = made(
        {
            **CHAIN,
            "effect": "write",
            "definition": {
                "steps": [
                    {"tool": "look", "input": {"query": "{a}"}},
                    {"tool": "act", "input": {"what": "{step1}"}},
                ]
            },
        }
    )
    assert (writes.effect, writes.permission_level) == ("write", "responsavel")
    assert writes.allowed_callers == ("direct",)
    assert writes.calls is not None
    first, second = writes.calls({"a": "x"})
    assert (first.tool, first.input) == ("look", {"query": "x"})
    assert (second.tool, second.input) == ("act", None)
    reads = made(CHAIN)
    assert reads.effect == "read"
    assert not reads.brings_outside_content(SOMEBODY)
    assert made(HTTP).brings_outside_content(SOMEBODY)


def test_a_chain_whose_step_is_off_says_so_in_both_languages() -> None:
    off = replace(look, switched_off="no log here")
    workings = ToolMachinery(egress=Egress(), sandboxes=NoSandboxes(), databases=Databases())
    why = make_tool(read(CHAIN), MEANS, workings, {"look": off}.get).switched_off
    assert isinstance(why, Wording)
    assert why.told("en") == "its step s needs look: no log here"
    assert why.told("pt") == "o passo s precisa de look: no log here"


def test_without_a_sandbox_a_program_is_switched_off_and_says_why() -> None:
    assert "no sandbox" in (made(PYTHON).switched_off or "")


# ---------------------------------------------------------------------------- templates


def fill(template: Any, **values: Any) -> Any:
    return filled(template, lambda reference: looked_up(values, reference))


def test_a_reference_alone_keeps_its_type_and_inside_a_text_becomes_text() -> None:
    assert fill("{n}", n=3) == 3
    assert fill("{n} of {m}", n=3, m=[1, {"a": None}]) == '3 of [1,{"a":null}]'
    assert fill({"a": ["{x}", "{{x}}"], "{{b}}": True}, x={"y": 1}) == {
        "a": [{"y": 1}, "{x}"],
        "{b}": True,
    }
    assert fill("{a.b.1.c}", a={"b": [0, {"c": "deep"}]}) == "deep"
    assert fill("{a.-1}", a=[1, 2]) == 2


def test_a_value_is_never_read_as_a_template_again() -> None:
    assert fill("{a} {b}", a="{b}", b="{a}") == "{b} {a}"


def test_what_was_left_out_leaves_its_field_out() -> None:
    assert fill({"a": "{x}", "b": "[{x}]", "c": ["{x}", 1]}) == {"b": "[]", "c": [1]}
    assert fill("{x}") is MISSING


@pytest.mark.parametrize("way", ["{a.9}", "{a.b}", "{s.0}", "{a.1.2}"])
def test_a_way_that_leads_nowhere_is_told(way: str) -> None:
    with pytest.raises(ToolFailed, match=r"\{"):
        fill(way, a=[1], s="text")


@pytest.mark.parametrize(
    "text", ["{", "}", "a { b", "{a b}", "{}", "{1}", "{secret:A.b}", "{a{b}}"]
)
def test_stray_braces_are_refused(text: str) -> None:
    with pytest.raises(Invalid):
        list(references(text))


# ---------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    "settings",
    [
        {"custom_tools": "everybody"},
        {"egress": "api.example.com"},
        {"egress": ["*"]},
        {"secrets": {"a b": "x"}},
        {"secrets": {"A": ""}},
        {"databases": {"erp": "postgresql://me@db/erp"}},
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: JSONObject) -> None:
    with pytest.raises(Invalid):
        check_settings(settings)


def test_secrets_are_hidden_when_read_and_kept_when_sent_back() -> None:
    settings = {"other": 1, "secrets": {"A": "k-123"}}
    shown = hidden({**settings, "databases": {"erp": "postgresql://me:k-123@db/erp"}})
    assert "k-123" not in str(shown)
    assert "databases" not in shown
    assert merged(settings, shown) == settings
    changed = merged(settings, {**shown, "secrets": {"A": "new", "B": "k-9"}})
    assert changed["secrets"] == {"A": "new", "B": "k-9"}
