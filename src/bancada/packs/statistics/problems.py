"""Why a study was not made, in the words of the person who asked."""

from __future__ import annotations

from bancada import JSON, JSONObject, Language, ToolFailed
from bancada.packs.statistics.figures import number

_SAID: dict[str, dict[Language, str]] = {
    "no_column": {
        "pt": "Não há a coluna «{name}». Colunas: {known}.",
        "en": "There is no column “{name}”. Columns: {known}.",
    },
    "not_numbers": {
        "pt": "A coluna «{name}» não é numérica: um estudo precisa de números.",
        "en": "The column “{name}” does not hold numbers, and a study needs them.",
    },
    "not_one_select": {
        "pt": "Em 'sql' indique um só SELECT, que só lê.",
        "en": "Give one SELECT in 'sql', one that only reads.",
    },
    "no_rows": {
        "pt": "Não há nenhuma linha: reveja a tabela ou os filtros.",
        "en": "There are no rows: look at the table or the filters again.",
    },
    "missing": {
        "pt": "Faltam valores em {count} de {rows} linhas (colunas {names}): nada foi calculado. "
        "Com omitir_vazios essas linhas ficam de fora, e isso é dito.",
        "en": "Values are missing in {count} of {rows} rows (columns {names}): nothing was "
        "computed. With omitir_vazios those rows are left out, and the answer says so.",
    },
    "too_many": {
        "pt": "São {count} linhas e cabem {most}: filtre ou agregue no SQL.",
        "en": "There are {count} rows and room for {most}: filter, or aggregate in SQL.",
    },
    "not_finite": {
        "pt": "A coluna «{name}» tem um valor que não é um número finito até {largest}.",
        "en": "The column “{name}” holds a value that is no finite number up to {largest}.",
    },
    "too_few": {
        "pt": "Há {has} pontos numa etapa e limites precisam de pelo menos {needs}: nada foi "
        "calculado. Junte dados, ou indique limites_fixos.",
        "en": "A stage has {has} points and limits need at least {needs}: nothing was computed. "
        "Bring more data, or give limites_fixos.",
    },
    "constant": {
        "pt": "Os valores são todos iguais, ou diferem tão pouco para o seu tamanho que os cálculos não os "
        "distinguem: sem variação não há limites nem índices.",
        "en": "All values are equal, or differ so little for their size that the arithmetic cannot tell them "
        "apart: without variation there are no limits and no indices.",
    },
    "all_alike": {
        "pt": "Em todas as amostras a proporção é {share}: sem variação não há limites.",
        "en": "In every sample the share is {share}: without variation there are no limits.",
    },
    "unequal_groups": {
        "pt": "Os subgrupos não têm todos o mesmo tamanho (o {point}.º tem {has}, os outros {others}): "
        "nada foi calculado. Filtre no SQL os incompletos, ou use uma carta I-MR das médias.",
        "en": "The subgroups differ in size (number {point} has {has}, the others {others}): nothing "
        "was computed. Filter the incomplete ones in SQL, or use an I-MR chart of the means.",
    },
    "other_size": {
        "pt": "Os limites fixos são de grupos de {kept} e estes têm {has}.",
        "en": "The fixed limits are for groups of {kept}, and these have {has}.",
    },
    "single_values": {
        "pt": "Uma carta {kind} é de valores individuais: para subgrupos use xbarra-r ou xbarra-s.",
        "en": "An {kind} chart is of single values: for subgroups use xbarra-r or xbarra-s.",
    },
    "no_subgroups": {
        "pt": "Uma carta {kind} destes dados precisa de subgrupos: indique 'subgrupo' (uma coluna) ou 'tamanho'.",
        "en": "A {kind} chart of these data needs subgroups: give 'subgrupo' (a column) or 'tamanho'.",
    },
    "groups_of_one": {
        "pt": "Cada subgrupo tem um só valor: use uma carta I-MR.",
        "en": "Every subgroup has a single value: use an I-MR chart.",
    },
    "group_too_large": {
        "pt": "Há um subgrupo com {has} valores; pela amplitude vão até {most}: use xbarra-s.",
        "en": "A subgroup has {has} values; by their range at most {most} can be: use xbarra-s.",
    },
    "no_sizes": {
        "pt": "Uma carta {kind} precisa de quantos foram inspecionados: indique 'inspecionados' (uma "
        "coluna), ou 'tamanho' se são sempre os mesmos.",
        "en": "A {kind} chart needs to know how many were inspected: give 'inspecionados' (a "
        "column), or 'tamanho' where it is always the same.",
    },
    "impossible_counts": {
        "pt": "A amostra {point} não é possível: {count} em {size} inspecionados.",
        "en": "Sample {point} is not possible: {count} of {size} inspected.",
    },
    "too_many_stages": {
        "pt": "A coluna da etapa muda {count} vezes; cabem {most} etapas. Ordene por ela, ou escolha outra.",
        "en": "The stage column changes {count} times; there is room for {most} stages. Sort by it, "
        "or choose another.",
    },
    "too_long": {
        "pt": "O estudo demorou mais de {seconds} s e foi parado: filtre ou agregue.",
        "en": "The study took longer than {seconds} s and was stopped: filter or aggregate.",
    },
    "too_much": {
        "pt": "O estudo precisa de mais memória do que pode usar: filtre ou agregue.",
        "en": "The study needs more memory than it may use: filter or aggregate.",
    },
    "too_few_values": {
        "pt": "Há {has} valores e o estudo precisa de pelo menos {needs}: nada foi calculado.",
        "en": "There are {has} values and the study needs at least {needs}: nothing was computed.",
    },
    "constant_within": {
        "pt": "Dentro dos subgrupos não há variação: sem ela não há Cp nem Cpk.",
        "en": "There is no variation inside the subgroups: without it there is no Cp and no Cpk.",
    },
    "unequal_for_method": {
        "pt": "Os subgrupos não têm todos o mesmo tamanho: nada foi calculado. Use sigma 'combinado'.",
        "en": "The subgroups differ in size: nothing was computed. Use sigma 'combinado'.",
    },
    "not_positive": {
        "pt": "Esta distribuição é só de valores acima de zero, e há {least}.",
        "en": "This distribution is of values above zero only, and there is {least}.",
    },
    "not_balanced": {
        "pt": "O estudo não é cruzado e equilibrado ({parts} peças, {operators} operadores): cada operador "
        "mede cada peça o mesmo número de vezes. Nada foi calculado.",
        "en": "The study is not crossed and balanced ({parts} parts, {operators} operators): every operator "
        "measures every part equally often. Nothing was computed.",
    },
    "gage_too_small": {
        "pt": "Há {parts} peças, {operators} operadores e {trials} repetições; são precisos pelo menos dois de cada.",
        "en": "There are {parts} parts, {operators} operators and {trials} trials; at least two of each are needed.",
    },
    "no_repeat_variation": {
        "pt": "As repetições são todas iguais: sem variação entre elas não há repetibilidade a estudar.",
        "en": "All repeated measurements are equal: without variation there is no repeatability to study.",
    },
    "negative_weights": {
        "pt": "A coluna «{name}» tem valores negativos: não se somam num Pareto.",
        "en": "The column “{name}” holds negative values: they do not add up in a Pareto.",
    },
    "period_needs_order": {
        "pt": "Sem 'ordem', 'desde' e 'ate' são números de linha; «{text}» não é. Indique a coluna em 'ordem'.",
        "en": "Without 'ordem', 'desde' and 'ate' are row numbers; “{text}” is none. Give the column in 'ordem'.",
    },
    "not_johnson": {
        "pt": "Nenhuma transformação de Johnson torna estes valores normais (a melhor dá p = {chance}, é preciso "
        "{needs}): nada foi calculado. Veja se há mistura de origens, ou use outra 'distribuicao'.",
        "en": "No Johnson transformation makes these values normal (the best gives p = {chance}, {needs} is "
        "needed): nothing was computed. See whether origins are mixed, or use another 'distribuicao'.",
    },
    "query": {"pt": "{text}", "en": "{text}"},
}


def failed(problem: str, parts: JSONObject, language: Language) -> ToolFailed:
    """The error that a study ends with."""
    said = _SAID.get(problem)
    if said is None:
        return ToolFailed("O estudo não deu resposta." if language == "pt" else "No answer came.")
    # A point is counted from 0 inside and from 1 by people.
    told = {name: _part(value, language) for name, value in parts.items()}
    if problem == "unequal_groups":
        told["point"] = str(parts["point"] + 1)
    return ToolFailed(said[language].format(**told))


def _part(value: JSON, language: Language) -> str:
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value, language)
    return str(value)
