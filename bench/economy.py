"""Token economy: what three sessions cost, our way and the way of the guide they come from.

The sessions are the guide's own: five questions with tools, an upload and ten questions, one
dashboard. One script drives both ways: the same agent, questions, calls, results and answers.
What differs is what the guide calls its costs: it pastes the first 100 rows into the
conversation, has nothing cached, and forgets tool results when a turn ends, so that what was
known must be asked for again. Ours records a summary, keeps every block and marks what a
provider may cache.

"Guide's, bare" is the least the guide can cost: its own eight tools, and one request for each
question about the upload, answered from the 100 rows it sees of 200. Three of the ten answers
are then wrong, and half of a fourth.

Sent: bytes of all requests, cached or not. Read: bytes of them that no cache held. Billed: US
dollars at the prices of `genai-prices`, tokens estimated at three characters each, input and
output. "First": nobody asked this agent anything in the last minutes. "Next": somebody did, so
its tools and prompt are in the cache. No model is called.

Two limits no engine passes: of the upload's message alone, sent with every request, the summary
is a fifth of the summary with 100 rows; and the answers, which are the same both ways, cost
what they cost.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from bench._wall import walled

from bancada import Agent, JSONObject, Pack, Person, Result, ToolContext
from bancada.data import summary
from bancada.data.process import ingest_file
from bancada.domain.json import dumps
from bancada.engine.context import RequestFrame, request_for, system_text
from bancada.engine.offer import offer
from bancada.engine.window import window
from bancada.model.model import Tokens
from bancada.model.prices import price
from bancada.packs import quality, tables
from bancada.packs.quality.intents.dashboards import dashboard_html
from bancada.packs.statistics.pack import build as studies
from bancada.policy.rules import resolve
from bancada.store.messages import StoredMessage
from bancada.tools.result import outcome_of

MODEL = "claude-sonnet-5-5"
CHARACTERS_PER_TOKEN = 3
"""The guide's own figure for Portuguese."""
SMALLEST_CACHED = 1024
"""Tokens: a shorter beginning is not kept by the provider."""
LOOKS_BACK = 20
"""Blocks before a breakpoint among which the provider looks for what it kept."""

GUIDE_TOOLS = {
    "contar_defeitos": ("tipo_defeito",),
    "top_defeitos": ("n",),
    "gerar_grafico": ("tipo", "titulo", "labels", "valores", "datasets", "opcoes"),
    "gerar_tabela": ("titulo", "colunas", "linhas"),
    "gerar_kpi": ("titulo", "valor", "unidade", "tendencia", "descricao"),
    "gerar_dashboard": ("titulo", "html"),
    "defeitos_por_turno": (),
    "executar_python": ("codigo", "descricao"),
}
"""What the guide's agent has, and the parameters it names."""


