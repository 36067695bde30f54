"""Code that awaits tools, run here: every inner call passes the gate, only the output comes back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSONObject, loads
from bancada.engine.context import wire_messages
from bancada.store import files, tool_settings
from bancada.tools.tool import Tool, ToolContext, tool
from tests.engine.conftest import Open
from tests.engine.harness import Latch, assert_acceptable

pytestmark = pytest.mark.asyncio(loop_scope="session")

CODE = ("code_execution_20260120",)
BOTH = ("direct", *CODE)

SALES = {"North": [120, 80], "South": [300], "West": []}


@tool(allowed_callers=CODE)
async def query(region: str) -> list[JSONObject]:
    """Sales of a region."""
    return [{"region": region, "revenue": revenue} for revenue in SALES[region]]


@tool(allowed_callers=BOTH)
async def ping(server: str) -> JSONObject:
    """Whether a server answers."""
    return {"server": server, "healthy": server == "eu"}


@tool(allowed_callers=BOTH)
async def logs(level: str) -> list[str]:
    """Lines of the log."""
    return [f"{'ERROR' if n % 50 == 0 else 'INFO'} line {n}" for n in range(500)]


@tool(allowed_callers=CODE)
async def fails() -> str:
    """Fail."""
    raise ToolFailed("No such shelf.")


@tool(effect="write", confirm="always", allowed_callers=CODE)
async def transfer(amount: int) -> str:
    """Move money."""
    return f"moved {amount}"


@tool
async def directly() -> str:
    """Be called by the model only."""
    return "direct"


async def test_a_loop_over_regions_returns_only_its_sum(open_coder_anywhere: Open) -> None:
    agent = await open_coder_anywhere(query)
    agent.model.will_run(
        "import json\n"
        "total = 0\n"
        "for region in ['North', 'South', 'West']:\n"
        "    rows = json.loads(await query(region=region))\n"
        "    total += sum(row['revenue'] for row in rows)\n"
        "print('total', total)\n"
    ).will_say("500.")

    turn = await agent.run("Sum the sales")

    assert agent.model.last_output["stdout"] == "total 500\n"
    assert turn.status == "done"
    assert agent.names_run == ["query"] * 3
    sent = agent.model.requests[-1].messages
    assert_acceptable(sent)
    assert "revenue" not in str(sent[-1])
    await agent.assert_whole()


async def test_inner_calls_are_told_and_audited_like_any_other(open_coder: Open) -> None:
    agent = await open_coder(query)
    agent.model.will_run("print(await query('North'))").will_say("So.")

    turn = await agent.run("?")

    types = turn.types("text")
    assert types == ["turn", "usage", "tool_start", "tool_use", "code", "usage", "done"]
    code = turn.one("code")
    caller = {"type": "code_execution_20260120", "tool_id": code["id"]}
    assert turn.one("tool_start")["caller"] == turn.one("tool_use")["caller"] == caller
    run, line = await agent.audit()
    assert (run["tool"], run["outcome"]) == ("code_execution", "ok")
    assert (line["tool"], line["caller"]) == ("query", caller)


async def test_the_record_holds_the_blocks_of_the_wire(open_coder: Open) -> None:
    agent = await open_coder(query)
    agent.model.will_run("print(await query('South'))").will_say("So.")
    turn = await agent.run("?")

    _, reply, asked, results, output, _ = await agent.messages_of(turn.turn_id)

    (use,) = reply.content
    assert (use["type"], use["name"]) == ("server_tool_use", "code_execution")
    (inner,) = asked.content
    assert inner["caller"] == {"type": "code_execution_20260120", "tool_id": use["id"]}
    (result,) = results.content
    assert result["tool_use_id"] == inner["id"]
    assert loads(result["content"]) == [{"region": "South", "revenue": 300}]
    (end,) = output.content
    assert end["type"] == "code_execution_tool_result"
    assert end["tool_use_id"] == use["id"]
    assert output.metadata["container"]["id"] == turn.one("code")["container"]


async def test_code_may_end_early(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run(
        "import json\n"
        "for server in ['us', 'eu', 'apac']:\n"
        "    if json.loads(await ping({'server': server}))['healthy']:\n"
        "        print('found', server)\n"
        "        break\n"
    ).will_say("eu.")

    await agent.run("Which one?")

    assert agent.model.last_output["stdout"] == "found eu\n"
    assert [input["server"] for _, input in agent.tools_run] == ["us", "eu"]


async def test_code_chooses_its_tools_by_what_it_finds(open_coder: Open) -> None:
    agent = await open_coder(query, logs)
    agent.model.will_run(
        "import json\n"
        "rows = json.loads(await query('West'))\n"
        "print(await logs('all') if rows else 'nothing to look at')\n"
    ).will_say("Nothing.")

    await agent.run("?")

    assert agent.names_run == ["query"]
    assert agent.model.last_output["stdout"] == "nothing to look at\n"


async def test_code_filters_before_the_model_reads(open_coder: Open) -> None:
    agent = await open_coder(logs)
    agent.model.will_run(
        "import json\n"
        "errors = [l for l in json.loads(await logs(level='all')) if 'ERROR' in l]\n"
        "print(len(errors)); print('\\n'.join(errors[-2:]))\n"
    ).will_say("Ten.")

    await agent.run("Errors?")

    assert agent.model.last_output["stdout"] == "10\nERROR line 400\nERROR line 450\n"
    assert len(str(agent.model.last_result)) < 300


async def test_gathered_calls_run_side_by_side(open_coder: Open) -> None:
    both = asyncio.Barrier(2)

    @tool(allowed_callers=CODE)
    async def meet(n: int) -> str:
        """Return only when two have come."""
        async with asyncio.timeout(20):
            await both.wait()
        return f"met {n}"

    agent = await open_coder(meet)
    agent.model.will_run(
        "import asyncio\nprint(await asyncio.gather(meet(1), meet(n=2)))"
    ).will_say("Both.")

    await agent.run("?")

    assert agent.model.last_output["stdout"] == "['met 1', 'met 2']\n"


async def test_an_error_result_is_an_exception_the_code_can_catch(open_coder: Open) -> None:
    agent = await open_coder(fails, query)
    agent.model.will_run(
        "try:\n    await fails()\nexcept Exception as error:\n    print('caught', error)\n"
        "try:\n    await query(wrong=1)\nexcept Exception as error:\n    print('caught', error)\n"
    ).will_say("Caught.")

    await agent.run("?")

    first, second = agent.model.last_output["stdout"].splitlines()
    assert first == "caught No such shelf."
    assert "region" in second
    assert agent.model.last_output["return_code"] == 0


async def test_an_error_nobody_catches_is_a_traceback_to_the_model(open_coder: Open) -> None:
    agent = await open_coder(fails)
    agent.model.will_run("await fails()").will_say("It failed.")

    turn = await agent.run("?")

    assert agent.model.last_result["is_error"] is True
    assert "No such shelf." in agent.model.last_output["stderr"]
    assert turn.one("code")["return_code"] == 1
    assert turn.status == "done"


async def test_a_tool_that_does_not_allow_code_says_so_and_leaves_its_line(
    open_coder: Open,
) -> None:
    agent = await open_coder(directly, ping)
    agent.model.will_run(
        "try:\n    await directly()\nexcept ToolError as error:\n    print(error)"
    ).will_say("No.")

    await agent.run("?")

    assert "directly cannot be called from code" in agent.model.last_output["stdout"]
    assert agent.tools_run == []
    _, line = await agent.audit()
    assert (line["tool"], line["outcome"]) == ("directly", "tool_not_allowed")
    assert line["caller"]["type"] == "code_execution_20260120"
    await agent.assert_whole()


def weather(name: str, says: str, *, direct: bool = False) -> Tool:
    @tool(name=name, allowed_callers=BOTH if direct else CODE)
    async def answer(city: str = "Ovar") -> str:
        """Say something."""
        return f"{says} in {city}"

    return answer


async def test_tools_whose_names_python_does_not_take_have_others_in_code(
    open_coder: Open,
) -> None:
    tools = [
        weather("get-weather", "rain"),
        weather("get_weather", "sun"),
        weather("class", "lesson"),
        weather("print", "ink", direct=True),
        weather("2fa", "code"),
        weather("__name__", "name"),
        weather("ToolError", "error"),
    ]
    agent = await open_coder(*tools)
    agent.model.will_run(
        "for function in (get_weather_2, get_weather, class_, print_, tool_2fa, tool_name__, ToolError_):\n"
        "    print(await function('Aveiro'))\n"
    ).will_say("All.")

    await agent.run("?")

    said = [f"{one} in Aveiro" for one in ("rain", "sun", "lesson", "ink", "code", "name", "error")]
    assert agent.model.last_output["stdout"].splitlines() == said
    assert set(agent.names_run) == {one.name for one in tools}
    told = agent.model.requests[0].tools[-1]["description"]
    assert "async def get_weather_2(city: str = 'Ovar') -> str" in told
    assert "(The tool get-weather.)" in told
    assert "print_ for the tool print" in told


async def test_parameters_that_python_does_not_take_are_given_in_a_dict(open_coder: Open) -> None:
    schema = {
        "type": "object",
        "properties": {"order-id": {"type": "string"}, "from": {"type": "integer"}},
        "required": ["order-id"],
    }
    agent = await open_coder(replace(weather("find", "found"), input_schema=schema, run=_echo))
    agent.model.will_run("print(await find({'order-id': 'A', 'from': 2}))").will_say("A.")

    await agent.run("?")

    assert loads(agent.model.last_output["stdout"]) == {"order-id": "A", "from": 2}
    told = agent.model.requests[0].tools[-1]["description"]
    assert "async def find({order-id: str, from: int = None}) -> str" in told


async def _echo(context: ToolContext, input: JSONObject) -> JSONObject:
    return input


# ---------------------------------------------------------------------------- containers that went


async def test_the_model_is_told_that_its_container_is_a_new_one(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("x = 1").will_say("A.").will_run("print('x' in globals())").will_say("B.")
    agent.model.will_run("print(2)").will_say("C.")
    await agent.run("1")
    assert agent.model.last_output["stderr"] == ""
    await agent.end_containers()

    await agent.run("2")

    assert agent.model.last_output["stdout"] == "False\n"
    assert "the one of the earlier runs has ended" in agent.model.last_output["stderr"]
    await agent.run("3")
    assert agent.model.last_output["stderr"] == ""


async def test_a_container_that_ended_with_its_code_is_told_with_the_next_result(
    open_coder: Open,
) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("import os\nos._exit(1)").will_run("print(1)").will_say("Gone.")

    await agent.run("?")

    assert "variables and files are gone" in agent.model.last_output["stderr"]
    assert agent.model.last_result.get("is_error") is None


async def test_new_data_sets_bring_a_new_container_and_the_model_is_told(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("x = 1").will_say("A.").will_run("print(1)").will_say("B.")
    await agent.run("1")
    await agent.upload("a;b\n1;2\n")

    await agent.run("2")

    assert (
        "data sets or tools of the conversation have changed" in (agent.model.last_output["stderr"])
    )


async def test_code_that_went_on_in_a_rebuilt_container_says_so(open_coder: Open) -> None:
    agent = await open_coder(query, transfer, settings={"code_hold_seconds": 0.0})
    agent.model.will_run(PROGRAM).will_say("Moved.")
    before = await agent.run("Move it")
    await agent.idle()
    await agent.decide("approve")
    await agent.follow(before.turn_id)

    assert "It was rebuilt" in agent.model.last_output["stderr"]


@pytest.mark.parametrize("restarted", [False, True])
async def test_an_approval_inside_a_gather_whose_parts_append_as_they_finish(
    open_coder_anywhere: Open, restarted: bool
) -> None:
    agent = await open_coder_anywhere(query, ping, transfer, settings={"code_hold_seconds": 0.0})
    agent.model.will_run(
        "import asyncio\n"
        "seen = []\n"
        "async def part(function, argument):\n"
        "    seen.append(await function(argument))\n"
        "    seen.append(await ping(f'after {len(seen)}'))\n"
        "await asyncio.gather(part(query, 'North'), part(transfer, 5), part(query, 'South'),\n"
        "                     part(ping, 'eu'), part(query, 'West'))\n"
        "print(len(seen), 'moved 5' in seen)\n"
    ).will_say("Moved.")
    before = await agent.run("Move it")
    assert before.status == "waiting"
    await agent.idle()
    if restarted:
        await agent.restart()

    await agent.decide("approve")
    turn = await agent.follow(before.turn_id)

    assert turn.status == "done"
    assert agent.model.last_output["stdout"] == "10 True\n"
    assert sorted(agent.names_run) == ["ping"] * 6 + ["query"] * 3 + ["transfer"]
    await agent.assert_whole()


async def test_a_tool_for_code_only_is_described_there_and_not_offered(open_coder: Open) -> None:
    agent = await open_coder(query, ping, directly)
    agent.model.will_call("query", region="North").will_say("Not so.")

    await agent.run("?")

    offered = {shape["name"]: shape for shape in agent.model.requests[0].tools}
    assert list(offered) == ["ping", "directly", "code_execution"]
    assert "async def query(region: str) -> str" in offered["code_execution"]["description"]
    assert "directly" not in offered["code_execution"]["description"]
    assert "tools of these names: ping." in offered["code_execution"]["description"]
    assert "async def ping" not in offered["code_execution"]["description"]
    assert agent.tools_run == []
    assert "from code" in agent.model.last_result["content"]


async def test_state_lives_on_from_cell_to_cell_and_turn_to_turn(open_coder: Open) -> None:
    agent = await open_coder(query)
    agent.model.will_run("x = len(await query('North'))").will_run("x += 1; print(x)")
    agent.model.will_say("Kept.").will_run("print(x * 2)").will_say("Still.")

    first = await agent.run("Begin")
    small = int(agent.model.requests[2].messages[-1]["content"][0]["content"][11:-1].split("\\")[0])
    second = await agent.run("Go on")

    assert agent.model.last_output["stdout"] == f"{small * 2}\n"
    homes = {event["container"] for turn in (first, second) for event in turn.of("code")}
    assert len(homes) == 1


async def test_two_cells_of_one_reply_run_in_order_in_one_container(open_coder: Open) -> None:
    agent = await open_coder(ping)
    code = "code_execution"
    agent.model.will_call_all((code, {"code": "x = 20"}), (code, {"code": "print(x + 1)"}))
    agent.model.will_say("21.")

    turn = await agent.run("?")

    assert agent.model.last_output["stdout"] == "21\n"
    assert len({event["container"] for event in turn.of("code")}) == 1
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_code_and_direct_calls_mix_in_one_reply(open_coder_anywhere: Open) -> None:
    agent = await open_coder_anywhere(query, directly)
    agent.model.will_call_all(
        ("directly", {}),
        ("code_execution", {"code": "print(await query('South'))"}),
        ("directly", {}),
    ).will_say("All.")
    agent.model.will_run("print('same')").will_say("Yes.")

    turn = await agent.run("?")

    one, code, two = agent.model.last_results
    assert (one["content"], two["content"]) == ("direct", "direct")
    assert loads(loads(code["content"])["stdout"].replace("'", '"'))[0]["revenue"] == 300
    assert_acceptable(agent.model.requests[-1].messages)
    again = await agent.run("Same container?")
    assert again.one("code")["container"] == turn.one("code")["container"]
    await agent.assert_whole()


async def test_files_that_code_writes_are_kept_and_told(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("open('out.csv', 'w').write('a,b\\n1,2\\n')").will_say("There.")

    turn = await agent.run("?")

    (file,) = turn.one("code")["files"]
    assert file["name"] == "out.csv"
    row = await agent.bench.database.read(files.find, file["id"])
    held = await agent.bench.files.file(row.path)
    assert held is not None
    assert held.path.read_text() == "a,b\n1,2\n"


async def test_empty_code_and_code_that_is_none_are_errors_or_nothing(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_call("code_execution").will_call("code_execution", code=7).will_say("Hm.")

    turn = await agent.run("?")

    assert turn.status == "done"
    assert [event["return_code"] for event in turn.of("code")] == [1, 1]
    assert agent.model.last_result["is_error"] is True
    assert "`code`" in agent.model.last_result["content"]
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_a_model_reads_its_code_under_the_id_it_gave(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("print(1)").will_say("One.")

    turn = await agent.run("?")

    asked, answered = agent.model.requests[-1].messages[-2:]
    (use,) = asked["content"]
    (result,) = answered["content"]
    assert use["id"] == result["tool_use_id"]
    assert use["id"].startswith("toolu_")
    assert turn.one("code")["id"].startswith("srvtoolu_")


async def test_an_id_given_again_in_the_next_reply_is_another_run(open_coder: Open) -> None:
    agent = await open_coder(ping)
    for n in (1, 2):
        agent.model.will_call_all(("code_execution", {"code": f"print({n})"}, "toolu_1"))
    agent.model.will_say("Both.")

    turn = await agent.run("?")

    assert [event["stdout"] for event in turn.of("code")] == ["1\n", "2\n"]
    assert_acceptable(agent.model.requests[-1].messages)


async def test_without_a_sandbox_the_agent_works_without_code(open_coder: Open) -> None:
    agent = await open_coder(ping, sandbox=None, settings={"sandbox_tier": "none-such"})
    agent.model.will_run("print(1)").will_say("No code here.")

    turn = await agent.run("?")

    assert [shape["name"] for shape in agent.model.requests[0].tools] == ["ping"]
    assert agent.model.last_result["is_error"] is True
    assert turn.status == "done"


async def test_a_record_made_here_is_one_a_managed_container_would_take(open_coder: Open) -> None:
    agent = await open_coder(query)
    agent.model.will_run("print(await query('South'))").will_say("So.")
    await agent.run("?")

    sent = wire_messages(await agent.messages(), "anthropic")

    question, asked, results, answer = sent
    assert [block["type"] for block in asked["content"]] == ["server_tool_use", "tool_use"]
    assert [block["type"] for block in results["content"]] == ["tool_result"]
    assert [block["type"] for block in answer["content"]] == ["code_execution_tool_result", "text"]
    assert question["role"] == results["role"] == "user"


# ---------------------------------------------------------------------------- whole results

ROWS = 40_000


@tool(allowed_callers=BOTH, cache_seconds=60)
async def many() -> list[JSONObject]:
    """More rows than a model is shown."""
    return [{"n": n} for n in range(ROWS)]


async def test_a_result_reaches_code_whole_and_the_model_cut(open_coder: Open) -> None:
    agent = await open_coder(many)
    agent.model.will_call("many")
    agent.model.will_run(
        "import json\nrows = json.loads(await many())\nprint(len(rows), sum(r['n'] for r in rows))"
    ).will_say("All.")

    turn = await agent.run("How many?")

    assert agent.model.last_output["stdout"] == f"{ROWS} {sum(range(ROWS))}\n"
    direct = agent.model.requests[1].messages[-1]["content"][0]["content"]
    assert "[cut: " in direct
    assert len(direct) <= 30_000
    # What people and the record are shown of it is of ordinary size.
    for event in turn.of("tool_use"):
        assert len(str(event["result"])) <= 30_000
    for message in await agent.messages():
        assert len(str(message.content)) < 70_000


async def test_a_whole_result_is_there_again_after_a_restart(open_coder: Open) -> None:
    agent = await open_coder(many, transfer, settings={"code_hold_seconds": 0.05})
    agent.model.will_run(
        "import json\nrows = json.loads(await many())\nprint(await transfer(len(rows)))"
    ).will_say("Moved.")
    before = await agent.run("Move")
    await agent.idle()
    await agent.restart()
    await agent.decide("approve")
    await agent.follow(before.turn_id)

    assert agent.model.last_output["stdout"] == f"moved {ROWS}\n"
    assert agent.names_run == ["many", "transfer"]


async def test_a_result_too_large_for_code_is_an_exception(
    open_coder: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bancada.gate.gate.MAX_WHOLE_BYTES", 1_000)
    agent = await open_coder(many)
    agent.model.will_run(
        "try:\n    await many()\nexcept ToolError as error:\n    print(error)"
    ).will_say("Too much.")

    await agent.run("?")

    assert "at most 1,000" in agent.model.last_output["stdout"]


async def test_values_that_json_lacks_leave_it_readable_and_are_told(open_coder: Open) -> None:
    @tool(allowed_callers=CODE)
    async def means() -> JSONObject:
        """Means."""
        return {"a": float("nan"), "b": float("inf"), "c": 1.5}

    agent = await open_coder(means)
    agent.model.will_run("import json\nprint(json.loads(await means()))").will_say("So.")

    await agent.run("?")

    assert agent.model.last_output["stdout"] == "{'a': None, 'b': None, 'c': 1.5}\n"
    assert "means: [note: 2 values were not a finite" in agent.model.last_output["stderr"]


# ---------------------------------------------------------------------------- waiting inside code

PROGRAM = """
import random, time, uuid
mark = (random.random(), time.time(), str(uuid.uuid4()))
print('before', await query('North'))
print(await transfer(amount=5))
print('same', mark == (mark[0], mark[1], mark[2]))
"""


async def test_code_goes_on_where_it_waited_within_the_hold(open_coder_anywhere: Open) -> None:
    agent = await open_coder_anywhere(query, transfer)
    agent.model.will_run(PROGRAM).will_say("Moved.")
    before = await agent.run("Move it")
    assert before.status == "waiting"
    assert agent.names_run == ["query"]
    assert agent.bench.runner.running == 1

    await agent.decide("approve")
    turn = await agent.follow(before.turn_id)

    assert agent.names_run == ["query", "transfer"]
    assert "moved 5" in agent.model.last_output["stdout"]
    assert turn.status == "done"
    assert turn.types("text") == [
        "turn",
        "usage",
        "tool_start",
        "tool_use",
        "confirmation",
        "decision",
        "tool_start",
        "tool_use",
        "code",
        "usage",
        "done",
    ]
    await agent.assert_whole()


async def test_code_comes_back_from_its_journal_after_the_hold(open_coder_anywhere: Open) -> None:
    agent = await open_coder_anywhere(query, transfer, settings={"code_hold_seconds": 0.05})
    agent.model.will_run(PROGRAM).will_say("Moved.")
    before = await agent.run("Move it")
    await agent.idle()

    await agent.decide("approve")
    turn = await agent.follow(before.turn_id)

    assert turn.status == "done"
    assert agent.names_run == ["query", "transfer"]
    assert "moved 5" in agent.model.last_output["stdout"]
    assert turn.types("text").count("code") == 1
    assert turn.types("text").count("tool_use") == 2
    await agent.assert_whole()


@pytest.mark.parametrize("hold", [0.0, 0.01, 0.02, 0.04])
async def test_a_decision_at_the_moment_the_hold_ends_is_not_lost(
    open_coder: Open, hold: float
) -> None:
    agent = await open_coder(query, transfer, settings={"code_hold_seconds": hold})
    agent.model.will_run(PROGRAM).will_say("Moved.")
    before = await agent.run("Move it")

    await agent.decide("approve")
    async with asyncio.timeout(30):
        turn = await agent.follow(before.turn_id)

    assert turn.status == "done"
    assert agent.names_run == ["query", "transfer"]
    assert turn.types("text").count("done") == 1


async def test_code_comes_back_after_a_restart_with_the_cells_before_it(open_coder: Open) -> None:
    agent = await open_coder(query, transfer)
    agent.model.will_run("rows = await query('North')\nimport random\nlucky = random.random()")
    agent.model.will_say("Ready.")
    agent.model.will_run("print(await transfer(amount=len(rows)), lucky)").will_say("Moved.")
    agent.model.will_run("print(lucky)").will_say("The same.")
    await agent.run("Prepare")
    before = await agent.run("Move it")

    await agent.restart()
    await agent.decide("approve")
    turn = await agent.follow(before.turn_id)

    assert turn.status == "done"
    assert agent.names_run == ["query", "transfer"]
    lucky = agent.model.last_output["stdout"].split()[-1]
    await agent.run("Still there?")
    assert agent.model.last_output["stdout"].strip() == lucky
    await agent.assert_whole()


async def test_a_rejection_is_an_exception_in_the_code(open_coder: Open) -> None:
    agent = await open_coder(transfer)
    agent.model.will_run(
        "try:\n    await transfer(amount=5)\nexcept Exception as error:\n    print('no:', error)"
    ).will_say("Not moved.")
    agent.person.refuses("transfer", reason="too much")

    turn = await agent.run("Move it")

    assert "too much" in agent.model.last_output["stdout"]
    assert agent.tools_run == []
    assert turn.status == "done"


async def test_gathered_calls_that_wait_are_decided_one_by_one(open_coder_anywhere: Open) -> None:
    agent = await open_coder_anywhere(transfer, query)
    agent.model.will_run(
        "import asyncio\n"
        "print(await asyncio.gather(transfer(amount=1), query('South'), transfer(amount=2)))"
    ).will_say("Both.")
    turn = await agent.run("Move both")
    assert turn.status == "waiting"
    assert len(await agent.queue()) == 2

    await agent.decide("approve")
    assert (await agent.follow(turn.turn_id)).status == "waiting"
    assert agent.names_run == ["query", "transfer"]
    await agent.decide("approve")
    after = await agent.follow(turn.turn_id)

    assert after.status == "done"
    assert agent.names_run == ["query", "transfer", "transfer"]
    assert "'moved 1'" in agent.model.last_output["stdout"]
    await agent.assert_whole()


async def test_a_call_that_waits_does_not_hold_up_one_that_runs(open_coder: Open) -> None:
    latch = Latch()

    @tool(allowed_callers=CODE)
    async def slow() -> str:
        """Take long."""
        await latch()
        return "slow"

    agent = await open_coder(transfer, slow, settings={"code_hold_seconds": 0.0})
    agent.model.will_run(
        "import asyncio\nprint(await asyncio.gather(slow(), transfer(amount=1)))"
    ).will_say("Both.")
    turn_id = await agent.ask("Both")
    await latch.arrived()
    while not await agent.queue():
        await asyncio.sleep(0)
    assert await agent.status() == "running"
    await agent.decide("approve")
    while len(agent.tools_run) < 2:
        await asyncio.sleep(0.01)

    latch.open()
    turn = await agent.follow(turn_id)

    assert turn.status == "done"
    assert agent.model.last_output["stdout"] == "['slow', 'moved 1']\n"


async def test_a_new_question_ends_code_that_waits(open_coder: Open) -> None:
    agent = await open_coder(query, transfer)
    agent.model.will_run(PROGRAM).will_say("Something else.")
    first = await agent.run("Move it")

    second = await agent.run("Never mind")

    assert second.text == "Something else."
    old = await agent.follow(first.turn_id)
    assert old.status == "stopped"
    assert old.types("text").count("code") == 1
    assert "went on" in str(old.of("tool_use")[-1]["result"])
    assert agent.names_run == ["query"]
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_stopping_code_answers_its_calls_and_ends_its_container(
    open_coder_anywhere: Open,
) -> None:
    latch = Latch()

    @tool(allowed_callers=CODE)
    async def slow() -> str:
        """Take long."""
        await latch()
        return "slow"

    agent = await open_coder_anywhere(slow, query)
    agent.model.will_run("print(await query('North')); await slow()").will_say("Hello.")
    turn_id = await agent.ask("Go")
    await latch.arrived()

    assert await agent.stop() == "stopped"

    turn = await agent.follow(turn_id)
    assert turn.status == "stopped"
    assert turn.one("code")["return_code"] == 1
    assert agent.bench.jail.running is not None
    assert agent.bench.jail.running.containers() == []
    await agent.run("Hello?")
    assert_acceptable(agent.model.requests[-1].messages)
    await agent.assert_whole()


async def test_stopping_code_that_computes_ends_it(open_coder: Open) -> None:
    agent = await open_coder(ping)
    agent.model.will_run("print(await ping('eu'))\nwhile True: pass").will_say("Hello.")
    turn_id = await agent.ask("Go")
    while not agent.tools_run:
        await asyncio.sleep(0.01)

    assert await agent.stop() == "stopped"

    assert (await agent.follow(turn_id)).status == "stopped"
    await agent.assert_whole()


async def test_code_that_does_not_repeat_itself_ends_with_an_error_and_runs_nothing_twice(
    open_coder: Open,
) -> None:
    agent = await open_coder(query, transfer, settings={"code_hold_seconds": 0.0})
    # The machine's own clock, read past everything that a replay holds still.
    agent.model.will_run(
        "import time\n"
        "print(await query('North'))\n"
        "print(await transfer(amount=time.clock_gettime_ns(time.CLOCK_MONOTONIC)))\n"
    ).will_say("It could not go on.")
    turn = await agent.run("?")
    await agent.idle()

    await agent.decide("approve")
    after = await agent.follow(turn.turn_id)

    assert after.status == "done"
    assert agent.names_run == ["query"]
    assert "did not repeat itself" in agent.model.last_output["stderr"]
    await agent.assert_whole()


async def test_a_tool_switched_off_since_is_gone_from_the_next_cell(open_coder: Open) -> None:
    agent = await open_coder(query, ping)
    agent.model.will_run("x = 1").will_say("A.").will_run("print(await query('North'))")
    agent.model.will_say("B.").will_run("print(await query('North'))").will_say("C.")
    await agent.run("1")
    switch = agent.bench.database.run
    await switch(tool_settings.change_registry, "query", is_enabled=False)

    await agent.run("2")
    assert "NameError" in agent.model.last_output["stderr"]

    await switch(tool_settings.change_registry, "query", is_enabled=True)
    await agent.run("3")
    assert agent.model.last_output["return_code"] == 0
