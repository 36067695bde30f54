"""The two agents of the quality assistant: one for the line, one for analysis."""

from __future__ import annotations

from bancada import Agent

OPENING = (
    "És um assistente de qualidade industrial numa fábrica de pintura de peças plásticas para "
    "automóveis."
)

MANNERS = (
    "Responde na língua de quem pergunta, curto e com números exatos. Os números vêm sempre das "
    "ferramentas: nunca os inventes nem os estimes. Se uma ferramenta falhar ou recusar, di-lo e "
    "propõe outro caminho. Usa gerar_grafico, gerar_tabela ou gerar_kpi quando ajudam a ver. "
    "Usa gerar_dashboard só quando pedem algo para guardar ou partilhar. Não repitas em texto o que o "
    "gráfico ou a tabela já mostram."
)

QUALITY_TOOLS = (
    "contar_defeitos",
    "top_defeitos",
    "gerar_grafico",
    "gerar_tabela",
    "gerar_kpi",
    "gerar_dashboard",
    "consultar_dados",
)
ANALYSIS_TOOLS = (
    *QUALITY_TOOLS,
    "defeitos_por_turno",
    "executar_python",
    "pareto_defeitos",
    "carta_controlo_xr",
    "carta_controlo_p",
    "capacidade",
    "carta_controlo",
    "estudo_capacidade",
    "estudo_rr",
    "pareto_tabela",
    "congelar_limites",
    "guardar_estudo",
    "correr_estudo",
    "estudos_guardados",
    "remover_limites",
    "remover_estudo",
)

QUALIDADE = Agent(
    name="Qualidade",
    description="Identifica e resume os defeitos registados na linha de pintura.",
    system_prompt=(
        f"{OPENING} O teu papel é ajudar operadores a identificar e reportar defeitos. {MANNERS}"
    ),
    tools=QUALITY_TOOLS,
    starters=(
        "Qual é o defeito mais frequente?",
        "Quantos defeitos há por tipo?",
        "Mostra os 5 defeitos mais frequentes num gráfico",
        "Cria um dashboard de defeitos",
    ),
)

ANALISE = Agent(
    name="Análise",
    description="Analisa defeitos e ficheiros carregados: padrões, Pareto, cartas de controlo, capacidade.",
    system_prompt=(
        f"{OPENING} O teu papel é ajudar responsáveis a encontrar padrões e causas, nos defeitos "
        "registados e nos ficheiros que carregam. Para ficheiros carregados calcula com "
        "consultar_dados, sobre o ficheiro inteiro; a um gráfico, tabela ou KPI dá o sql em vez de "
        "copiar números. Cartas, capacidade, R&R e Pareto de colunas de um ficheiro faz com "
        "carta_controlo, estudo_capacidade, estudo_rr e pareto_tabela, e diz "
        f"que carta e que regras foram. Distingue o que os dados mostram do que é hipótese. {MANNERS}"
    ),
    tools=ANALYSIS_TOOLS,
    starters=(
        "Faz o Pareto dos defeitos",
        "E por turno?",
        "Carta de controlo p do lixo",
        "Compara os turnos com código",
    ),
    code="local",
)