@dataclass(frozen=True)
class Call:
    tool: str
    input: JSONObject


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question: what must be found out first, and the answer.

    `steps` are the rounds of calls; those of `again` were made for an earlier question, and
    are needed only where their results were lost. `queries` ask an uploaded file for what its
    rows in the conversation would otherwise be read for.
    """

    text: str
    answer: str
    steps: tuple[tuple[Call, ...], ...] = ()
    again: tuple[tuple[Call, ...], ...] = ()
    queries: tuple[tuple[Call, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Session:
    name: str
    questions: tuple[Question, ...]
    upload: bool = False
    is_held: bool = False
    """Whether the bounds below are held for it."""


def sql(text: str) -> tuple[tuple[Call, ...], ...]:
    return ((Call("consultar_dados", {"sql": text}),),)


COUNT, TOP = Call("contar_defeitos", {}), Call("top_defeitos", {"n": 5})
SHIFTS = Call("defeitos_por_turno", {})
BARS = Call(
    "gerar_grafico",
    {
        "tipo": "bar",
        "titulo": "Defeitos por turno",
        "labels": ["manhã", "tarde", "noite"],
        "valores": [73, 68, 59],
    },
)
KPI = Call("gerar_kpi", {"titulo": "Total de defeitos", "valor": 200, "unidade": "defeitos"})
BY_TYPE = {
    "lixo": 62, "falta_tinta": 31, "casca_laranja": 27, "gordura": 24,
    "descasque": 21, "escorrido": 19, "crateras": 12, "outros": 4,
}  # fmt: skip
TOP_ROWS = [
    {"tipo": kind, "total": count, "percentagem": count / 2}
    for kind, count in list(BY_TYPE.items())[:5]
]
PAGE = dashboard_html(
    "pt",
    {"total": 200, "por_tipo": BY_TYPE},
    TOP_ROWS,
    {"manhã": 73, "tarde": 68, "noite": 59},
)

SESSIONS = (
    Session(
        name="five questions with tools",
        questions=(
            Question(
                text="qual é o defeito mais frequente?",
                steps=((TOP,),),
                answer="O defeito mais frequente é 'lixo', com 62 ocorrências (31,0%), o dobro do "
                "segundo, 'falta_tinta', com 31 (15,5%).",
            ),
            Question(
                text="quantos defeitos há ao todo?",
                steps=((COUNT,),),
                answer="Há 200 defeitos registados: lixo 62, falta_tinta 31, casca_laranja 27, "
                "gordura 24, descasque 21, escorrido 19, crateras 12 e outros 4.",
            ),
            Question(
                text="e por turno?",
                steps=((SHIFTS,),),
                answer="No turno da manhã registaram-se 73 defeitos, no da tarde 68 e no da noite 59.",
            ),
            Question(
                text="mostra num gráfico",
                again=((SHIFTS,),),
                steps=((BARS,),),
                answer="O gráfico mostra os três turnos: a manhã tem mais 14 defeitos do que a noite.",
            ),
            Question(
                text="e um indicador com o total",
                again=((COUNT,),),
                steps=((KPI,),),
                answer="Aqui está: 200 defeitos no total.",
            ),
        ),
    ),
    Session(
        name="upload and ten questions",
        upload=True,
        is_held=True,
        questions=(
            Question(
                text="que padrões vês nestes dados?",
                answer="Três coisas saltam à vista: o lixo é quase um terço dos 200 defeitos (62), "
                "os racks R10 a R14 concentram 173 deles, e a manhã (73) tem mais do que a noite (59). "
                "Operadores e materiais estão repartidos sem grandes diferenças.",
            ),
            Question(
                text="qual é o tipo de defeito mais frequente?",
                answer="Lixo, com 62 de 200 registos (31%).",
            ),
            Question(text="e por turno?", answer="Manhã 73, tarde 68 e noite 59."),
            Question(
                text="quantos defeitos de lixo houve no turno da noite?",
                queries=sql(
                    "SELECT count(*) AS n FROM defeitos "
                    "WHERE tipo_defeito = 'lixo' AND turno = 'noite'"
                ),
                answer="No turno da noite houve 18 dos 62 defeitos de lixo.",
            ),
            Question(
                text="que operador tem mais casca de laranja?",
                queries=sql(
                    "SELECT operador, count(*) AS n FROM defeitos "
                    "WHERE tipo_defeito = 'casca_laranja' GROUP BY 1 ORDER BY 2 DESC"
                ),
                answer="Carlos e Pedro, com 8 cada; a Julia tem 7 e a Margareta 4, de um total de 27.",
            ),
            Question(
                text="qual é a posição média na rack?",
                answer="A posição média é 4,59, com desvio-padrão de cerca de 2,3: espalha-se por toda a rack.",
            ),
            Question(
                text="que rack tem mais defeitos?",
                answer="A R12, com 38, logo seguida da R11, com 37.",
            ),
            Question(
                text="e nessa rack, que tipos aparecem?",
                queries=sql(
                    "SELECT tipo_defeito, count(*) AS n FROM defeitos "
                    "WHERE rack = 'R12' GROUP BY 1 ORDER BY 2 DESC"
                ),
                answer="Na R12 o lixo volta a ser o primeiro, com 9, seguido de falta_tinta e casca_laranja, com 7 cada.",
            ),
            Question(
                text="em que dia houve mais defeitos?",
                queries=sql(
                    "SELECT data, count(*) AS n FROM defeitos GROUP BY 1 ORDER BY 2 DESC LIMIT 3"
                ),
                answer="O pior dia foi 20 de fevereiro de 2026, com 14 defeitos; o segundo teve 11.",
            ),
            Question(
                text="resume tudo em três frases",
                answer="O lixo domina: 62 de 200 defeitos. Os racks R10 a R14 concentram 173 e merecem "
                "inspeção. Os turnos diferem pouco, com a manhã à frente (73).",
            ),
        ),
    ),
    Session(
        name="one dashboard",
        questions=(
            Question(
                text="cria um dashboard com os defeitos por tipo e por turno",
                steps=(
                    (COUNT,),
                    (TOP, SHIFTS),
                    (
                        Call(
                            "gerar_dashboard",
                            {"titulo": "Defeitos por tipo e turno", "html": PAGE},
                        ),
                    ),
                ),
                answer="O dashboard está pronto, com o total, a distribuição por tipo e por turno e os "
                "mais frequentes.",
            ),
        ),
    ),
)


@dataclass
class Bill:
    """What a session sent and what that costs."""

    requests: int = 0
    sent: int = 0
    read: int = 0
    input_usd: float = 0.0
    output_usd: float = 0.0

    @property
    def usd(self) -> float:
        return self.input_usd + self.output_usd


@dataclass
class Provider:
    """Counts what a provider would: what was sent, what its cache held, what it bills."""

    bill: Bill = field(default_factory=Bill)
    kept: set[bytes] = field(default_factory=set)

    def receive(self, body: JSONObject) -> None:
        self.bill.requests += 1
        self.bill.sent += len(dumps(body).encode())
        blocks = list(_blocks(body))
        digest, prefixes, sizes = hashlib.sha256(), [], [0]
        for text, _ in blocks:
            digest.update(text.encode())
            prefixes.append(digest.copy().digest())
            sizes.append(sizes[-1] + len(text))
        marks = [at for at, (_, marked) in enumerate(blocks, start=1) if marked]
        hit = max(
            (
                at
                for mark in marks
                for at in range(max(1, mark - LOOKS_BACK), mark + 1)
                if prefixes[at - 1] in self.kept
            ),
            default=0,
        )
        long_enough = [at for at in marks if _tokens(sizes[at]) >= SMALLEST_CACHED]
        end = max(long_enough, default=hit)
        self.kept.update(prefixes[at - 1] for at in long_enough)
        written = max(0, sizes[end] - sizes[hit])
        fresh = sizes[-1] - max(sizes[hit], sizes[end])
        self.bill.read += sum(len(text.encode()) for text, _ in blocks[hit:])
        self.bill.input_usd += _usd(
            Tokens(
                input=_tokens(fresh), cache_read=_tokens(sizes[hit]), cache_write=_tokens(written)
            )
        )

    def reply(self, content: list[JSONObject]) -> None:
        """Bill what the model wrote: its words, and the names and arguments of its calls."""
        written = sum(
            len(block.get("text") or block["name"] + dumps(block["input"])) for block in content
        )
        self.bill.output_usd += _usd(Tokens(output=_tokens(written)))


def _blocks(body: JSONObject) -> Any:
    """What the cache compares, in its order, and whether a breakpoint stands behind it."""
    for kind, found in (("tool", body.get("tools", [])), ("system", body["system"])):
        for block in found:
            yield _plain(kind, block), "cache_control" in block
    for message in body["messages"]:
        for block in message["content"]:
            yield _plain(message["role"], block), "cache_control" in block


def _plain(kind: str, block: JSONObject) -> str:
    return kind + dumps({key: value for key, value in block.items() if key != "cache_control"})


def _tokens(characters: int) -> int:
    return round(characters / CHARACTERS_PER_TOKEN)


def _usd(tokens: Tokens) -> float:
    found = price(tokens, MODEL)
    assert found is not None, MODEL
    return found


# ---------------------------------------------------------------------- the two ways


class Ours:
    """Requests made by the engine's own functions from a record that grows."""

    def __init__(self, shop: Shop, provider: Provider) -> None:
        self.shop, self.provider = shop, provider
        self.messages: list[StoredMessage] = []
        self.frame = RequestFrame(
            model=MODEL,
            max_tokens=shop.agent.max_tokens,
            system=system_text(shop.agent.system_prompt),
            tools=shop.definitions,
            code=shop.agent.code,
            extra={},
        )

    def upload(self) -> None:
        self._append("user", "upload", [_text(self.shop.summary)])

    async def ask(self, question: Question, turn: str) -> None:
        self._append("user", "question", [_text(question.text)], turn)
        for calls in (*question.queries, *question.steps):
            uses = [_use(call, f"{turn}{number}") for number, call in enumerate(calls)]
            self._reply(uses, turn)
            results = [await self.shop.result(use) for use in uses]
            self._append("user", "results", results, turn)
        self._reply([_text(question.answer)], turn)

    def _reply(self, content: list[JSONObject], turn: str) -> None:
        seen = window(self.messages, self.shop.agent.max_history)
        self.provider.receive(request_for(self.frame, seen).body())
        self.provider.reply(content)
        self._append("assistant", "reply", content, turn)

    def _append(self, role: Any, kind: Any, content: list[JSONObject], turn: str = "") -> None:
        at = len(self.messages)
        self.messages.append(
            StoredMessage(
                id=f"m{at}",
                conversation_id="c",
                turn_id=turn or None,
                position=at,
                role=role,
                kind=kind,
                content=content,
                metadata={},
                created_at=float(at),
            )
        )


