"""Two hundred questions a language over four tables, and how many are answered wrongly.

Questions are made from templates; what is right is computed by pandas from the same cells, and
looked for in the words of the answer. Run it with `python -m bench.questions [pt|en]`.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from io import StringIO
from pathlib import Path

import duckdb
import pandas as pd
from bench._wall import walled

from bancada import Answered, Language, Results, Sentence, TableShape
from bancada.data.process import Ingested, ingest_file
from bancada.data.shapes import profile, shape_of, uploaded_shapes
from bancada.packs.quality import DEMO
from bancada.packs.quality.table import VALUES, log_table
from bancada.packs.tables.questions import TABLE_INTENTS

TODAY = date(2026, 3, 18)
PER_TABLE = 50
(INTENT,) = TABLE_INTENTS
MONTHS: dict[Language, Sequence[str]] = {
    "pt": [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}


@dataclass(frozen=True)
class Dimension:
    """A column of names, as people of each language call it and its values."""

    column: str
    called: dict[Language, str]
    values: dict[Language, dict[str, str]] = field(default_factory=dict)

    def say(self, value: str, language: Language) -> str:
        return self.values.get(language, {}).get(value, value)


@dataclass(frozen=True)
class Subject:
    """A table, its cells for pandas, and what it is asked about."""

    shape: TableShape
    file: Path
    cells: pd.DataFrame
    rows: dict[Language, str]
    dimensions: Sequence[Dimension]
    number: tuple[str, dict[Language, str]]
    day: str


@dataclass(frozen=True)
class Asked:
    """A question and the figures that must be in its answer."""

    template: str
    text: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """How a question went."""

    asked: Asked
    answer: str
    outcome: str
    """`right`, `wrong`, or `unanswered`."""


# ---------------------------------------------------------------------- the tables


def sales(chance: random.Random) -> str:
    """A Portuguese spreadsheet: decimal comma, days first."""
    lines = ["Data da Venda;Cliente;Produto;Região;Quantidade;Valor"]
    for _ in range(300):
        day = date(2025, 11, 1) + timedelta(days=chance.randrange(150))
        lines.append(
            f"{day:%d/%m/%Y};{chance.choice(['Casa do Pão', 'Móveis Sá', 'Álvaro Lda', 'Bento e Filhos'])};"
            f"{chance.choice(['Mesa', 'Cadeira', 'Armário', 'Estante'])};"
            f"{chance.choice(['Norte', 'Sul', 'Centro'])};{chance.randrange(1, 30)};"
            f"{chance.randrange(1000, 90000) / 100:.2f}".replace(".", ",")
        )
    return "\n".join(lines) + "\n"


def orders(chance: random.Random) -> str:
    lines = ["order_id,orderDate,customer,region,status,quantity,amount"]
    for number in range(1, 401):
        day = date(2025, 1, 1) + timedelta(days=chance.randrange(440))
        lines.append(
            f"{number},{day},{chance.choice(['Acme', 'Beta Ltd', 'Gamma', 'Delta'])},"
            f"{chance.choice(['North', 'South', 'East'])},{chance.choice(['paid', 'open', 'cancelled'])},"
            f"{chance.randrange(1, 50)},{chance.randrange(100, 500000) / 100}"
        )
    return "\n".join(lines) + "\n"


def readings(chance: random.Random) -> str:
    lines = ["momento,maquina,linha,lote,pecas"]
    for number in range(350):
        day = date(2026, 1, 5) + timedelta(days=chance.randrange(70))
        lines.append(
            f"{day} {chance.randrange(24):02}:{chance.randrange(60):02}:00,"
            f"{chance.choice(['Prensa 1', 'Prensa 2', 'Torno', 'Fresa'])},"
            f"{chance.choice(['A', 'B', 'C'])},L{1000 + number % 90},{chance.randrange(5, 200)}"
        )
    return "\n".join(lines) + "\n"


def subjects(folder: Path) -> list[Subject]:
    """The log and three files, read as the product reads them."""
    chance = random.Random(7)
    log = folder / "log.duckdb"
    (folder / "log.csv").write_text(DEMO.read_text("utf-8"), encoding="utf-8")
    with duckdb.connect(str(log)) as database:
        database.execute(
            "CREATE TABLE defeitos AS SELECT * FROM read_csv(?)", [str(folder / "log.csv")]
        )
    table = log_table(lambda: log, None)
    shape = shape_of(
        log, "defeitos", words=table.words, value_words=table.values, row=table.row, kind=table.kind
    )
    cells = pd.read_csv(StringIO(DEMO.read_text("utf-8")), parse_dates=["data"])
    said: dict[Language, dict[str, str]] = {
        "pt": {value: words["pt"][0] for value, words in VALUES.items()},
        "en": {value: words["en"][0] for value, words in VALUES.items()},
    }
    found = [
        Subject(
            shape,
            log,
            cells,
            {"pt": "defeitos", "en": "defects"},
            [
                Dimension("turno", {"pt": "turno", "en": "shift"}, said),
                Dimension("operador", {"pt": "operador", "en": "operator"}),
                Dimension("tipo_defeito", {"pt": "tipo", "en": "type"}, said),
                Dimension("material", {"pt": "material", "en": "material"}),
                Dimension("rack", {"pt": "rack", "en": "rack"}),
            ],
            ("posicao", {"pt": "posição", "en": "position"}),
            "data",
        )
    ]
    text = sales(chance)
    frame = pd.read_csv(StringIO(text), sep=";", decimal=",")
    frame["Data da Venda"] = pd.to_datetime(frame["Data da Venda"], format="%d/%m/%Y")
    found.append(
        _uploaded(
            folder, "vendas", text, frame, {"pt": "vendas", "en": "sales"},
            [
                Dimension("Cliente", {"pt": "cliente", "en": "customer"}),
                Dimension("Produto", {"pt": "produto", "en": "product"}),
                Dimension("Região", {"pt": "região", "en": "region"}),
            ],
            ("Valor", {"pt": "valor", "en": "amount"}), "Data da Venda",
        )
    )  # fmt: skip
    text = orders(chance)
    frame = pd.read_csv(StringIO(text), parse_dates=["orderDate"])
    found.append(
        _uploaded(
            folder, "orders", text, frame, {"pt": "encomendas", "en": "orders"},
            [
                Dimension("customer", {"pt": "cliente", "en": "customer"}),
                Dimension("region", {"pt": "região", "en": "region"}),
                Dimension("status", {"pt": "estado", "en": "status"}),
            ],
            ("amount", {"pt": "valor", "en": "amount"}), "orderDate",
        )
    )  # fmt: skip
    text = readings(chance)
    frame = pd.read_csv(StringIO(text), parse_dates=["momento"])
    found.append(
        _uploaded(
            folder, "leituras", text, frame, {"pt": "leituras", "en": "readings"},
            [
                Dimension("maquina", {"pt": "máquina", "en": "machine"}),
                Dimension("linha", {"pt": "linha", "en": "linha"}),
                Dimension("lote", {"pt": "lote", "en": "lote"}),
            ],
            ("pecas", {"pt": "pecas", "en": "pecas"}), "momento",
        )
    )  # fmt: skip
    return found


def _uploaded(
    folder: Path,
    name: str,
    text: str,
    cells: pd.DataFrame,
    rows: dict[Language, str],
    dimensions: Sequence[Dimension],
    number: tuple[str, dict[Language, str]],
    day: str,
) -> Subject:
    source = folder / f"{name}.csv"
    source.write_text(text, encoding="utf-8")
    made = asyncio.run(_read(source, folder, name))
    found = [profile(made.path, table) for table in made.tables]
    (shape,) = uploaded_shapes(found, made.summary)
    return Subject(shape, made.path, cells, rows, dimensions, number, day)


async def _read(source: Path, folder: Path, name: str) -> Ingested:
    async with walled() as wall:
        return await ingest_file(wall, source, source.name, folder, name=name)


# ---------------------------------------------------------------------- the questions


def figure(value: float, language: Language) -> str:
    """A number as an answer must write it."""
    text = f"{value:,.6f}".rstrip("0").rstrip(".")
    if language == "en":
        return text
    return text.replace(",", "\N{NO-BREAK SPACE}").replace(".", ",")


def percent(value: float, language: Language) -> str:
    text = f"{value:.1f}%"
    return text.replace(".", ",") if language == "pt" else text


def questions(subject: Subject, language: Language, count: int) -> Iterator[Asked]:
    """So many questions, the templates in turn, each with other columns, values and days."""
    chance = random.Random(f"{subject.shape.name} {language}")
    for made in range(count):
        yield TEMPLATES[made % len(TEMPLATES)](subject, language, chance)


def _pick(subject: Subject, chance: random.Random, count: int = 1) -> list[tuple[Dimension, str]]:
    """Some dimensions, each with a value that occurs."""
    chosen = chance.sample(list(subject.dimensions), count)
    return [(one, str(chance.choice(sorted(subject.cells[one.column].unique())))) for one in chosen]


def _counted(text: str, template: str, found: pd.DataFrame, language: Language) -> Asked:
    """How many rows; none are told in words."""
    nothing = "Não há" if language == "pt" else "There are no"
    return Asked(template, text, (figure(len(found), language) if len(found) else nothing,))


def by_value(subject: Subject, language: Language, chance: random.Random) -> Asked:
    ((one, value),) = _pick(subject, chance)
    rows, name, said = subject.rows[language], one.called[language], one.say(value, language)
    text = (
        chance.choice(
            [f"quantas {rows} com {name} = {said}?", f"quantos {rows} há de {name} {said}?"]
        )
        if language == "pt"
        else chance.choice(
            [f"how many {rows} with {name} = {said}?", f"how many {rows} of {name} {said}?"]
        )
    )
    return _counted(text, "value", subject.cells[subject.cells[one.column] == value], language)


def by_two(subject: Subject, language: Language, chance: random.Random) -> Asked:
    (one, first), (other, second) = _pick(subject, chance, 2)
    rows = subject.rows[language]
    a = f"{one.called[language]} {one.say(first, language)}"
    b = f"{other.called[language]} {other.say(second, language)}"
    text = (
        f"quantas {rows} com {a} e {b}?"
        if language == "pt"
        else f"how many {rows} with {a} and {b}?"
    )
    cells = subject.cells
    return _counted(
        text, "two", cells[(cells[one.column] == first) & (cells[other.column] == second)], language
    )


def without(subject: Subject, language: Language, chance: random.Random) -> Asked:
    ((one, value),) = _pick(subject, chance)
    rows, said = subject.rows[language], one.say(value, language)
    text = (
        chance.choice([f"quantas {rows} sem contar {said}?", f"quantas {rows} exceto {said}?"])
        if language == "pt"
        else chance.choice(
            [f"how many {rows} excluding {said}?", f"how many {rows} that are not {said}?"]
        )
    )
    return _counted(text, "without", subject.cells[subject.cells[one.column] != value], language)


def either(subject: Subject, language: Language, chance: random.Random) -> Asked:
    one = chance.choice(list(subject.dimensions))
    values = chance.sample(sorted(map(str, subject.cells[one.column].unique())), 2)
    said = [one.say(value, language) for value in values]
    rows = subject.rows[language]
    text = (
        f"quantas {rows} de {one.called['pt']} {said[0]} ou {said[1]}?"
        if language == "pt"
        else f"how many {rows} of {one.called['en']} {said[0]} or {said[1]}?"
    )
    return _counted(text, "either", subject.cells[subject.cells[one.column].isin(values)], language)


def on_day(subject: Subject, language: Language, chance: random.Random) -> Asked:
    days = subject.cells[subject.day].dt.date
    day = chance.choice(sorted(days.unique()))
    rows = subject.rows[language]
    month = MONTHS[language][day.month - 1]
    text = (
        chance.choice(
            [
                f"quantas {rows} em {day:%d/%m/%Y}?",
                f"quantas {rows} no dia {day.day} de {month} de {day.year}?",
            ]
        )
        if language == "pt"
        else chance.choice(
            [f"how many {rows} on {day}?", f"how many {rows} on {day.day} {month} {day.year}?"]
        )
    )
    return _counted(text, "day", subject.cells[days == day], language)


def in_month(subject: Subject, language: Language, chance: random.Random) -> Asked:
    days = subject.cells[subject.day].dt
    day = chance.choice(sorted(days.date.unique()))
    month, rows = MONTHS[language][day.month - 1], subject.rows[language]
    text = (
        f"quantas {rows} em {month} de {day.year}?"
        if language == "pt"
        else f"how many {rows} in {month} {day.year}?"
    )
    found = subject.cells[(days.year == day.year) & (days.month == day.month)]
    return _counted(text, "month", found, language)


def in_week(subject: Subject, language: Language, chance: random.Random) -> Asked:
    days = subject.cells[subject.day].dt
    day = chance.choice(sorted(days.date.unique()))
    year, week, _ = day.isocalendar()
    rows = subject.rows[language]
    text = (
        f"quantas {rows} na semana {week} de {year}?"
        if language == "pt"
        else f"how many {rows} in week {week} of {year}?"
    )
    weeks = days.isocalendar()
    return _counted(
        text, "week", subject.cells[(weeks.year == year) & (weeks.week == week)], language
    )


def between(subject: Subject, language: Language, chance: random.Random) -> Asked:
    days = subject.cells[subject.day].dt.date
    first, last = sorted(chance.sample(sorted(days.unique()), 2))
    rows = subject.rows[language]
    text = (
        f"quantas {rows} entre {first:%d/%m/%Y} e {last:%d/%m/%Y}?"
        if language == "pt"
        else f"how many {rows} between {first} and {last}?"
    )
    return _counted(text, "between", subject.cells[(days >= first) & (days <= last)], language)


def relative(subject: Subject, language: Language, chance: random.Random) -> Asked:
    rows = subject.rows[language]
    monday = TODAY - timedelta(days=TODAY.weekday())
    said: list[tuple[str, str, date, date]] = [
        ("na semana passada", "last week", monday - timedelta(days=7), monday),
        ("este mês", "this month", date(2026, 3, 1), date(2026, 4, 1)),
        ("no mês passado", "last month", date(2026, 2, 1), date(2026, 3, 1)),
        (
            "nos últimos 10 dias",
            "in the last 10 days",
            TODAY - timedelta(days=9),
            TODAY + timedelta(days=1),
        ),
        ("ontem", "yesterday", TODAY - timedelta(days=1), TODAY),
        ("desde 1 de março", "since March 1", date(2026, 3, 1), date(2030, 1, 1)),
        ("antes de fevereiro de 2026", "before February 2026", date(2000, 1, 1), date(2026, 2, 1)),
    ]
    pt, en, start, end = chance.choice(said)
    days = subject.cells[subject.day].dt.date
    text = f"quantas {rows} {pt}?" if language == "pt" else f"how many {rows} {en}?"
    return _counted(text, "relative", subject.cells[(days >= start) & (days < end)], language)


def added_up(subject: Subject, language: Language, chance: random.Random) -> Asked:
    ((one, value),) = _pick(subject, chance)
    column, called = subject.number
    operation = chance.choice(["sum", "mean", "max", "min", "median"])
    word = {
        "pt": {
            "sum": "soma",
            "mean": "média",
            "max": "máximo",
            "min": "mínimo",
            "median": "mediana",
        },
        "en": {
            "sum": "sum",
            "mean": "average",
            "max": "maximum",
            "min": "minimum",
            "median": "median",
        },
    }[language][operation]
    said = f"{one.called[language]} {one.say(value, language)}"
    text = (
        f"{word} de {called['pt']} de {said}"
        if language == "pt"
        else f"{word} of {called['en']} for {said}"
    )
    found = subject.cells[subject.cells[one.column] == value][column]
    return Asked("figure", text, (figure(float(getattr(found, operation)()), language),))


def grouped(subject: Subject, language: Language, chance: random.Random) -> Asked:
    one = chance.choice(list(subject.dimensions))
    column, called = subject.number
    text = (
        f"soma de {called['pt']} por {one.called['pt']}"
        if language == "pt"
        else f"sum of {called['en']} by {one.called['en']}"
    )
    sums = subject.cells.groupby(one.column)[column].sum().sort_values(ascending=False)
    shown = [
        f"{one.say(str(name), language)}: {figure(float(value), language)}"
        for name, value in sums.items()
    ]
    return Asked("by", text, tuple(shown[:5]))


def ranked(subject: Subject, language: Language, chance: random.Random) -> Asked:
    one = chance.choice(list(subject.dimensions))
    rows, name = subject.rows[language], one.called[language]
    counts = subject.cells[one.column].value_counts()
    most = figure(int(counts.iloc[0]), language)
    if chance.random() < 0.5:
        return Asked(
            "top", f"top 3 {name}", tuple(figure(int(count), language) for count in counts.iloc[:3])
        )
    text = (
        f"qual o {name} com mais {rows}?"
        if language == "pt"
        else f"which {name} has the most {rows}?"
    )
    return Asked("most", text, (f": {most}",))


def second(subject: Subject, language: Language, chance: random.Random) -> Asked:
    one = chance.choice(list(subject.dimensions))
    rows, name = subject.rows[language], one.called[language]
    places = sorted(set(subject.cells[one.column].value_counts()), reverse=True)
    text = (
        f"qual é o segundo {name} com mais {rows}?"
        if language == "pt"
        else f"which is the second {name} with the most {rows}?"
    )
    return Asked("second", text, (f": {figure(int(places[1]), language)}",))


def shared(subject: Subject, language: Language, chance: random.Random) -> Asked:
    ((one, value),) = _pick(subject, chance)
    rows, said = subject.rows[language], one.say(value, language)
    text = (
        f"que percentagem das {rows} é {said}?"
        if language == "pt"
        else f"what percentage of the {rows} is {said}?"
    )
    some = int((subject.cells[one.column] == value).sum())
    return Asked(
        "share", text, (percent(100 * some / len(subject.cells), language), figure(some, language))
    )


def set_against(subject: Subject, language: Language, chance: random.Random) -> Asked:
    days = subject.cells[subject.day].dt
    pairs = sorted({(day.year, day.month) for day in days.date})
    (y1, m1), (y2, m2) = sorted(chance.sample(pairs, 2))
    one, other = f"{MONTHS[language][m1 - 1]}", f"{MONTHS[language][m2 - 1]}"
    of = " de" if language == "pt" else ""
    rows = subject.rows[language]
    text = (
        f"compara as {rows} de {one}{of} {y1} com {other}{of} {y2}"
        if language == "pt"
        else f"compare the {rows} of {one} {y1} with {other} {y2}"
    )
    counts = [int(((days.year == y) & (days.month == m)).sum()) for y, m in ((y1, m1), (y2, m2))]
    return Asked("versus", text, tuple(f": {figure(count, language)}" for count in counts))


def above(subject: Subject, language: Language, chance: random.Random) -> Asked:
    column, called = subject.number
    limit = int(chance.choice(sorted(subject.cells[column].astype(int).unique())))
    rows = subject.rows[language]
    text = (
        f"quantas {rows} com {called['pt']} acima de {limit}?"
        if language == "pt"
        else f"how many {rows} with {called['en']} above {limit}?"
    )
    return _counted(text, "above", subject.cells[subject.cells[column] > limit], language)


Maker = Callable[[Subject, Language, random.Random], Asked]
TEMPLATES: Sequence[Maker] = (
    by_value, by_two, without, either, on_day, in_month, in_week, between, relative, added_up,
    grouped, ranked, second, shared, set_against, above,
)  # fmt: skip


# ---------------------------------------------------------------------- asking


def ask(subject: Subject, asked: Asked, language: Language) -> Told:
    """Ask as the offline model does, with the queries run on the table's own file."""
    sentence = Sentence(asked.text, language, tables=(subject.shape,), today=TODAY)
    steps = INTENT.steps(sentence)
    if not steps:
        said = INTENT.tell(sentence, Results()) if steps is not None else ""
        return Told(asked, said, "unanswered")
    with duckdb.connect(str(subject.file), read_only=True) as database:
        found = database.execute(steps[0].input["sql"])
        columns = [column[0] for column in found.description or ()]
        rows = [[str(v) if hasattr(v, "year") else v for v in row] for row in found.fetchall()]
    result = {"columns": columns, "rows": rows, "total_rows": len(rows), "truncated": False}
    said = INTENT.tell(sentence, Results([Answered(step=steps[0], result=result)]))
    return Told(
        asked, said, "right" if all(_holds(said, one) for one in asked.figures) else "wrong"
    )


