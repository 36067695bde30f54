"""What words of a question mean, in both languages."""

from __future__ import annotations

from typing import Literal, TypeAlias

Tag: TypeAlias = Literal[
    "operation", "count", "much", "distinct", "rank", "superlative", "frequent", "recent", "place",
    "empty", "columns", "column", "sample", "rows", "file", "by", "unit", "form", "which", "who", "list",
    "statistics", "not", "compare", "since", "until", "before", "after", "between", "only", "show",
    "go_on", "share", "pareto", "versus", "is", "and", "filler", "soft",
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
    ("rank", "most"): "top|mais|most|principais|principal|main|more",
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
    ("file", ""): "ficheiro|ficheiros|arquivo|file|csv|xlsx|excel|folha|folha de calculo|planilha"
    "|spreadsheet|upload|dados|conjunto de dados|dataset|data set|tabela|table|the data|this data"
    "|my data|these data",
    ("by", ""): "por|por cada|em cada|de cada|para cada|cada|per|by|for each|for every|in each"
    "|of each|each|every|across|agrupado por|agrupada por|agrupados por|agrupadas por"
    "|grouped by|consoante|broken down by|split by|dividido por|divididos por",
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
    ("which", ""): "qual|which|what|quais|o que|que",
    ("who", ""): "quem|who",
    ("list", ""): "lista|listar|list|existem|existe|distribuicao|distribution|valores"
    "|values|distribuicao de|distribution of|reparticao|breakdown|ranking",
    (
        "sample",
        "",
    ): "primeiras|primeiros|first|amostra|sample|algumas|alguns|some|exemplos|examples",
    ("show", ""): "mostra|mostrar|mostre|ver|apresenta|show|see|display",
    ("statistics", ""): "estatisticas|estatistica|statistics|stats|descreve|describe|resumo de"
    "|summary of|resume",
    ("not", ""): "nao|exceto|excepto|sem|salvo|except|except for|excluding|not|without"
    "|diferente de|diferentes de|other than|isn t|aren t|fora|sem contar|sem contar com"
    "|nao contando|nao sao|nao e|nao seja|nao sejam|que nao|excluindo|tirando|a excecao de"
    "|com excecao de|a excepcao de|apart from|not counting|without counting|leaving out|are not"
    "|is not|not in|not from|nem|nor|neither|menos o|menos a|menos os|menos as|todos menos|all but|ignorando|ignoring",
    ("versus", ""): "compara|comparar|compare|comparacao|comparison|versus|vs|diferenca|difference"
    "|comparado com|comparados com|comparada com|compared to|compared with|em relacao a|contra|face a"
    "|diferenca entre|difference between|compara entre|comparing|comparando",
    ("place", "1"): "primeiro lugar|first place",
    ("place", "2"): "segundo|segunda|second|segundo lugar|second place|segundo maior",
    ("place", "3"): "terceiro|terceira|third|terceiro lugar|third place",
    ("place", "4"): "quarto lugar|fourth|fourth place|quarto",
    ("is", ""): "is|are|sao|foi|foram|was|were|corresponde a|correspondem a",
    ("and", ""): "e|and|ou|or|bem como|as well as",
    ("compare", ">"): "maior que|maior do que|maiores que|maiores do que|superior a|superiores a"
    "|acima de|mais de|mais do que|mais que|greater than|more than|above|over|larger than"
    "|bigger than|higher than",
    ("compare", "<"): "menor que|menor do que|menores que|menores do que|inferior a|inferiores a"
    "|abaixo de|menos de|menos do que|menos que|less than|fewer than|below|under|lower than"
    "|smaller than",
    ("compare", ">="): "pelo menos|no minimo|at least|a partir de|de pelo menos",
    ("compare", "<="): "no maximo|ate|at most|up to",
    ("compare", "="): "igual a|iguais a|equal to|equals|igual",
    (
        "share",
        "",
    ): "que parte|what part|what fraction|fracao|fraction|que percentagem|what percentage|what percent|percentagem|percentagens|porcentagem|proporcao|percentage|percentages|percent"
    "|proportion|share|shares|quota|peso relativo",
    ("since", ""): "desde|a partir de|since|starting|starting from|desde o|desde a",
    ("until", ""): "ate|until|till|ate ao|ate a|through|up to",
    ("before", ""): "antes de|before|antes",
    ("after", ""): "depois de|after|apos|depois",
    ("between", ""): "entre|between",
    ("only", ""): "so|apenas|somente|only|just|onde|where|filtra|filter|em que|cujo|cuja|whose",
    ("go_on", ""): "agora|now|mas|but|tambem|also|what about|how about|e quanto a|then|e se for"
    "|e so|and only|and just",
    (
        "filler",
        "",
    ): "a|as|o|os|um|uma|uns|umas|de|do|da|dos|das|em|no|na|nos|nas|num|numa|ao|aos|à|às"
    "|pelo|pela|pelos|pelas|com|para|ha|houve|tem|teve|tiveram|ser|esta|estao|me|meu|minha|meus"
    "|minhas|este|neste|nesta|nestes|nestas|deste|desta|destes|destas|esse|essa|isto|isso|que"
    "|todo|todos|todas|toda|se|the|an|of|in|on|at|to|for|with|be|do|does|did|has"
    "|have|had|there|it|its|this|that|these|those|them|all|my|our|i|we|you|s|please|por favor"
    "|quero|queria|gostava|gostaria|saber|diz|diga|dizer|dar|mostres|da me|diz me|mostra me"
    "|calcula|calcular|faz|fazer|faca|podes|pode|podia|poderia|cria|gera|indica"
    "|tell|give|make|create|compute|calculate|find|get|can|could|would|want|know"
    "|like|need|let|no total|ao todo|no geral|in total|overall|altogether|the same|mesmo"
    "|mesma|ordenado|ordenados|ordenada|ordenadas|sorted|ordered|decrescente|descending"
    "|ola|hello|hi|lhe|nele|nela|dele|dela|aqui|here|contem|contains"
    "|contain|seguinte|exatamente|exactly|chamam|called|registado|registada"
    "|registados|registadas|registou|registaram|recorded|reported|logged|reportados|existentes"
    "|appears|appear|aparece|aparecem|occurs|ocorre|ocorreu|ocorreram|occurred|surge|carregado"
    "|carreguei|enviei|uploaded|temos|tenho|tens|havia|existir|feitas|feitos|happened|aconteceu"
    "|aconteceram|from|during|durante|ocorrencias|occurrences|fez|fizeram|produziu|produziram|produced|made"
    "|vendeu|venderam|vendido|vendidos|vendida|vendidas|sold|sell|came|vieram",
    ("soft", ""): "valor|nome|nomes|name|names|celula|celulas|cell|cells|vezes|times",
}