class Guides:
    """The guide's loop: texts are kept, everything else lasts one turn, nothing is cached."""

    def __init__(self, shop: Shop, provider: Provider) -> None:
        self.shop, self.provider = shop, provider
        self.messages: list[JSONObject] = []
        self.tools = shop.definitions

    def upload(self) -> None:
        self.messages.append({"role": "user", "content": [_text(self.shop.hundred_rows)]})

    async def ask(self, question: Question, turn: str) -> None:
        self.messages.append({"role": "user", "content": [_text(question.text)]})
        seen = self.messages[-20:]
        for number, calls in enumerate(self._rounds(question)):
            uses = [_use(call, f"{turn}{number}{at}") for at, call in enumerate(calls)]
            self._reply(seen, uses)
            results = [await self.shop.result(use, whole=True) for use in uses]
            seen = [
                *seen,
                {"role": "assistant", "content": uses},
                {"role": "user", "content": results},
            ]
        answer = [_text(question.answer)]
        self._reply(seen, answer)
        self.messages.append({"role": "assistant", "content": answer})

    def _rounds(self, question: Question) -> tuple[tuple[Call, ...], ...]:
        return (*question.again, *question.queries, *question.steps)

    def _reply(self, seen: list[JSONObject], content: list[JSONObject]) -> None:
        self.provider.receive(
            {
                "model": MODEL,
                "max_tokens": 4096,
                "system": [_text(system_text(self.shop.agent.system_prompt))],
                "tools": self.tools,
                "messages": seen,
            }
        )
        self.provider.reply(content)


