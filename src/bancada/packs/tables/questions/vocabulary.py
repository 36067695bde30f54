"""What words of a question mean, in both languages."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bancada.packs.tables.questions import common as reading

Tag: TypeAlias = Literal[
    "operation", "count", "much", "distinct", "rank", "superlative", "frequent", "recent",
    "empty", "columns", "column", "sample", "rows", "thing", "file", "by", "unit", "form", "which", "who",
    "list", "statistics", "not", "compare", "since", "until", "between", "only", "show",
    "go_on", "month", "share", "pareto", "filler", "soft",
]  # fmt: skip

_SAID: dict[tuple[Tag, str], str] = {
    ("operation", "sum"): "soma|somas|somar|somatorio|total|totais|sum|sums|totals|add up",
    ("operation", "avg"): "media|medias|medio|medios|average|averages|mean|avg",
    ("operation", "min"): "minimo|minima|minimos|minimum|min",
    ("operation", "max"): "maximo|maxima|maximos|maximum|max",
    ("operation", "median"): "mediana|medianas|median|medians",
    ("operation", "deviation"): "desvio padrao|standard deviation|stdev|std",
    ("count", ""): "quantos|quantas|how many|numero de|numero|contagem|contagem de|conta|contar"
    "|number of|count|count of|counts",
    ("much", ""): "quanto|quanta|how much",
    ("distinct", ""): "valores diferentes|valores distintos|valores unicos|different values"
    "|distinct values|unique values|diferentes|distintos|distintas|unicos|unicas|different|distinct|unique",
    ("rank", "most"): "top|mais|most|principais|principal|more",
    ("rank", "least"): "menos|least|fewest|bottom|fewer",
    ("superlative", "most"): "maior|maiores|mais alto|mais alta|mais altos|mais altas|mais elevado"
    "|mais elevada|highest|largest|biggest|greatest",
    ("superlative", "least"): "menor|menores|mais baixo|mais baixa|mais baixos|mais baixas|lowest"
    "|smallest",
    ("frequent", "most"): "valores mais frequentes|valor mais frequente|valores mais comuns"
    "|valor mais comum|most frequent values|most frequent value|most common values"
    "|most common value|mais frequente|mais frequentes|mais comum|mais comuns|most frequent"
    "|most common|most often|aparece mais|aparecem mais|mais vezes|moda|more often",
    ("frequent", "least"): "menos frequente|menos frequentes|menos comum|menos comuns"
    "|least frequent|least common|menos vezes|aparece menos|aparecem menos|less often|least often",
    ("recent", "max"): "mais recente|mais recentes|mais nova|mais novo|latest|newest|most recent",
    ("recent", "min"): "mais antiga|mais antigo|mais antigas|mais antigos|earliest|oldest",
    ("empty", ""): "vazio|vazios|vazia|vazias|em branco|em falta|nulo|nulos|nula|nulas|omisso"
    "|omissos|por preencher|sem valor|empty|blank|blanks|missing|null|nulls|missing values"
    "|empty cells|celulas vazias|valores em falta|valores vazios|celulas em branco|without value",
    ("columns", ""): "colunas|campos|columns|fields|variaveis|cabecalhos|cabecalho|headers",
    ("column", ""): "coluna|campo|column|field",
    ("rows", ""): "linha|linhas|registo|registos|registro|registros|entrada|entradas|row|rows"
    "|record|records|entry|entries",
    ("thing", "sales"): "venda|vendas|sale|sales|encomenda|encomendas|pedido|pedidos|order|orders"
    "|transacao|transacoes|transaction|transactions|compra|compras|purchase|purchases|movimento"
    "|movimentos|fatura|faturas|invoice|invoices",
    ("thing", "one"): "pessoa|pessoas|person|persons|people|colaborador|colaboradores|funcionario"
    "|funcionarios|empregado|empregados|trabalhador|trabalhadores|employee|employees|aluno|alunos"
    "|student|students|item|itens|items|caso|casos|case|cases",
    ("file", ""): "ficheiro|ficheiros|arquivo|file|csv|xlsx|excel|folha|folha de calculo|planilha"
    "|spreadsheet|upload|dados|conjunto de dados|dataset|data set|tabela|table|the data|this data"
    "|my data|these data|in data|of data",
    ("by", ""): "por|por cada|em cada|de cada|para cada|cada|per|by|for each|for every|in each"
    "|of each|each|every|across|agrupado por|agrupada por|agrupados por|agrupadas por"
    "|grouped by|segundo|consoante",
    ("unit", "hour"): "hora|horas|hour|hours|hourly",
    ("unit", "day"): "dia|dias|day|days|diario|diaria|diarios|diarias|daily",
    ("unit", "weekday"): "dia da semana|dias da semana|weekday|weekdays|day of the week"
    "|day of week",
    ("unit", "week"): "semana|semanas|week|weeks|semanal|semanais|weekly",
    ("unit", "month"): "mes|meses|month|months|mensal|mensais|monthly|ao longo do tempo|over time"
    "|evolucao|evolution|evolution of|evolucao de",
    ("unit", "quarter"): "trimestre|trimestres|quarter|quarters|trimestral|trimestrais|quarterly",
    ("unit", "year"): "ano|anos|year|years|anual|anuais|yearly|annual",
    ("form", "chart"): "grafico|graficos|chart|charts|graph|plot|diagrama|visualiza|desenha|draw"
    "|graficamente",
    ("form", "chart bar"): "grafico de barras|barras|grafico de colunas|bar chart|bar graph|bars"
    "|column chart|em barras|bar plot",
    ("form", "chart line"): "grafico de linhas|grafico de linha|line chart|line graph|line plot",
    ("form", "chart pie"): "grafico circular|pizza|grafico de pizza|grafico de queijo|tarte|pie"
    "|grafico de tarte|pie chart|circular|queijo|em pizza",
    ("form", "chart doughnut"): "donut|doughnut|rosca|grafico de rosca|doughnut chart|donut chart"
    "|grafico de donut",
    ("form", "chart radar"): "radar|grafico de radar|radar chart",
    ("form", "chart polarArea"): "polar|grafico polar|polar chart|polar area chart",
    ("form", "table"): "numa tabela|em tabela|uma tabela|como tabela|in a table|as a table"
    "|a table|tabela de|tabela com|table of|tabela da|tabela do|tabela dos|tabela das|in table form",
    ("form", "chart kept"): "dashboard|painel|dashboards",
    ("pareto", ""): "pareto|analise de pareto|pareto analysis|pareto chart|diagrama de pareto"
    "|grafico de pareto",
    ("form", "kpi"): "kpi|indicador|num indicador|num kpi|indicator|key figure",
    ("which", ""): "qual|que|which|what|quais|o que",
    ("who", ""): "quem|who",
    ("list", ""): "lista|listar|list|existem|existe|are there|distribuicao|distribution|valores"
    "|values|distribuicao de|distribution of|reparticao|breakdown|ranking",
    ("sample", ""): "primeiras|primeiros|first|amostra|sample|algumas|alguns|some",
    ("show", ""): "mostra|mostrar|mostre|ver|apresenta|show|see|display",
    ("statistics", ""): "estatisticas|estatistica|statistics|stats|descreve|describe|resumo de"
    "|summary of|resume",
    ("not", ""): "nao|exceto|excepto|sem|salvo|menos os|menos as|except|excluding|not|without"
    "|diferente de|diferentes de|other than|isn t|aren t|nem|fora",
    ("compare", ">"): "maior que|maior do que|maiores que|maiores do que|superior a|superiores a"
    "|acima de|mais de|mais do que|mais que|greater than|more than|above|over|larger than"
    "|bigger than|higher than",
    ("compare", "<"): "menor que|menor do que|menores que|menores do que|inferior a|inferiores a"
    "|abaixo de|menos de|menos do que|menos que|less than|fewer than|below|under|lower than"
    "|smaller than",
    ("compare", ">="): "pelo menos|no minimo|at least|a partir de|de pelo menos",
    ("compare", "<="): "no maximo|ate|at most|up to",
    ("compare", "="): "igual a|iguais a|equal to|equals|igual",
    ("share", ""): "percentagem|percentagens|porcentagem|proporcao|percentage|percentages|percent"
    "|proportion|share|shares|quota|peso relativo",
    ("since", ""): "desde|a partir de|since|starting|depois de|after|apos",
    ("until", ""): "ate|until|till|antes de|before|ate ao|ate a",
    ("between", ""): "entre|between|from",
    ("only", ""): "so|apenas|somente|only|just|onde|where|filtra|filter|em que|cujo|cuja|whose",
    ("go_on", ""): "e|and|agora|now|mas|but|tambem|also|what about|how about|e quanto a|then"
    "|depois",
    ("filler", ""): "a|as|o|os|um|uma|uns|umas|de|do|da|dos|das|em|no|na|nos|nas|num|numa|ao|aos"
    "|pelo|pela|com|para|ha|houve|tem|teve|tiveram|foi|foram|sao|ser|esta|estao|me|meu|minha|meus"
    "|minhas|este|esta|neste|nesta|nestes|nestas|deste|desta|destes|destas|esse|essa|isto|isso"
    "|todo|todos|todas|toda|se|the|an|of|in|on|at|to|for|with|is|are|was|were|be|do|does|did|has"
    "|have|had|there|it|its|this|that|these|those|them|all|my|our|i|we|you|s|please|por favor"
    "|quero|queria|gostava|saber|diz|diga|dizer|dar|mostres"
    "|calcula|calcular|faz|fazer|faca|podes|pode|podia|poderia|cria|gera|indica"
    "|me|tell|give|make|create|compute|calculate|find|get|can|could|would|want|know"
    "|like|need|let|no total|ao todo|no geral|in total|overall|altogether|the same|mesmo"
    "|mesma|ordenado|ordenados|ordenada|ordenadas|sorted|ordered|decrescente|descending|ou"
    "|or|ola|hello|hi|lhe|nele|nela|dele|dela|aqui|here|contem|contains"
    "|contain|seguinte|mais ou menos|exatamente|exactly|as well|chamam|called"
    "|appears|appear|aparece|aparecem|occurs|ocorre|surge|carregado|carreguei|enviei|uploaded"
    "|temos|tenho|tens|havia|existir|feitas|feitos|happened|from|e|and|agora|now|tambem|also|mas|but|then|depois",
    ("soft", ""): "valor|nome|nomes|name|names|celula|celulas|cell|cells|vezes|times",
    ("month", "1"): "janeiro|january|jan",
    ("month", "2"): "fevereiro|february|feb|fev",
    ("month", "3"): "marco|march",
    ("month", "4"): "abril|april",
    ("month", "5"): "maio|may",
    ("month", "6"): "junho|june",
    ("month", "7"): "julho|july",
    ("month", "8"): "agosto|august",
    ("month", "9"): "setembro|september",
    ("month", "10"): "outubro|october",
    ("month", "11"): "novembro|november",
    ("month", "12"): "dezembro|december",
}

PHRASES: dict[tuple[str, ...], list[tuple[Tag, str]]] = {}
"""What a word or a group of words may mean; the first meaning counts unless its place says else."""
for meaning, said in _SAID.items():
    for phrase in said.split("|"):
        PHRASES.setdefault(tuple(phrase.split()), []).append(meaning)

LONGEST = max(map(len, PHRASES))

NUMBER_WORDS = {word: number for word, number in reading.NUMBER_WORDS.items() if number > 1}
"""Without `um` and `one`, which are articles more often."""

_SYNONYMS = (
    "valor montante amount value", "preco price", "quantidade qtd qtde quantity qty",
    "cliente customer client", "produto product artigo", "regiao region", "data date", "pais country",
    "cidade city", "turno shift", "operador operator", "vendedor seller salesperson", "custo cost",
    "lucro profit", "receita revenue faturacao", "estado status", "categoria category",
    "loja store shop", "nome name", "idade age", "peso weight", "tipo type", "posicao position",
    "desconto discount", "departamento department", "maquina machine", "fornecedor supplier",
    "temperatura temperature", "unidade unit", "encomenda pedido order", "equipa team",
    "genero gender sexo sex", "salario salary ordenado wage",
)  # fmt: skip

SYNONYMS: dict[str, str] = {word: group.split()[0] for group in _SYNONYMS for word in group.split()}
"""Words that stand for each other where the file has no column of the word itself."""
