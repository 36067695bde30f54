"""Messages no honest guest sends: each ends its container, none reaches a tool."""

from __future__ import annotations

import textwrap

import pytest

from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    Container,
    ContainerEnded,
    EvaluationFailed,
    Function,
    Limits,
    Sandbox,
)
from bancada.sandbox.cell import clean_name

pytestmark = pytest.mark.asyncio(loop_scope="session")

_FORGE = """
import json, os, time
def forge(*messages):
    for message in messages:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        data += b"\\n"
        while data:
            data = data[os.write(3, data):]
"""

FORGERIES = {
    "a_function_not_offered": "forge({'call': 7, 'name': 'delete_all', 'input': {}})",
    "an_id_twice": "forge(*[{'call': 7, 'name': 'ask', 'input': {}}] * 2)",
    "an_id_used_by_an_honest_call": "await ask()\nforge({'call': 1, 'name': 'ask', 'input': {}})",
    "an_id_of_zero": "forge({'call': 0, 'name': 'ask', 'input': {}})",
    "a_negative_id": "forge({'call': -5, 'name': 'ask', 'input': {}})",
    "an_id_that_is_true": "forge({'call': True, 'name': 'ask', 'input': {}})",
    "an_id_that_is_text": "forge({'call': '7', 'name': 'ask', 'input': {}})",
    "an_enormous_id": "forge({'call': 1 << 60, 'name': 'ask', 'input': {}})",
    "an_input_that_is_a_list": "forge({'call': 7, 'name': 'ask', 'input': []})",
    "a_call_without_input": "forge({'call': 7, 'name': 'ask'})",
    "a_name_that_is_a_list": "forge({'call': 7, 'name': ['ask'], 'input': {}})",
    "no_json": "forge(b'ask()')",
    "no_text": "forge(bytes(range(11, 256)))",
    "no_object": "forge([1, 2, 3])",
    "an_unknown_kind": "forge({'grant': 'everything'})",
    "an_answer_to_itself": "forge({'answer': 1, 'text': 'yes', 'is_error': False})",
    "a_deep_message": "forge(b'[' * 100000 + b']' * 100000)",
    "a_long_message": "forge(b'{\"call\": \"' + b'x' * (20 << 20) + b'\"}')",
    "a_message_without_end": "forge(b'x' * (20 << 20))",
    "a_call_with_a_large_input": "forge({'call': 7, 'name': 'ask', 'input': {'x': 'x' * (2 << 20)}})",
    "a_file_that_holds_a_forest": "forge(b'{\"file\":\"a\",\"data\":[' + b'[],' * 2000000 + b'0]}')",
    "an_end_without_text": "forge({'done': 0, 'number': 1})",
    "an_end_of_another_type": "forge({'done': 'yes', 'number': 1, 'error': ''})",
    "an_impossible_return_code": "forge({'done': 99999, 'number': 1, 'error': ''})",
    "the_end_of_another_cell": "forge({'done': 0, 'number': 2, 'error': ''})",
    "a_file_that_is_not_base64": "forge({'file': 'a', 'data': '!!!'})",
    "a_file_without_content": "forge({'file': 'a'})",
    "too_many_files": "forge(*[{'file': str(n), 'data': ''} for n in range(100)])",
    "a_result_nobody_asked_for": "forge({'result': 1})",
    "ready_again": "forge({'ready': True})",
}


@pytest.mark.parametrize("name", FORGERIES)
async def test_a_forged_message_ends_the_container(name: str, container: Container) -> None:
    calls: list[CodeCall] = []

    async def ask(call: CodeCall) -> CodeAnswer:
        calls.append(call)
        return CodeAnswer("")

    code = f"{_FORGE}\n{FORGERIES[name]}\ntime.sleep(30)"
    result = await container.run(code, functions=[Function("ask", ())], call=ask, seconds=25)

    assert result.ended == "protocol"
    assert result.return_code != 0
    assert not container.alive
    assert {call.name for call in calls} <= {"ask"}
    assert len(calls) <= 1


async def test_an_end_announced_early_gives_no_second_word(container: Container) -> None:
    end = '{"done": 0, "number": 1, "error": ""}'
    forged = f"{_FORGE}\nforge(b'{end}\\n{end}')"

    result = await container.run(forged)

    assert result.return_code == 0
    assert not container.alive


async def test_an_end_announced_for_the_next_cell_is_not_believed(container: Container) -> None:
    early = '{"done": 0, "number": 1, "error": ""}'
    await container.run(f"{_FORGE}\nforge(b'{early}')\nx = 1")
    try:
        result = await container.run("print('honest')")
    except ContainerEnded:
        return  # its second word had already arrived
    assert result.ended == "protocol"


async def test_a_thread_that_calls_after_its_cell_reaches_nothing(container: Container) -> None:
    calls: list[CodeCall] = []

    async def ask(call: CodeCall) -> CodeAnswer:
        calls.append(call)
        return CodeAnswer("")

    code = """
        import threading
        def later():
            while True:
                time.sleep(0.02)
                forge({'call': 900, 'name': 'ask', 'input': {}})
        threading.Thread(target=later, daemon=True).start()
    """
    await container.run(_FORGE + textwrap.dedent(code), functions=[Function("ask", ())], call=ask)
    try:
        await container.run("import time; time.sleep(0.2)")
    finally:
        assert calls == []


async def test_a_forged_end_of_an_evaluation_is_only_a_value(container: Container) -> None:
    code = f"{_FORGE}\nforge({{'result': 'forged'}})\nresult = 'honest'"

    assert await container.evaluate(code, None, seconds=5, max_bytes=100) == "forged"


async def test_a_forged_result_is_bounded(container: Container) -> None:
    code = f"{_FORGE}\nforge({{'result': 'x' * 5000000}})\ntime.sleep(30)"

    with pytest.raises(EvaluationFailed, match="too long"):
        await container.evaluate(code, None, seconds=20, max_bytes=1000)
    assert not container.alive


async def test_calls_past_the_bound_are_refused_then_ended(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(calls=50))
    made = 0

    async def ask(call: CodeCall) -> CodeAnswer:
        nonlocal made
        made += 1
        return CodeAnswer("")

    code = """
        refused = 0
        while True:
            try: await ask()
            except Exception as error:
                refused += 1
                if refused == 1: print(error, flush=True)
    """
    result = await container.run(
        textwrap.dedent(code), functions=[Function("ask", ())], call=ask, seconds=20
    )

    assert made == 50
    assert result.stdout == "More than 50 calls.\n"
    assert result.ended == "protocol"


async def test_a_guest_that_takes_no_answers_cannot_fill_the_host(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(calls_at_once=4, answers_bytes=1 << 20))
    made = 0

    async def ask(call: CodeCall) -> CodeAnswer:
        nonlocal made
        made += 1
        return CodeAnswer("x" * (256 << 10))

    code = """
        for n in range(1, 1001): forge({'call': n, 'name': 'ask', 'input': {}})
        time.sleep(30)
    """
    result = await container.run(
        _FORGE + textwrap.dedent(code), functions=[Function("ask", ())], call=ask, seconds=2
    )

    assert result.ended == "time"
    assert made < 30


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("a/./b//c.txt", "a/b/c.txt"),
        ("..", "file"),
        ("", "file"),
        ("a\nb\x00c\\d", "a_b_c_d"),
        ("relatório.csv", "relatório.csv"),
        ("x" * 300, "x" * 200),
    ],
)
async def test_names_of_files_are_made_safe(name: str, clean: str) -> None:
    assert clean_name(name) == clean