class GuidesBare(Guides):
    """The guide's loop at its cheapest: its own tools, and no question asked of the whole file."""

    def __init__(self, shop: Shop, provider: Provider) -> None:
        super().__init__(shop, provider)
        ours = {shape["name"]: shape for shape in shop.definitions}
        self.tools = [_with_only(ours[name], keep) for name, keep in GUIDE_TOOLS.items()]

    def _rounds(self, question: Question) -> tuple[tuple[Call, ...], ...]:
        return (*question.again, *question.steps)


def _with_only(shape: JSONObject, parameters: tuple[str, ...]) -> JSONObject:
    """A tool's definition with no more parameters than these."""
    schema: JSONObject = shape["input_schema"]
    kept = {name: schema["properties"][name] for name in parameters}
    return {**shape, "input_schema": {**schema, "properties": kept}}


def _text(text: str) -> JSONObject:
    return {"type": "text", "text": text}


def _use(call: Call, id: str) -> JSONObject:
    return {"type": "tool_use", "id": f"toolu_{id:0>24}", "name": call.tool, "input": call.input}


# ---------------------------------------------------------------------- the pack, really run


class _NoTables:
    """The log is the demo's file."""

    possible = False

    def offer(self, name: str, **how: Any) -> None:
        pass

    async def read(self, organisation_id: int, name: str, **how: Any) -> None:
        return None