PHRASES: dict[tuple[str, ...], list[tuple[Tag, str]]] = {}
"""What a word or a group of words may mean; the first meaning counts unless its place says else."""
for meaning, said in _SAID.items():
    for phrase in said.split("|"):
        PHRASES.setdefault(tuple(phrase.split()), []).append(meaning)

NUMBER_WORDS = {
    "dois": 2, "duas": 2, "two": 2, "tres": 3, "three": 3, "quatro": 4, "four": 4, "cinco": 5,
    "five": 5, "seis": 6, "six": 6, "sete": 7, "seven": 7, "oito": 8, "eight": 8, "nove": 9,
    "nine": 9, "dez": 10, "ten": 10, "doze": 12, "twelve": 12, "quinze": 15, "vinte": 20,
}  # fmt: skip
"""Without `um` and `one`, which are articles more often."""

THINGS = (
    ["venda", "vendas", "sale", "sales"],
    ["encomenda", "encomendas", "pedido", "pedidos", "order", "orders"],
    ["transacao", "transacoes", "transaction", "transactions", "movimento", "movimentos"],
    ["compra", "compras", "purchase", "purchases"],
    ["fatura", "faturas", "invoice", "invoices"],
    ["defeito", "defeitos", "defect", "defects"],
    ["registo", "registos", "leitura", "leituras", "reading", "readings", "medicao", "medicoes"],
    [
        "nome",
        "name",
        "pessoa",
        "pessoas",
        "person",
        "people",
        "colaborador",
        "colaboradores",
        "funcionario",
        "funcionarios",
        "empregado",
        "empregados",
        "employee",
        "employees",
        "aluno",
        "alunos",
        "student",
        "students",
    ],
)
"""Words for one kind of thing. They mean rows where the file or a column is called by one."""

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

SYNONYMS: dict[str, tuple[str, ...]] = {
    word: tuple(other for other in group.split() if other != word)
    for group in _SYNONYMS
    for word in group.split()
}
"""Words that stand for each other: a column called by one of them is meant by all."""