def _holds(answer: str, expected: str) -> bool:
    """Whether a figure stands in an answer by itself, and not as a part of another."""
    at = answer.find(expected)
    while at >= 0:
        before, after = answer[at - 1 : at], answer[at + len(expected) :][:2]
        inside = (expected[:1].isdigit() and (before.isdigit() or before in (".", ","))) or (
            after[:1].isdigit()
            or (after[:1] in (".", ",", "\N{NO-BREAK SPACE}") and after[1:].isdigit())
        )
        if not inside:
            return True
        at = answer.find(expected, at + 1)
    return False


def run(languages: Sequence[Language] = ("pt", "en"), per_table: int = PER_TABLE) -> list[Told]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            ask(subject, asked, language)
            for subject in subjects(Path(folder))
            for language in languages
            for asked in questions(subject, language, per_table)
        ]


def main() -> None:
    chosen = [one for one in sys.argv[1:] if one in ("pt", "en")] or ["pt", "en"]
    told = run(chosen)  # type: ignore[arg-type]
    for one in told:
        if one.outcome != "right":
            print(
                f"{one.outcome}: {one.asked.text}\n    {one.asked.figures}\n    {one.answer[:200]!r}"
            )
    print(dict(Counter(one.outcome for one in told)))
    print(
        {
            k: v
            for k, v in Counter((one.asked.template, one.outcome) for one in told).items()
            if k[1] != "right"
        }
    )


if __name__ == "__main__":
    main()