class Shop:
    """The quality pack with its demo data: tools that run, and one uploaded file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.demo = True
        self.first_organisation = 1
        self.settings: Mapping[str, str] = {}
        self.jail = _NoJail()
        self.datasets = self
        self.dashboards = self
        self.own_tables = _NoTables()
        self.pack: Pack = quality.build(self)  # type: ignore[arg-type]
        self.agent: Agent = next(one for one in self.pack.agents if one.name == "Análise")
        packs = [self.pack, tables.build(self), studies(self)]  # type: ignore[arg-type]
        by_name = {tool.name: tool for pack in packs for tool in pack.tools}
        self.tools = [by_name[name] for name in self.agent.tools]
        self.definitions = offer(
            [(tool, resolve(tool, ())) for tool in self.tools],
            code=self.agent.code,
            deferred_above=1_000_000,
            vendor_search=False,
        ).definitions
        self.summary = self.hundred_rows = ""

    async def open(self) -> None:
        target = self.folder / "datasets"
        target.mkdir()
        log = self.folder / "defeitos.csv"
        async with walled() as wall:
            made = await ingest_file(wall, log, "defeitos.csv", target, name="d")
        self.summary = summary.message(made.summary)
        self.hundred_rows = summary.message(made.summary, made.head)

    async def result(self, use: JSONObject, *, whole: bool = False) -> JSONObject:
        """Run a call. The guide's tools return their widget to the model `whole`."""
        tool = next(one for one in self.tools if one.name == use["name"])
        assert tool.validator.problem(use["input"]) is None
        raw = await tool.run(_context(), use["input"])
        if whole and isinstance(raw, Result):
            raw = raw.value
        content = outcome_of(raw, max_chars=20_000).content
        return {"type": "tool_result", "tool_use_id": use["id"], "content": content}

    async def query(
        self,
        context: ToolContext,
        sql: str,
        *,
        tables: Mapping[str, Path] | None = None,
        limit: int = 200,
    ) -> JSONObject:
        """The same answer as the jail gives; these statements are ours."""
        (log,) = self.pack.tables
        with duckdb.connect(str(log.file()), read_only=True) as database:
            found = database.execute(sql)
            columns = [column[0] for column in found.description]
            rows = [[str(v) if hasattr(v, "year") else v for v in row] for row in found.fetchall()]
        return {"columns": columns, "rows": rows, "total_rows": len(rows), "truncated": False}

    async def keep(self, context: ToolContext, *, titulo: str, html: str) -> JSONObject:
        return {"id": "a3f2c8e1b047", "url": "/dashboards/a3f2c8e1b047", "titulo": titulo}


class _NoJail:
    missing = None


def _context() -> ToolContext:
    async def nobody(name: str, input: JSONObject) -> Any:
        raise AssertionError(name)

    person = Person(id=2, organisation_id=1, email="r@r", name="Rui", role="responsavel")
    return ToolContext(person=person, call_id="b", conversation_id="c", call=nobody)


async def play(
    session: Session, shop: Shop, way: type[Ours | Guides], kept: set[bytes] | None = None
) -> Provider:
    """One session from its beginning; `kept` is what the provider's cache holds before it."""
    provider = Provider(kept=set(kept or ()))
    talk = way(shop, provider)
    if session.upload:
        talk.upload()
    for number, question in enumerate(session.questions):
        await talk.ask(question, f"t{number}")
    return provider


async def bills(session: Session, shop: Shop) -> dict[str, Bill]:
    """The session's bill each way; "next" comes after a conversation that shares no message."""
    greeting = Session(name="", questions=(Question(text="olá", answer="Olá!"),))
    before = await play(greeting, shop, Ours)
    return {
        "guide's way": (await play(session, shop, Guides)).bill,
        "guide's, bare": (await play(session, shop, GuidesBare)).bill,
        "ours, first": (await play(session, shop, Ours)).bill,
        "ours, next": (await play(session, shop, Ours, before.kept)).bill,
    }


def show(session: Session, found: dict[str, Bill]) -> None:
    print(f"\n{session.name}")
    print(f"  {'':<15}{'requests':>9}{'sent':>16}{'read':>16}{'input $':>16}{'billed $':>16}")
    guide = found["guide's way"]
    for name, bill in found.items():
        cells = "".join(
            f"{ours:>9,.{4 if ours < 1 else 0}f} {ours / theirs:>5.2f}x"
            for ours, theirs in (
                (bill.sent, guide.sent),
                (bill.read, guide.read),
                (bill.input_usd, guide.input_usd),
                (bill.usd, guide.usd),
            )
        )
        print(f"  {name:<15}{bill.requests:>9}{cells}")
    if session.is_held:
        for name, most in (("ours, first", 0.15), ("ours, next", 0.10)):
            ours = found[name]
            _verdict(f"{name}: bytes read", ours.read / guide.read, 0.10)
            _verdict(f"{name}: billed", ours.usd / guide.usd, most)


def _verdict(name: str, ratio: float, aim: float) -> None:
    print(f"  aim: {name} at most {aim:.2f}x: {'ok' if ratio <= aim else 'MISSED'} ({ratio:.2f}x)")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(Path(folder))
        await shop.open()
        for session in SESSIONS:
            show(session, await bills(session, shop))
            if session.upload:
                alone = len(shop.summary.encode()) / len(shop.hundred_rows.encode())
                print(f"  the upload's message alone: {alone:.2f}x")


if __name__ == "__main__":
    asyncio.run(main())
