"""Intents that write code: a calculation in Python, and code that awaits our tools."""

from __future__ import annotations

import re
from collections.abc import Callable

from bancada import Intent, JSONObject, Results, Sentence

BROKEN = {
    "pt": "O código não escreveu os números esperados.",
    "en": "The code did not print the figures I expected.",
}
COMPARE_SHIFTS = """\
import asyncio, json

turnos = ["manha", "tarde", "noite"]
respostas = await asyncio.gather(*(contar_defeitos({"turno": turno}) for turno in turnos))
totais = {turno: json.loads(resposta)["total"] for turno, resposta in zip(turnos, respostas)}
for turno, total in sorted(totais.items(), key=lambda par: -par[1]):
    print(f"{turno}: {total}")
print(f"total: {sum(totais.values())}")
"""

FUNCTIONS: tuple[tuple[tuple[str, ...], Callable[[list[str]], str]], ...] = (
    (
        ("raiz quadrada", "square root", "sqrt"),
        lambda numbers: f"import math\nprint(math.sqrt({numbers[0]}))",
    ),
    (
        ("fatorial", "factorial"),
        lambda numbers: f"import math\nprint(math.factorial({numbers[0]}))",
    ),
    (
        ("mediana", "median"),
        lambda numbers: f"import statistics\nprint(statistics.median({_list(numbers)}))",
    ),
    (
        ("desvio padrão", "desvio-padrão", "standard deviation", "stdev"),
        lambda numbers: f"import statistics\nprint(statistics.stdev({_list(numbers)}))",
    ),
    (
        ("média", "mean", "average"),
        lambda numbers: f"import statistics\nprint(statistics.mean({_list(numbers)}))",
    ),
    (("soma", "sum"), lambda numbers: f"print(sum({_list(numbers)}))"),
)


def read_python(sentence: Sentence) -> JSONObject | None:
    code = _given(sentence.text) or _named(sentence) or _arithmetic(sentence.text)
    return None if code is None else {"codigo": code}


def _given(text: str) -> str | None:
    """Code that the person wrote between backticks."""
    found = re.search(r"```(?:python)?\s*\n(.*?)```|`([^`]+)`", text, re.DOTALL)
    return (found[1] or found[2]).strip() if found else None


def _named(sentence: Sentence) -> str | None:
    numbers = re.findall(r"-?\d+(?:\.\d+)?", sentence.text)
    if not numbers:
        return None
    return next((write(numbers) for words, write in FUNCTIONS if sentence.has(*words)), None)


def _arithmetic(text: str) -> str | None:
    found = re.search(r"[(\d][\d\s.+*/()%-]*[\d)]", text)
    expression = found[0].strip() if found else ""
    return f"print({expression})" if re.search(r"[+*/%-]", expression) else None


def _list(numbers: list[str]) -> str:
    return f"[{', '.join(numbers)}]"


def tell_python(sentence: Sentence, results: Results) -> str:
    output = str(results.value.get("output", "")).strip()
    if "\n" in output:
        opening = {"pt": "O código escreveu:", "en": "The code printed:"}
        return f"{opening[sentence.language]}\n\n```\n{output}\n```"
    opening = {"pt": "O resultado é", "en": "The result is"}
    return f"{opening[sentence.language]} {output}."


def tell_compare(sentence: Sentence, results: Results) -> str:
    language, found = sentence.language, results.value
    printed = found.get("stdout", "") if isinstance(found, dict) else str(found or "")
    counts = dict(re.findall(r"^(manha|tarde|noite|total): (\d+)$", printed, re.MULTILINE))
    if len(counts) < 4:
        stderr = found.get("stderr", "") if isinstance(found, dict) else ""
        return f"{BROKEN[language]} {stderr}".strip()
    if language == "en":
        return (
            f"Counted in code, one call per shift: morning {counts['manha']}, afternoon "
            f"{counts['tarde']}, night {counts['noite']}; {counts['total']} in all."
        )
    return (
        f"Contado em código, uma chamada por turno: manhã {counts['manha']}, tarde "
        f"{counts['tarde']}, noite {counts['noite']}; {counts['total']} no total."
    )


CODE_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="compare_shifts_in_code",
        phrases={
            "pt": ("Compara os turnos com código", "Conta os defeitos de cada turno com código"),
            "en": ("Compare the shifts with code", "Count the defects of each shift in code"),
        },
        keywords=("codigo|code", "turno|turnos|shift|shifts"),
        tool="code_execution",
        arguments=lambda sentence: {"code": COMPARE_SHIFTS},
        tell=tell_compare,
    ),
    Intent(
        name="python",
        phrases={
            "pt": (
                "Calcula a raiz quadrada de 144 em Python",
                "Calcula a média de 10, 25, 33 em Python",
                "Executa em Python: `print(2 ** 10)`",
            ),
            "en": (
                "Calculate the square root of 144 in Python",
                "Calculate the mean of 10, 25, 33 in Python",
                "Run in Python: `print(2 ** 10)`",
            ),
        },
        keywords=("python|codigo|code|raiz|fatorial|root|factorial",),
        tool="executar_python",
        arguments=read_python,
        tell=tell_python,
    ),
)
