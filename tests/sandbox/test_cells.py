"""What a cell may expect: state, output, tracebacks, files, and functions to await."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import textwrap
from collections.abc import Awaitable, Callable

import pytest

import bancada
from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    CodeResult,
    Container,
    ContainerEnded,
    Function,
    Limits,
    Sandbox,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Tools:
    """Answers calls from plain functions, and remembers them."""

    def __init__(self, **functions: Callable[..., str | Awaitable[str]]) -> None:
        self._functions = functions
        self.calls: list[CodeCall] = []

    async def __call__(self, call: CodeCall) -> CodeAnswer:
        self.calls.append(call)
        try:
            answer = self._functions[call.name](**call.input)
            return CodeAnswer(answer if isinstance(answer, str) else await answer)
        except ValueError as error:
            return CodeAnswer(str(error), is_error=True)


async def run(container: Container, code: str, tools: Tools, *functions: Function) -> CodeResult:
    return await container.run(textwrap.dedent(code), functions=functions, call=tools)


QUERY = Function("query_database", ("sql",))


async def test_globals_live_from_cell_to_cell(container: Container) -> None:
    await container.run("total = 40\ndef more(n): return total + n")

    result = await container.run("print(more(2))")

    assert result == CodeResult("42\n", "", 0)


async def test_the_usual_libraries_are_there(container: Container) -> None:
    code = """
        import collections, datetime, json, math, re, statistics
        import duckdb, numpy as np, pandas as pd
        frame = pd.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]})
        print(frame.describe().loc['mean'].to_dict(), math.factorial(5))
        print(statistics.mean([10, 25, 33]), np.arange(3).sum())
        print(duckdb.sql('select sum(a) from frame').fetchall())
    """
    result = await container.run(textwrap.dedent(code))

    assert result.stdout == "{'a': 2.0, 'b': 5.0} 120\n22.666666666666668 3\n[(6,)]\n"


async def test_an_exception_names_the_cell_and_shows_the_line(container: Container) -> None:
    result = await container.run("x = 1\nraise ValueError('no')", name="srvtoolu_1")

    assert result.return_code == 1
    assert 'File "/tmp/srvtoolu_1/cell.py", line 2' in result.stderr
    assert "raise ValueError('no')" in result.stderr
    assert result.stderr.endswith("ValueError: no\n")
    assert "guest.py" not in result.stderr


async def test_a_syntax_error_is_told_like_any_other(container: Container) -> None:
    result = await container.run("x = = 1")

    assert "SyntaxError" in result.stderr
    assert result.return_code == 1


async def test_the_traceback_survives_a_flood_of_warnings(container: Container) -> None:
    result = await container.run("import sys\nsys.stderr.write('w' * 9000)\n1 / 0")

    assert len(result.stderr) == 2000
    assert result.stderr.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize(
    ("code", "status", "stderr"),
    [
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('enough')", 1, "enough\n"),
    ],
)
async def test_exit_is_an_end_and_the_container_lives_on(
    code: str, status: int, stderr: str, container: Container
) -> None:
    result = await container.run(code)

    assert (result.return_code, result.stderr, result.ended) == (status, stderr, None)
    assert container.alive


@pytest.mark.parametrize("lines", [9_000, 700_000])
async def test_long_output_keeps_its_beginning_and_its_end_and_says_what_is_missing(
    lines: int, container: Container
) -> None:
    result = await container.run(
        f"import sys\nfor n in range({lines}): print(n, 'ã')\nsys.stderr.write('é' * 9000 + '!')"
    )

    printed = "".join(f"{n} ã\n" for n in range(lines))
    beginning, note, end = re.split("\n…|…\n", result.stdout)
    assert printed.startswith(beginning)
    assert printed.endswith(end)
    missing = len(printed) - len(beginning) - len(end)
    assert note == f"[{missing:,} of {len(printed):,} characters left out here]"
    assert abs(len(beginning) - len(end)) < 2
    assert len(result.stdout) == 5000
    assert len(result.stderr) == 2000
    assert result.stderr.startswith("éé")
    assert result.stderr.endswith("é!")
    assert result.ended is None


async def test_what_fits_is_shown_as_it_is(container: Container) -> None:
    result = await container.run("print('ã' * 4999)")

    assert result.stdout == "ã" * 4999 + "\n"


async def test_bytes_that_are_no_text_are_counted_too(container: Container) -> None:
    result = await container.run("import sys\nsys.stdout.buffer.write(b'\\x80' * 9000)")

    assert "of 9,000 characters left out" in result.stdout
    assert len(result.stdout) == 5000


async def test_tracebacks_name_libraries_and_not_where_they_lie(container: Container) -> None:
    result = await container.run(
        "import pandas, threading, traceback, warnings\n"
        "try:\n    pandas.DataFrame({'a': [1]})['b']\n"
        "except KeyError:\n    print(traceback.format_exc())\n"
        "thread = threading.Thread(target=lambda: pandas.to_datetime('no date'))\n"
        "thread.start(); thread.join()\n"
        "warnings.warn('careful')\n"
        "from pandas import nothing_such\n",
        name="srvtoolu_9",
    )

    said = result.stdout + result.stderr
    assert 'File "pandas/core/frame.py"' in result.stdout
    assert "asyncio" not in said
    assert 'File "/tmp/srvtoolu_9/cell.py", line 9' in result.stderr
    assert "Exception in thread" in result.stderr
    assert "careful" in result.stderr
    assert "cannot import name 'nothing_such'" in result.stderr
    for path in (sys.prefix, sys.base_prefix, os.path.dirname(bancada.__file__)):
        assert path not in said


ARGUMENTS = {
    "Decimal('12.50')": 12.5,
    "Decimal('40')": 40,
    "Decimal('1E+2')": 100,
    "Decimal(1) / 3": 0.3333333333333333,
    "Decimal('NaN')": None,
    "datetime.date(2026, 1, 2)": "2026-01-02",
    "datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)": "2026-01-02T03:04:00+00:00",
    "datetime.timedelta(minutes=1.5)": "PT90S",
    "pandas.Timestamp('2026-01-02 03:04')": "2026-01-02T03:04:00",
    "[pandas.NaT, pandas.NA, numpy.nan]": [None, None, None],
    "pandas.Period('2026-01')": "2026-01",
    "numpy.int64(7)": 7,
    "numpy.float32(0.5)": 0.5,
    "numpy.bool_(True)": True,
    "numpy.str_('a')": "a",
    "numpy.array([[1, 2]])[:, ::-1]": [[2, 1]],
    "numpy.datetime64('2026-01-02')": "2026-01-02T00:00:00",
    "numpy.timedelta64(90, 's')": "PT90S",
    "pandas.Series([1, 2])": [1, 2],
    "pandas.DataFrame({'a': [1, 2]})": [{"a": 1}, {"a": 2}],
    "{'b', 'a'}": ["a", "b"],
    "{'a': 1}.keys()": ["a"],
    "{numpy.int64(3): 1}": {"3": 1},
    "range(3)": [0, 1, 2],
    "pathlib.Path('a/b')": "a/b",
    "uuid.UUID(int=1)": "00000000-0000-0000-0000-000000000001",
}


async def test_arguments_of_other_libraries_become_json(container: Container) -> None:
    tools = Tools(note=lambda **given: "noted")
    calls = "".join(f"await note(value={argument})\n" for argument in ARGUMENTS)
    imports = "import datetime, numpy, pandas, pathlib, uuid\nfrom decimal import Decimal\n"

    result = await run(container, imports + calls, tools, Function("note", ("value",)))

    assert result.stderr == ""
    assert [call.input["value"] for call in tools.calls] == list(ARGUMENTS.values())


@pytest.mark.parametrize("text", ["x" * (64 << 20), "x" * ((64 << 20) - 4) + "😀", "é" * 50_000])
async def test_a_long_answer_arrives_whole(text: str, container: Container) -> None:
    tools = Tools(rows=lambda: text, after=lambda: "short")
    code = "said, after = await rows(), await after()\nprint(len(said), ascii(said[-1]), after)"

    result = await run(container, code, tools, Function("rows", ()), Function("after", ()))

    assert result.stderr == ""
    assert result.stdout == f"{len(text)} {text[-1]!a} short\n"


async def test_an_answer_that_does_not_fit_any_more_is_an_exception(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(memory_mb=200))
    tools = Tools(rows=lambda: "y" * (60 << 20), after=lambda: "short")
    code = """
        kept = []
        try:
            while True: kept.append(await rows())
        except MemoryError as error:
            print(len(kept) > 0, error)
        kept.clear()
        print(await after())
    """
    result = await run(container, code, tools, Function("rows", ()), Function("after", ()))

    await container.end()
    assert result.ended is None
    assert result.stdout == "True an answer of 62,914,560 bytes does not fit any more\nshort\n"


async def test_a_function_may_be_called_otherwise_than_its_tool(container: Container) -> None:
    tools = Tools(**{"get-weather": lambda city: f"rain in {city}"})
    function = Function("get-weather", ("city",), "get_weather")

    result = await run(container, "print(await get_weather('Ovar'))", tools, function)

    assert result.stdout == "rain in Ovar\n"


async def test_a_plot_that_is_shown_is_kept_as_a_file(container: Container) -> None:
    result = await container.run(
        "import matplotlib.pyplot as plt\n"
        "plt.plot([1, 3, 2]); plt.title('Produção (µm) — ação'); plt.show()\n"
        "figure, axes = plt.subplots(); axes.bar(['a', 'b'], [1, 2]); figure.savefig('bars.svg')\n"
        "figure.show()\n"
        "import pandas\n"
        "pandas.DataFrame({'a': [1, 2]}).to_excel('table.xlsx', index=False)\n"
        "print(pandas.read_excel('table.xlsx', engine='openpyxl')['a'].sum())\n"
    )

    assert result.stderr == ""
    assert "kept as figure_1.png" in result.stdout
    assert result.stdout.endswith("3\n")
    files = {file.name: file for file in result.files}
    assert set(files) == {"figure_1.png", "figure_2.png", "bars.svg", "table.xlsx"}
    assert files["figure_1.png"].media_type == "image/png"
    assert len(files["figure_1.png"].content) > 5_000
    again = await container.run("plt.plot([1]); plt.show()")
    assert [file.name for file in again.files] == ["figure_3.png"]


async def test_output_without_a_flush_or_a_new_line_arrives(container: Container) -> None:
    assert (await container.run("print('a', end='')")).stdout == "a"
    assert (await container.run("import os; os.write(1, b'b')")).stdout == "b"


async def test_code_may_close_its_output(container: Container) -> None:
    result = await container.run("import sys\nprint('before')\nsys.stdout.close()")

    assert result.stdout == "before\n"


async def test_files_come_back_once_with_their_types(container: Container) -> None:
    code = """
        import json
        import pandas as pd
        pd.DataFrame({'a': [1]}).to_csv('table.csv', index=False)
        with open('picture.png', 'wb') as file: file.write(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(8))
        with open('false.png', 'wb') as file: file.write(b'<script>')
        json.dump({'ok': True}, file := open('report.json', 'w')); file.close()
    """
    result = await container.run(textwrap.dedent(code))

    assert {file.name: file.media_type for file in result.files} == {
        "false.png": "application/octet-stream",
        "picture.png": "image/png",
        "report.json": "application/json",
        "table.csv": "text/csv",
    }
    assert next(f for f in result.files if f.name == "table.csv").content == b"a\n1\n"
    assert (await container.run("print(open('table.csv').read())")).files == ()


async def test_a_file_that_changed_comes_back_again(container: Container) -> None:
    await container.run("with open('a.txt', 'w') as file: file.write('one')")

    result = await container.run("with open('a.txt', 'a') as file: file.write(' two')")

    assert [file.content for file in result.files] == [b"one two"]


async def test_files_past_the_bounds_are_named_and_left(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(output_files=2, output_file_bytes=1 << 20))
    code = "for name, size in (('a', 10), ('b', 2 << 20), ('c', 10), ('d', 10)):\n"
    code += "    with open(name, 'wb') as file: file.write(bytes(size))"

    result = await container.run(code)

    assert [file.name for file in result.files] == ["a", "c"]
    assert "b was not kept: larger than 1 MB" in result.stderr
    assert "d was not kept: more than 2 files" in result.stderr
    await container.end()


async def test_one_dict_keywords_or_positions_reach_the_tool_alike(container: Container) -> None:
    tools = Tools(lookup=lambda **input: json.dumps(input, sort_keys=True))
    code = """
        print(await lookup({'city': 'Porto', 'year': 2024}))
        print(await lookup(city='Porto', year=2024))
        print(await lookup('Porto', 2024))
        print(await lookup('Porto', year=2024))
    """
    result = await run(container, code, tools, Function("lookup", ("city", "year")))

    assert result.stdout == '{"city": "Porto", "year": 2024}\n' * 4
    assert [call.id for call in tools.calls] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("1, 2, 3", "TypeError: lookup() takes 2 arguments (city, year)"),
        ("'Porto', city='Faro'", "TypeError: lookup() got two values for 'city'"),
        ("object()", "TypeError"),
    ],
)
async def test_arguments_that_cannot_be_sent_are_an_error_in_the_code(
    arguments: str, complaint: str, container: Container
) -> None:
    tools = Tools(lookup=lambda **input: "")

    result = await run(
        container, f"await lookup({arguments})", tools, Function("lookup", ("city", "year"))
    )

    assert complaint in result.stderr
    assert tools.calls == []


async def test_values_of_pandas_and_numpy_are_sent_as_plain_ones(container: Container) -> None:
    tools = Tools(note=lambda **input: json.dumps(input))
    code = """
        import datetime, numpy as np, pandas as pd
        row = pd.DataFrame({'n': [7], 'when': [pd.Timestamp('2024-05-01')]}).iloc[0]
        print(await note(n=row.n, when=row.when, day=datetime.date(2024, 5, 1), many=np.arange(2), each={1}))
    """
    result = await run(container, code, tools, Function("note", ()))

    assert json.loads(result.stdout) == {
        "n": 7,
        "when": "2024-05-01T00:00:00",
        "day": "2024-05-01",
        "many": [0, 1],
        "each": [1],
    }


async def test_an_error_answer_is_an_exception_the_code_can_catch(container: Container) -> None:
    def query_database(sql: str) -> str:
        raise ValueError("Query timeout - table lock exceeded 30 seconds")

    code = """
        try:
            await query_database('select')
        except Exception as error:
            print('caught', error)
        await query_database('again')
    """
    result = await run(container, code, Tools(query_database=query_database), QUERY)

    assert result.stdout == "caught Query timeout - table lock exceeded 30 seconds\n"
    assert result.stderr.endswith("ToolError: Query timeout - table lock exceeded 30 seconds\n")
    assert "bridge.py" not in result.stderr


async def test_gathered_calls_run_at_the_same_time(container: Container) -> None:
    together = asyncio.Barrier(5)

    async def check(n: int) -> str:
        await together.wait()
        return str(n)

    code = """
        import asyncio
        print(await asyncio.gather(*[check(n) for n in range(5)]))
    """
    result = await run(container, code, Tools(check=check), Function("check", ("n",)))

    assert result.stdout == "['0', '1', '2', '3', '4']\n"


async def test_more_calls_than_run_at_once_all_get_their_answers(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(calls_at_once=7))
    most = now = 0

    full = asyncio.Event()

    async def echo(n: int, pad: str) -> str:
        nonlocal most, now
        now += 1
        most = max(most, now)
        if now == 7:
            full.set()
        await full.wait()
        now -= 1
        return str(n)

    code = """
        import asyncio
        answers = await asyncio.gather(*[echo(n, 'x' * 5000) for n in range(300)])
        print(answers == [str(n) for n in range(300)])
    """
    result = await run(container, code, Tools(echo=echo), Function("echo", ("n", "pad")))

    assert result.stdout == "True\n"
    assert most == 7
    await container.end()


@pytest.mark.parametrize(
    "code",
    [
        "import asyncio\nasync def main(): print(await ask(1))\nasyncio.run(main())",
        "import asyncio\nasync def main(): print(await ask(1))\nawait main()",
        "import asyncio\nasync def main(): print(await ask(1))\nx = await ask(0)\nasyncio.run(main())",
        "import asyncio, threading\nasync def main(): print(await ask(1))\n"
        "t = threading.Thread(target=lambda: asyncio.run(main())); t.start(); t.join()",
        "import asyncio\nasync with asyncio.timeout(9): print(await ask(1))",
        "import asyncio\nprint((await asyncio.wait_for(asyncio.create_task(ask(1)), 9)))",
        "print([await ask(n) for n in (1,)][0])",
    ],
    ids=["run", "await", "run_within", "run_in_thread", "timeout", "task", "comprehension"],
)
async def test_every_way_to_await_works(code: str, container: Container) -> None:
    result = await run(container, code, Tools(ask=lambda n: f"got {n}"), Function("ask", ("n",)))

    assert (result.stdout, result.stderr) == ("got 1\n", "")


async def test_a_task_nobody_awaits_ends_with_its_cell(container: Container) -> None:
    code = """
        import asyncio
        async def forever():
            try:
                while True: await asyncio.sleep(3600)
            finally:
                print('cancelled')
        task = asyncio.create_task(forever())
        await asyncio.sleep(0)
    """
    result = await container.run(textwrap.dedent(code), seconds=5)

    assert result.stdout == "cancelled\n"


async def test_a_call_nobody_awaits_is_let_finish(container: Container) -> None:
    finished = []

    async def slow() -> str:
        await asyncio.sleep(0.05)
        finished.append(True)
        return ""

    code = "import asyncio\ntask = asyncio.create_task(slow())\nawait asyncio.sleep(0.01)"
    await run(container, code, Tools(slow=slow), Function("slow", ()))

    assert finished == [True]


async def test_a_call_nobody_awaits_and_nobody_answers_is_given_up(container: Container) -> None:
    async def never() -> str:
        await asyncio.sleep(60)
        return ""

    code = "import asyncio\ntask = asyncio.create_task(never())\nawait asyncio.sleep(0.01)"
    result = await container.run(
        code, functions=[Function("never", ())], call=Tools(never=never), tool_seconds=0.3
    )

    assert result.return_code == 0


async def test_calls_left_waiting_at_the_end_do_not_block_the_next_cell(
    sandbox: Sandbox,
) -> None:
    container = await sandbox.open(limits=Limits(calls_at_once=2))
    tools = Tools(ask=lambda n: asyncio.sleep(0.05, "late"))
    code = """
        import asyncio
        tasks = [asyncio.create_task(ask(n)) for n in range(50)]
        await asyncio.sleep(0)
    """
    await run(container, code, tools, Function("ask", ("n",)))

    result = await run(container, "print(await ask(99))", tools, Function("ask", ("n",)))

    assert result.stdout == "late\n"
    await container.end()


async def test_the_exception_of_a_failed_tool_has_a_name_in_the_code(
    container: Container,
) -> None:
    def ask() -> str:
        raise ValueError("no")

    code = "try:\n    await ask()\nexcept ToolError as error:\n    print(error)\nawait ask()"
    result = await run(container, code, Tools(ask=ask), Function("ask", ()))

    assert result.stdout == "no\n"
    assert result.stderr.endswith("\nToolError: no\n")


async def test_functions_are_taken_back_when_a_cell_may_not_call_them(
    container: Container,
) -> None:
    await run(container, "await ask(1)", Tools(ask=lambda n: ""), Function("ask", ("n",)))

    result = await container.run("await ask(1)")

    assert "NameError" in result.stderr


async def test_a_later_cell_cannot_be_given_more_functions(container: Container) -> None:
    await run(container, "pass", Tools(), Function("ask", ()))

    with pytest.raises(ValueError, match="fixed by its first cell; new: delete"):
        await run(container, "pass", Tools(), Function("ask", ()), Function("delete", ()))


async def test_a_fault_of_the_host_is_raised_where_it_can_be_seen(container: Container) -> None:
    async def broken(call: CodeCall) -> CodeAnswer:
        raise RuntimeError("our own fault")

    with pytest.raises(RuntimeError, match="our own fault"):
        await container.run("await ask()", functions=[Function("ask", ())], call=broken)
    assert not container.alive


async def test_cancelling_a_run_ends_the_container(container: Container) -> None:
    running = asyncio.create_task(container.run("while True: pass"))
    while not container.busy:  # type: ignore[attr-defined]
        await asyncio.sleep(0)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    with pytest.raises(ContainerEnded):
        await container.run("1")


async def test_cells_of_one_container_wait_for_each_other(container: Container) -> None:
    results = await asyncio.gather(*[container.run(f"x = {n}\nprint(x)") for n in range(5)])

    assert [result.stdout for result in results] == [f"{n}\n" for n in range(5)]


async def test_code_that_is_no_text_is_refused(container: Container) -> None:
    for code in ("a\0b", "'\ud800'"):
        assert (await container.run(code)).error_code == "invalid_tool_input"


# --- the patterns of programmatic tool calling


async def test_a_loop_over_regions_sums_what_each_query_returns(container: Container) -> None:
    revenue = {"West": 300, "East": 900, "Central": 500}

    def query_database(sql: str) -> str:
        region = sql.split("'")[1]
        return json.dumps([{"revenue": revenue[region]}, {"revenue": 1}])

    code = """
        import json
        results = {}
        for region in ["West", "East", "Central"]:
            data = json.loads(await query_database(f"select * from sales where region = '{region}'"))
            results[region] = sum(row["revenue"] for row in data)
        top = max(results.items(), key=lambda item: item[1])
        print(f"Top region: {top[0]} with ${top[1]:,} in revenue")
    """
    result = await run(container, code, Tools(query_database=query_database), QUERY)

    assert result.stdout == "Top region: East with $901 in revenue\n"


async def test_a_search_ends_early(container: Container) -> None:
    tools = Tools(check_health=lambda endpoint: "healthy" if endpoint == "eu-west" else "down")
    code = """
        for endpoint in ["us-east", "eu-west", "apac"]:
            if await check_health(endpoint) == "healthy":
                print(f"Found healthy endpoint: {endpoint}")
                break
    """
    result = await run(container, code, tools, Function("check_health", ("endpoint",)))

    assert result.stdout == "Found healthy endpoint: eu-west\n"
    assert len(tools.calls) == 2


@pytest.mark.parametrize(("size", "expected"), [(100, "whole"), (99_999, "summary")])
async def test_the_next_tool_depends_on_the_last_answer(
    size: int, expected: str, container: Container
) -> None:
    tools = Tools(
        get_file_info=lambda path: json.dumps({"size": size}),
        read_full_file=lambda path: "whole",
        read_file_summary=lambda path: "summary",
    )
    code = """
        import json
        info = json.loads(await get_file_info('a.txt'))
        if info["size"] < 10000:
            content = await read_full_file('a.txt')
        else:
            content = await read_file_summary('a.txt')
        print(content)
    """
    functions = [
        Function(name, ("path",))
        for name in ("get_file_info", "read_full_file", "read_file_summary")
    ]
    result = await run(container, code, tools, *functions)

    assert result.stdout == f"{expected}\n"
    assert len(tools.calls) == 2


async def test_logs_are_filtered_before_anybody_reads_them(container: Container) -> None:
    lines = [f"{'ERROR' if n % 100 == 0 else 'INFO'} line {n}" for n in range(5_000)]
    code = """
        import json
        logs = json.loads(await fetch_logs('s1'))
        errors = [log for log in logs if "ERROR" in log]
        print(f"Found {len(errors)} errors")
        for error in errors[-2:]:
            print(error)
    """
    tools = Tools(fetch_logs=lambda server_id: json.dumps(lines))
    result = await run(container, code, tools, Function("fetch_logs", ("server_id",)))

    assert result.stdout == "Found 50 errors\nERROR line 4800\nERROR line 4900\n"
