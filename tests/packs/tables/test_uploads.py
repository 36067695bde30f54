"""Questions about uploaded files, asked of the whole engine with the offline model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bancada.domain.messages import text_block
from bancada.packs.quality import DEMO
from bancada.packs.quality.agents import ANALYSIS_TOOLS
from bancada.store import messages
from bancada.testing import Reply, Request, Told
from tests.data.sheets import Rows, workbook
from tests.engine.harness import Harness, working
from tests.packs.tables.files import (
    ANOS,
    ESTRANHO,
    FABRICO,
    ORDERS,
    PRODUCAO,
    SALES,
    VENDAS,
    VIAGENS,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPACE = "\N{NO-BREAK SPACE}"


class Talk:
    """A conversation about files; figures are compared with an ordinary space in them."""

    def __init__(self, agent: Harness) -> None:
        self.agent = agent
        self.last: Told

    async def begin(self, **files: str) -> Talk:
        await self.agent.new_conversation()
        for name, text in files.items():
            await self.agent.upload(text, f"{name}.csv")
        return self

    async def upload(self, source: Path, name: str) -> None:
        """A file that is no text."""
        bench, id = self.agent.bench, self.agent.conversation_id
        uploaded = await bench.uploads.receive(id, source, name)
        content = [text_block(uploaded.message)]
        await bench.database.run(messages.append, id, role="user", kind="upload", content=content)

    async def ask(self, question: str) -> str:
        self.last = await self.agent.run(question)
        assert self.last.status == "done"
        return self.last.text.replace(SPACE, " ")

    async def answers(self, *exchanges: tuple[str, str]) -> None:
        """Each question in turn, and a part of its answer."""
        for question, part in exchanges:
            assert part in await self.ask(question), question

    @property
    def called(self) -> list[str]:
        return [event["name"] for event in self.last.of("tool_use")]

    @property
    def queries(self) -> list[str]:
        return [use["input"].get("sql", "") for use in self.last.of("tool_use")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def talk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Talk]:
    folder: Path = tmp_path_factory.mktemp("uploads")
    how: dict[str, Any] = {"provider": True, "tools": ANALYSIS_TOOLS, "settings": {"demo": True}}
    async with working(folder, **how) as agent:
        if agent.bench.jail.missing:
            pytest.skip(agent.bench.jail.missing)
        yield Talk(agent)


async def test_a_sales_file_is_added_up_by_whatever_it_has(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.answers(
        ("quantas linhas há?", "vendas.csv tem 8 linhas."),
        ("qual é a soma de valor?", "A soma de Valor em vendas.csv é 2 947,5."),
        ("média do preço unitário", "é 160,90625."),
        ("mínimo e máximo de valor", "mínimo de Valor 120,5 e máximo de Valor 1 230."),
        ("mediana da quantidade", "A mediana de Quantidade em vendas.csv é 2,5."),
        ("soma de valor por produto", "- Armário: 1 640\n- Cadeira: 705\n- Mesa: 602,5"),
        ("preço médio por região", "- Centro: 265,25\n- Sul: 222,625\n- Norte: 77,875"),
        ("soma de valor por mês", "- janeiro de 2026: 734,5\n- fevereiro de 2026: 1 562"),
        ("soma de valor por mês e região", "- janeiro de 2026 · Norte: 382\n"),
        ("percentagem do valor por região", "- Sul: 1 582,5 (53,7%)"),
        ("top 2 clientes por valor", "1. Móveis Sá: 1 823,5\n2. Casa do Pão: 792"),
    )
    assert talk.called == ["consultar_dados"]


async def test_an_english_file_is_answered_in_english_with_english_figures(talk: Talk) -> None:
    await talk.begin(orders=ORDERS)
    await talk.answers(
        ("how many rows are there?", "orders.csv has 6 rows."),
        ("average unit price per region", "- North: 13.666667\n- South: 13.625\n- East: 7.25"),
        ("total amount", "The sum of amount in orders.csv is 3,344."),
        ("top 2 customers by amount", "1. Acme: 3,255\n2. Beta: 60"),
        ("which region has the most orders?", "North has most rows: 3"),
        ("which customer has the lowest total amount?", "Gamma has the lowest sum of amount: 29"),
        ("how many orders are paid?", "There are 3 rows in orders.csv with status = paid."),
        ("how many different customers?", "There are 3 different values of customer"),
        ("what are the most frequent values of status?", "1. paid: 3 (50.0%)\n2. open: 2"),
        ("what is the latest order date?", "is 2026-03-15."),
        ("orders per month", "- December 2025: 1"),
        ("minimum and maximum amount by status", "- paid: minimum of amount 40; maximum"),
    )


async def test_rows_are_chosen_by_value_comparison_and_date(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.answers(
        ("quantas vendas no Norte?", "Há 4 linhas em vendas.csv com Região = Norte."),
        ('quantas linhas onde região = "norte"?', "Há 4 linhas"),
        ("soma de valor da Casa do Pão", "com Cliente = Casa do Pão é 792."),
        ("soma de valor que não é do Norte", "com Região ≠ Norte é 2 113."),
        ("quantas linhas com região diferente de Sul?", "Há 6 linhas"),
        ("quantas linhas no Norte ou no Sul?", "Há 6 linhas em vendas.csv com Região = Norte ou"),
        ("quantas linhas com valor acima de 1.000?", "Há 1 linha em vendas.csv com Valor > 1 000."),
        ("quantas linhas com valor entre 200 e 250?", "Há 3 linhas"),
        ("soma de valor em fevereiro", "com Data da Venda em fevereiro de 2026 é 1 562."),
        ("soma de valor desde 01/03/2026", "com Data da Venda ≥ 2026-03-01 é 651."),
        ("soma de valor em 2025", "Não há linhas em vendas.csv com Data da Venda em 2025."),
        ("quantas linhas com pago = sim?", "Há 5 linhas"),
        ("quantas linhas com região = Oeste?", "Não há linhas em vendas.csv com Região = Oeste."),
        ("média de valor no Norte por produto", "- Mesa: 241\n- Cadeira: 176,25"),
    )
    await talk.begin(orders=ORDERS)
    await talk.answers(
        ("how many rows where status is not paid?", "There are 3 rows in orders.csv with status ≠"),
        ("how many orders in the North region?", "There are 3 rows"),
        ("how many rows with amount over 1,000?", "There is 1 row"),
    )


async def test_headings_that_are_words_of_questions_are_told_from_them(talk: Talk) -> None:
    await talk.begin(fabrico=FABRICO)
    await talk.answers(
        ("Quantas linhas tem o ficheiro?", "fabrico.csv tem 5 linhas."),
        ("mostra as primeiras 2 linhas do ficheiro", "As primeiras 2 linhas"),
        ("linha com mais peças", "L1 tem a maior soma de Peças: 260"),
        ("qual a linha com mais peças no ficheiro?", "L1 tem a maior soma de Peças: 260"),
        ("qual a conta com menos peças?", "Sul tem a menor soma de Peças: 180"),
        ("conta com maior peças", "Norte tem a maior soma de Peças: 220"),
        ("quantas linhas do ficheiro com peças acima de 90?", "Há 2 linhas"),
    )
    await talk.begin(viagens=VIAGENS)
    await talk.answers(
        ("soma de total", "A soma de Total em viagens.csv é 60."),
        ("total", "A soma de Total em viagens.csv é 60."),
        ("total por De", "- Porto: 50\n- Braga: 10"),
        ("total de Faro", "com Para = Faro é 30."),
        ("soma da nota", "De que coluna?"),
    )


async def test_what_is_not_so_is_the_no_of_a_column_and_what_is_left_out_leaves_the_empty(
    talk: Talk,
) -> None:
    await talk.begin(fabrico=FABRICO)
    await talk.answers(
        ("peças não retrabalhadas", "com Retrabalhada = não é 200."),
        ("peças sem as retrabalhadas", "com Retrabalhada ≠ sim é 260."),
        ("peças não retrabalhadas do Carlos", "com Retrabalhada = não e Operador = Carlos é 80."),
        ("percentagem retrabalhada", "40,0%: 2 de 5"),
        ("peças sem a Julia nem o Carlos", "com Operador ≠ Julia e Carlos é 120."),
        ("how many parts are there?", "“parts”"),
    )


async def test_who_how_many_and_the_extreme_of_something_are_answered(talk: Talk) -> None:
    await talk.begin(fabrico=FABRICO)
    await talk.answers(
        ("quantas peças fez a Julia?", "com Operador = Julia é 160."),
        ("quem fez mais peças?", "Julia tem a maior soma de Peças: 160"),
        ("quantos operadores na L1?", "Há 3 valores diferentes de Operador"),
        ("quantos operadores na L2?", "Há 1 valor de Operador em fabrico.csv com Linha = L2."),
        ("que operador teve o máximo de peças?", "Inês tem o maior máximo de Peças: 120"),
        ("peças médias das linhas L1 e L2", "com Linha = L1 ou L2 é 85."),
        ("refugo por conta", "Média de Refugo % por Conta"),
    )
    await talk.begin(sales=SALES)
    await talk.answers(
        ("sales without discount", "There are 2 rows in sales.csv with Discount % empty or 0."),
        ("quantas unidades no North sem Widget?", "A soma de Units em sales.csv"),
        (
            "how many sales were returned in the North?",
            "1 row in sales.csv with Region = North and Returned = yes.",
        ),
        ("average revenue of the sales in North", "is 20."),
        ("receita média das vendas em North", "é 20."),
    )


async def test_a_week_of_a_day_an_hour_and_a_column_of_years_are_times(talk: Talk) -> None:
    await talk.begin(fabrico=FABRICO)
    await talk.answers(
        ("peças na semana de 4 de março de 2026", "entre 2026-03-02 e 2026-03-08 é 300."),
        ("peças por hora", "- 06:00: 180\n- 14:00: 180\n- 22:00: 40"),
        ("compara março com abril em peças", "março de 2026: 360; Data em abril de 2026: 40"),
        ("peças: abril vs março", "março de 2026: 360; Data em abril de 2026: 40 (diferença -320"),
    )
    await talk.begin(anos=ANOS)
    await talk.answers(
        ("faturação em 2025", "com Ano = 2025 é 220."),
        ("e em 2026?", "com Ano = 2026 é 30."),
        ("faturação desde 2025", "com Ano ≥ 2025 é 250."),
        ("faturação sem 2025", "com Ano ≠ 2025 é 130."),
    )
    await talk.begin(vendas=VENDAS)
    await talk.answers(("valor por hora", "«hora»"))


async def test_a_follow_up_narrows_regroups_or_redraws_the_last_answer(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.answers(
        ("soma de valor por produto", "Soma de Valor por Produto"),
        ("e por região?", "- Sul: 1 582,5"),
        ("e a média?", "Média de Valor por Região em vendas.csv:"),
        ("num gráfico", "Pode vê-lo no gráfico acima."),
    )
    assert talk.called == ["consultar_dados", "gerar_grafico"]
    chart = talk.last.one("chart")["data"]
    assert chart["titulo"] == "Média de Valor por Região"
    assert dict(zip(chart["labels"], chart["datasets"][0]["data"], strict=True)) == {
        "Sul": 791.25,
        "Centro": 265.25,
        "Norte": 208.625,
    }
    await talk.answers(
        ("só no Norte", "com Região = Norte:"),
        ("soma de valor em fevereiro de 2026", "é 1 562."),
        ("e em março?", "com Data da Venda em março de 2026 é 651."),
        ("e do cliente Móveis Sá?", "Cliente = Móveis Sá é 241."),
        ("e da Casa do Pão?", "Cliente = Casa do Pão é 410."),
        ("qual o produto com maior soma de valor?", "Armário tem a maior soma de Valor: 1 640"),
        ("e o menor?", "Mesa tem a menor soma de Valor: 602,5"),
    )
    await talk.begin(orders=ORDERS)
    await talk.answers(
        ("sum of amount by customer", "- Acme: 3,255"),
        ("and by region?", "- North: 3,295"),
        ("show it in a pie chart", "The chart above shows it."),
    )
    assert talk.last.one("chart")["data"]["tipo"] == "pie"


async def test_what_is_shown_is_drawn_from_the_query(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.ask("gráfico de barras da soma de valor por produto")
    chart = talk.last.one("chart")["data"]
    assert (chart["tipo"], chart["labels"]) == ("bar", ["Armário", "Cadeira", "Mesa"])
    assert chart["datasets"][0]["data"] == [1640, 705, 602.5]
    assert all(query.startswith("SELECT") for query in talk.queries)

    await talk.ask("gráfico da soma de valor por mês e região")
    chart = talk.last.one("chart")["data"]
    assert chart["labels"] == ["2026-01", "2026-02", "2026-03"]
    assert {one["label"]: one["data"] for one in chart["datasets"]} == {
        "Centro": [None, 120.5, 410],
        "Norte": [382, 211.5, 241],
        "Sul": [352.5, 1230, None],
    }

    assert "Está na tabela acima." in await talk.ask("quantidade por cliente numa tabela")
    assert talk.last.one("table")["data"]["linhas"][0] == ["Móveis Sá", 15]

    await talk.ask("KPI com a soma de valor")
    assert talk.last.one("kpi")["data"]["valor"] == 2947.5

    await talk.ask("mostra as primeiras 3 linhas")
    assert len(talk.last.one("table")["data"]["linhas"]) == 3


async def test_columns_and_empty_cells_are_told(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask("que colunas há?")
    assert said.startswith("vendas.csv tem 8 colunas e 8 linhas:")
    assert "- Preço Unitário: número\n" in said
    await talk.answers(
        ("quantas células vazias há?", "Há 1 célula vazia em vendas.csv: Pago 1."),
        ("quantos valores em falta tem a coluna Cliente?", "A coluna Cliente tem 0 células vazias"),
    )
    await talk.begin(orders=ORDERS)
    await talk.answers(
        ("what columns does the file have?", "- orderDate: date"),
        ("how many missing values?", "There are 2 empty cells in orders.csv: quantity 1 and"),
        ("median quantity", "1 empty cell of quantity does not count."),
    )


async def test_of_a_very_wide_file_it_is_told_which_columns_were_looked_at(talk: Talk) -> None:
    heading = ",".join(f"c{number}" for number in range(160))
    await talk.begin(larga=f"{heading}\n{','.join('1' for _ in range(159))},\n{'2,' * 159}2\n")
    await talk.answers(
        ("quantas células vazias há?", "vazias em larga.csv nas primeiras 150 colunas (2 linhas)."),
        ("células vazias de c159", "A coluna c159 tem 1 célula vazia em 2 linhas de larga.csv."),
    )


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("soma de valor por planeta", "Não encontro «planeta»"),
        ("soma de xpto", "Não encontro «xpto»"),
        ("quantas vendas em Marte?", "Não encontro «Marte»"),
        ("soma de valor por mês de 2026 sem os clientes maus", "Não encontro"),
        ("qual o cliente que gastou mais?", "Não encontro «gastou»"),
        ("total por região", "De que coluna? As colunas numéricas de vendas.csv são: Quantidade,"),
        ("average foo by região", "I find “foo” neither"),
    ],
)
async def test_what_is_not_there_gets_the_columns_and_never_a_figure(
    talk: Talk, question: str, part: str
) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask(question)
    assert part in said
    assert "Quantidade" in said
    assert not any(
        character.isdigit() for character in re.split("Pode perguntar|You can ask", said)[0]
    )
    assert talk.called == []


async def test_a_name_that_may_mean_two_columns_is_asked_back(talk: Talk) -> None:
    await talk.begin(dados="preco_compra,preco_venda,inicio,fim\n1,2,2026-01-01,2026-02-01\n")
    await talk.answers(
        ("média do preço", "«preço» pode ser «preco_compra» ou «preco_venda». Qual delas?"),
        ("média do preço de venda", "A média de preco_venda em dados.csv é 2."),
        ("linhas por mês", "«mês» pode ser «inicio» ou «fim». Qual delas?"),
        ("linhas por mês de inicio", "- janeiro de 2026: 1"),
    )


async def test_rows_counted_for_sales_say_so(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask("vendas por mês")
    assert "Linhas por mês de Data da Venda em vendas.csv:" in said
    assert "Contei linhas; para somar diga a coluna, por exemplo «soma de Quantidade»" in said


async def test_ties_are_told(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask("qual o produto com mais linhas?")
    assert said.startswith("Cadeira e Mesa têm mais linhas: 3 cada")


async def test_the_largest_of_each_group_is_told_from_the_largest_group(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.answers(
        ("maior valor de cada cliente", "Máximo de Valor por Cliente em vendas.csv:"),
        ("qual o cliente com maior valor?", "Móveis Sá tem a maior soma de Valor: 1 823,5"),
        ("os 2 maiores valores", "Maiores valores de Valor em vendas.csv:\n\n1. 1 230\n2. 410"),
        ("maior venda de cada cliente", "De que coluna?"),
        ("qual a região com maior número de vendas?", "Norte tem mais linhas: 4"),
    )


async def test_people_are_found_by_name_and_yes_by_its_column(talk: Talk) -> None:
    people = "Nome,Cargo,Salário,Teletrabalho\nAna,Operador,1200,sim\nRui,Chefe,2100,não\n"
    await talk.begin(equipa=people)
    await talk.answers(
        ("quantas pessoas temos?", "equipa.csv tem 2 linhas."),
        ("quem tem o maior salário?", "Rui tem a maior soma de Salário: 2 100"),
        ("quantas pessoas em teletrabalho?", "Há 1 linha em equipa.csv com Teletrabalho = sim."),
        ("salário médio dos operadores", "com Cargo = Operador é 1 200."),
        ("quantas pessoas com mais de 40 anos?", "Não encontro «mais de 40»"),
    )


async def test_a_pareto_and_a_dashboard_of_a_file_are_of_the_file(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask("faz o pareto do valor por produto")
    assert "- Armário: 1 640 (55,6%, 55,6%)\n- Cadeira: 705 (23,9%, 79,6%)" in said
    said = await talk.ask("cria um dashboard com a soma de valor por produto")
    assert "Guardar num painel" in said
    assert talk.last.one("chart")["data"]["labels"] == ["Armário", "Cadeira", "Mesa"]
    await talk.ask("pareto por operador")
    assert talk.called == ["pareto_defeitos"]


async def test_of_a_workbooks_sheets_the_one_that_has_the_column_answers(talk: Talk) -> None:
    await talk.begin()
    sheets: dict[str, Rows] = {
        "Obras": [["obra", "custo"], ["A", 10]],
        "Horas": [["pessoa", "horas"], ["Ana", 7]],
    }
    source = talk.agent.folder / "incoming-livro.xlsx"
    source.write_bytes(workbook(sheets))
    await talk.upload(source, "livro.xlsx")
    await talk.answers(
        ("soma de custo", "A soma de custo em livro.xlsx é 10."),
        ("soma de horas", "A soma de horas em livro.xlsx é 7."),
    )


async def test_an_agent_without_queries_says_what_it_lacks(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    bench = talk.agent.bench
    request = Request(
        model="offline",
        max_tokens=100,
        system=[],
        messages=[{"role": "user", "content": [{"type": "text", "text": "soma de valor"}]}],
        tools=[{"name": "top_defeitos", "input_schema": {"type": "object"}}],
        tables=await bench.tables.shapes(talk.agent.conversation_id, 1),
    )
    model = bench.models.offline
    replies = [event async for event in model.stream(request) if isinstance(event, Reply)]
    assert "precisa da ferramenta `consultar_dados`" in replies[0].content[0]["text"]


async def test_two_questions_in_one_sentence_are_both_answered(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    said = await talk.ask("quantas linhas há e qual a soma de valor no Norte?")
    assert (
        said
        == "vendas.csv tem 8 linhas.\n\nA soma de Valor em vendas.csv com Região = Norte é 834,5."
    )
    said = await talk.ask("qual o cliente com mais linhas e qual o defeito mais frequente?")
    assert "Casa do Pão e Móveis Sá têm mais linhas: 3 cada" in said
    assert "O defeito mais frequente é 'lixo'" in said


async def test_awkward_names_are_columns_like_any_other(talk: Talk) -> None:
    await talk.begin(estranho=ESTRANHO)
    await talk.answers(
        ("soma de total por group", "- g2: 20\n- g1: 15,5"),
        ("soma de `total (€)` por order", "- x2: 20\n- x1: 10,5\n- x3: 5"),
        ("sum of select by 'a \"quoted\" name'", "- foo: 4\n- bar: 2"),
        ("média da coluna a", "A média de a em estranho.csv é 6."),
        ('soma de "it\'s; DROP TABLE x --"', "é 6."),
        ("quantas linhas com group = \"g1' OR '1'='1\"?", "Não há linhas em estranho.csv"),
        ("quantas linhas há?", "estranho.csv tem 3 linhas."),
    )


async def test_the_latest_file_is_meant_unless_another_is_named(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS, orders=ORDERS)
    await talk.answers(
        ("quantas linhas há?", "orders.csv tem 6 linhas."),
        ("quantas linhas tem vendas.csv?", "vendas.csv tem 8 linhas."),
        ("soma de valor por produto no ficheiro vendas", "- Armário: 1 640"),
        ("e por região?", "- Sul: 1 582,5"),
        ("average preço per região in vendas.csv", "- Centro: 265.25"),
        ("soma de quantidade por produto", "Soma de Quantidade por Produto em vendas.csv:"),
    )
    await talk.begin(vendas=VENDAS)
    await talk.agent.upload("a\n1\n", "vendas.csv")
    assert await talk.ask("quantas linhas há?") == "vendas.csv tem 1 linha."


async def test_the_log_keeps_its_own_questions_though_a_file_is_there(talk: Talk) -> None:
    await talk.begin(defeitos=DEMO.read_text("utf-8"))
    exchanges = (
        ("qual é o defeito mais frequente?", "top_defeitos"),
        ("e por turno?", "defeitos_por_turno"),
        ("mostra num gráfico", "consultar_dados"),
        ("quantos defeitos há por tipo?", "contar_defeitos"),
        ("faz o Pareto dos defeitos", "pareto_defeitos"),
        ("média de posicao por turno", "consultar_dados"),
        ("quantos registos há por operador?", "consultar_dados"),
        ("e por rack?", "consultar_dados"),
        ("num gráfico", "consultar_dados"),
        ("quantos defeitos há?", "contar_defeitos"),
        ("mostra num gráfico", "consultar_dados"),
        ("quantas linhas do ficheiro são do turno da noite?", "consultar_dados"),
        ("top 3 racks", "consultar_dados"),
    )
    for question, tool in exchanges:
        await talk.ask(question)
        assert talk.called[0] == tool, question
    await talk.answers(
        ("média de posicao", "A média de posicao em defeitos.csv é 4,59."),
        ("qual o operador com mais linhas?", "Julia tem mais linhas: 55"),
        ("quantas linhas com PP Negro?", "Há 54 linhas em defeitos.csv com material = PP_Negro."),
    )


async def test_a_column_of_defects_is_added_up(talk: Talk) -> None:
    await talk.begin(producao=PRODUCAO)
    await talk.answers(("soma de defeitos por turno", "- tarde: 5\n- noite: 4\n- manhã: 3"))


async def test_a_column_that_says_how_many_is_meant_by_what_it_counts(talk: Talk) -> None:
    rows = (
        "8;2026-08-03;Sul;0",
        "9;2026-08-04;Norte;5",
        "7;2026-09-01;Sul;2",
        "6;2026-09-02;Sul;4",
    )
    await talk.begin(lotes="Encomenda;Data;Linha;N.º defeitos\n" + "\n".join(rows) + "\n")
    await talk.answers(
        ("quantos com mais de 2 defeitos?", "Há 2 linhas em lotes.csv com N.º defeitos > 2."),
        ("top 1 linha por defeitos", "1. Sul: 6"),
        ("compara agosto com setembro em defeitos", "Data em agosto de 2026: 5; Data em setembro"),
        ("how many defects with Linha Norte?", "The sum of N.º defeitos in lotes.csv with Linha"),
        ("quantos defeitos da Julia?", "Há 55 defeitos com operador = Julia."),
        ("e do Pedro?", "(Da tabela defeitos, não de lotes.csv.)"),
        ("quantos defeitos tem o rack 12?", "Há 38 defeitos com rack = R12."),
        ("quantos defeitos houve no turno 2?", "Não encontro «turno 2»"),
    )
    await talk.begin(loja="Loja;Total venda\nA;10,50\nB;20,00\n")
    await talk.answers(("quantas vendas há?", "2 linhas"))
    await talk.begin(pecas="Turno;Boas;Más\nA;10;1\nB;20;4\n")
    await talk.answers(("pareto das más por turno", "Soma de Más por Turno em pecas.csv:"))


async def test_the_file_is_known_when_its_message_has_left_the_window(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    for _ in range(12):
        await talk.ask("quantas linhas há?")
    assert "Armário: 1 640" in await talk.ask("soma de valor por produto")
    assert "vendas.csv" in await talk.ask("que padrões vês?")


async def test_nothing_is_done_for_words_that_would_delete(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.ask("apaga as linhas do Norte")
    assert talk.called == []


async def test_a_pasted_page_asks_nothing_of_a_table(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    page = " ".join(f"parágrafo{number}" for number in range(400))
    assert "Em modo offline" in await talk.ask(f"soma de valor por cliente {page}")
    assert talk.called == []
    assert "é 2 947,5." in await talk.ask("qual é a soma de valor?")


async def test_without_a_file_a_question_about_one_says_so(talk: Talk) -> None:
    await talk.begin()
    await talk.answers(
        ("quantas linhas tem o ficheiro?", "Ainda não há nenhum ficheiro nesta conversa."),
        ("what columns does the file have?", "There is no file in this conversation yet."),
    )


async def test_courtesy_and_other_questions_are_left_to_others(talk: Talk) -> None:
    await talk.begin(vendas=VENDAS)
    await talk.ask("soma de valor")
    await talk.answers(
        ("obrigado", "De nada!"),
        ("qual é a capital de França?", "Tenho o ficheiro vendas.csv"),
    )
    assert talk.called == []


async def test_a_total_of_guessed_thousands_says_so_in_the_language_of_the_question(
    talk: Talk,
) -> None:
    await talk.begin(pecas="linha;quantidade\nL1;1.234\nL2;12.000\n")
    said = await talk.ask("Qual é o total de quantidade?")
    assert "13,234" in said
    assert "na coluna «quantidade», «1.234» foi lido como 1,234" in said
    assert "multiplique por 1000" in said
    said = await talk.ask("What is the total of quantidade?")
    assert "multiply by 1000" in said
    assert "1000" not in await talk.ask("Quantas linhas tem o ficheiro?")
