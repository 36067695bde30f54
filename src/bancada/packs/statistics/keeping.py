"""The tools that keep: limits set from a period, and studies to be made again, both by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from bancada import (
    FrozenLimits,
    JSONObject,
    KeptStudy,
    Language,
    Result,
    Services,
    Tool,
    ToolContext,
    Widget,
    tool,
)
from bancada.packs.statistics import words
from bancada.packs.statistics.asked import (
    READ,
    CusumDecision,
    CusumSlack,
    EwmaWeight,
    Size,
    Studies,
    Text,
    calls,
    column,
    given,
    memory,
)
from bancada.packs.statistics.charts import (
    Kind,
    chart_value,
    chart_widgets,
    chosen_rules,
    told_limits,
)
from bancada.packs.statistics.figures import tidy
from bancada.packs.statistics.names import CHARTS

KeptName = Annotated[str, Field(min_length=1, max_length=120)]
StudyTool: TypeAlias = Literal["carta_controlo", "estudo_capacidade", "estudo_rr", "pareto_tabela"]
Arguments = Annotated[JSONObject, Field()]


def keeping_tools(services: Services) -> Sequence[Tool]:
    """The tools; those that make a study are switched off where there is no jail."""
    missing = services.jail.missing
    off = f"estudos desligados nesta máquina: {missing}" if missing else None
    return (
        *_limit_tools(services, Studies(services), off),
        *_study_tools(services, off),
    )


def _limit_tools(services: Services, studies: Studies, off: str | None) -> Sequence[Tool]:
    @tool(
        effect="write",
        permission_level="responsavel",
        confirm=lambda input: bool(input.get("substituir")),
        outside_content=True,
        calls=calls,
        switched_off=off,
    )
    async def congelar_limites(
        context: ToolContext,
        nome: KeptName,
        tipo: Kind,
        tabela: Text = None,
        coluna: Text = None,
        ordem: Text = None,
        desde: Text = None,
        ate: Text = None,
        subgrupo: Text = None,
        tamanho: Size = None,
        inspecionados: Text = None,
        sql: Text = None,
        omitir_vazios: bool = False,
        lambda_ewma: EwmaWeight = 0.2,
        h_cusum: CusumDecision = 4.0,
        k_cusum: CusumSlack = 0.5,
        substituir: bool = False,
    ) -> Result:
        """Calcula os limites de uma carta num período e guarda-os por nome, para toda a organização; depois carta_controlo usa-os com 'limites'.

        Args:
            tipo: O da carta, como em carta_controlo.
            desde: Primeiro valor de 'ordem' do período; sem 'ordem', a primeira linha (número).
            ate: O último; entra no período.
            substituir: Trocar limites que já têm este nome.
        """
        source = given(context, tabela, sql)
        name = column(context, source, coluna)
        rules, numbers = chosen_rules(context, "western_electric", None)
        options = memory(lambda_ewma, h_cusum, k_cusum)
        asked: JSONObject = {
            "tipo": tipo,
            "value": name,
            "order": ordem,
            "since": desde,
            "until": ate,
            "group": subgrupo,
            "size": tamanho,
            "inspected": inspecionados,
            "rules": rules,
            "numbers": numbers,
            "leave_out": omitir_vazios,
            **options,
        }
        found, notes = await studies.make(context, "chart", source, asked)
        (stage,) = found["stages"]
        first, last = found["ends"]
        kept = await services.studies.freeze(
            context,
            nome.strip(),
            chart=tipo,
            parameters={
                **{key: stage[key] for key in ("centre", "sigma", "size", "factor")},
                **options,
            },
            origin={
                "dados": source.told(name),
                "tabela": tabela,
                "sql": sql,
                "coluna": name,
                "ordem": ordem,
                "de": first,
                "ate": last,
                "pontos": found["points"],
                "versao_dados": found["versions"],
            },
            replace=substituir,
        )
        chart = chart_value(found, tipo, source.told(name), rules, numbers, notes)
        value: JSONObject = {
            **told_limits(kept),
            "carta": chart["carta"],
            "centro": tidy(stage["centre"]),
            "cartas": chart["cartas"],
            "sob_controlo": chart["sob_controlo"],
            "leitura": _frozen_told(kept, chart, context.language),
        }
        heading = f"{CHARTS[tipo]}: {source.told(name)} — {nome.strip()}"
        shown = chart_widgets(heading, found, chart, context.language)
        return Result(value=value, widgets=shown)

    return (congelar_limites,)


def _study_tools(services: Services, off: str | None) -> Sequence[Tool]:
    @tool(effect="write", own_shelf=True)
    async def guardar_estudo(
        context: ToolContext,
        nome: KeptName,
        ferramenta: StudyTool,
        argumentos: Arguments,
        partilhar: bool = False,
        substituir: bool = False,
    ) -> JSONObject:
        """Guarda um estudo por nome, para o correr de novo, num painel ou numa agenda.

        Args:
            argumentos: Os da ferramenta, tal como seria chamada.
            partilhar: Mostrá-lo à organização; corre sempre com os direitos de quem o corre.
            substituir: Trocar um estudo seu com este nome.
        """
        kept = await services.studies.save(
            context,
            nome.strip(),
            tool=ferramenta,
            input=argumentos,
            shared=partilhar,
            replace=substituir,
        )
        return _study(kept)

    @tool(allowed_callers=READ, outside_content=True, switched_off=off)
    async def correr_estudo(context: ToolContext, nome: KeptName) -> Result:
        """Corre de novo um estudo guardado, com os dados de agora.

        Args:
            nome: Nome ou id.
        """
        kept, outcome = await services.studies.run(context, nome)
        found = outcome.value if isinstance(outcome.value, dict) else {"resultado": outcome.shown}
        return Result(
            value={"estudo": kept.name, **found}, widgets=outcome.widgets, broken=outcome.broken
        )

    @tool
    async def estudos_guardados(context: ToolContext) -> Result:
        """Lista os estudos guardados e os limites congelados."""
        studies = await services.studies.studies(context)
        limits = await services.studies.all_limits(context)
        value: JSONObject = {
            "estudos": [_study(one) for one in studies],
            "limites": [{**told_limits(one), "carta": CHARTS[one.chart]} for one in limits],
        }
        return Result(value=value, widgets=_lists(value, context.language))

    @tool(effect="write", permission_level="responsavel", confirm="always")
    async def remover_limites(context: ToolContext, nome: KeptName) -> JSONObject:
        """Remove limites congelados; cartas que os usam deixam de se poder fazer."""
        return told_limits(await services.studies.unfreeze(context, nome))

    @tool(effect="write", confirm="always")
    async def remover_estudo(context: ToolContext, nome: KeptName) -> JSONObject:
        """Remove um estudo guardado seu."""
        return _study(await services.studies.remove(context, nome))

    return guardar_estudo, correr_estudo, estudos_guardados, remover_limites, remover_estudo


def _study(kept: KeptStudy) -> JSONObject:
    return {
        "id": kept.id,
        "nome": kept.name,
        "ferramenta": kept.tool,
        "argumentos": kept.input,
        "de": kept.owner,
        "partilhado": kept.shared,
    }


def _frozen_told(kept: FrozenLimits, chart: JSONObject, language: Language) -> str:
    """What was kept; and that the period was not in control, where it was not."""
    told = words.limits_told(told_limits(kept), language).rpartition(";")[0]
    steady = "O período estava sob controlo." if language == "pt" else "The period was in control."
    if not chart["sob_controlo"]:
        steady = (
            "Atenção: o próprio período não está sob controlo; estes limites incluem o que o perturbou."
            if language == "pt"
            else "Note: the period itself is not in control; these limits include what disturbed it."
        )
    return " ".join([f"{told}.", steady, *words.cautions(chart, language)])


def _lists(value: JSONObject, language: Language) -> list[Widget]:
    pt = language == "pt"
    shown = []
    if value["estudos"]:
        columns = ("Nome", "Estudo", "De") if pt else ("Name", "Study", "Whose")
        rows = [[one["nome"], one["ferramenta"], one["de"]] for one in value["estudos"]]
        shown.append(Widget.table("Estudos guardados" if pt else "Saved studies", columns, rows))
    if value["limites"]:
        heads = (
            ("Nome", "Carta", "Dados", "De", "Até", "Fixados por", "Em")
            if pt
            else ("Name", "Chart", "Data", "From", "To", "Set by", "On")
        )
        keys = ("nome", "carta", "dados", "de", "ate", "fixados_por", "fixados_em")
        rows = [[one[key] for key in keys] for one in value["limites"]]
        shown.append(Widget.table("Limites congelados" if pt else "Frozen limits", heads, rows))
    return shown
