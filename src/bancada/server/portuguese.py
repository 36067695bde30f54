"""Problems in Portuguese. The rooms raise them in English; here each sentence has its other half.

`{}` stands for what is filled in, in the order it appears. A test walks the source and fails when
a sentence that a person can meet is missing here.
"""

from __future__ import annotations

import re
from functools import cache

from bancada.server.portuguese_definitions import DEFINITIONS, FRAGMENTS

SENTENCES: dict[str, str] = {
    **DEFINITIONS,
    # signing in
    "Sign in first: this needs a token or an API key.": "Inicie sessão primeiro: é preciso um token ou uma chave de API.",
    "The address or the password is wrong.": "O endereço ou a palavra-passe estão errados.",
    "Too many failed sign-ins. Wait ten minutes.": "Demasiadas tentativas falhadas. Espere dez minutos.",
    "Your sign-in has expired. Sign in again.": "A sessão expirou. Inicie sessão outra vez.",
    "This token is not valid. Sign in again.": "Este token não é válido. Inicie sessão outra vez.",
    "This API key is not valid (any more).": "Esta chave de API não é válida (ou já não é).",
    "This account does not exist or is disabled.": "Esta conta não existe ou está desativada.",
    "The current password is wrong.": "A palavra-passe atual está errada.",
    "This link does not work (any more).": "Esta ligação não funciona (ou já não funciona).",
    "This link was used already.": "Esta ligação já foi usada.",
    "There is an administrator already.": "Já existe um administrador.",
    "The first administrator needs an address and a name.": "O primeiro administrador precisa de um endereço e de um nome.",
    # who may
    "This is for administrators.": "Isto é só para administradores.",
    "This is for administrators of the first organisation.": "Isto é só para administradores da primeira organização.",
    "You manage your own organisation only.": "Só gere a sua própria organização.",
    "You may no longer use this agent.": "Já não pode usar este agente.",
    "You may not use the agent {}.": "Não pode usar o agente {}.",
    "In this organisation only administrators define tools.": "Nesta organização só os administradores definem ferramentas.",
    "Only its owner can change a person's own tool.": "Só quem a criou pode alterar uma ferramenta pessoal.",
    "A narrower level may only restrict. {}.": "Um nível mais estreito só pode restringir. {}.",
    # what is not there
    "There is no such agent.": "Esse agente não existe.",
    "There is no such confirmation.": "Essa confirmação não existe.",
    "There is no such container (any more).": "Esse contentor não existe (ou já não existe).",
    "There is no such conversation.": "Essa conversa não existe.",
    "There is no such chart, table, figure or graph in your conversations.": "Não há esse gráfico, tabela, indicador ou grafo nas suas conversas.",
    "There is no such dashboard.": "Esse painel não existe.",
    "There is no such experiment.": "Essa experiência não existe.",
    "There is no such file.": "Esse ficheiro não existe.",
    "There is no such key.": "Essa chave não existe.",
    "There is no such message.": "Essa mensagem não existe.",
    "There is no such organisation.": "Essa organização não existe.",
    "There is no such person.": "Essa pessoa não existe.",
    "There is no such turn in this conversation.": "Essa pergunta não existe nesta conversa.",
    "There is no such turn.": "Essa pergunta não existe.",
    "There is no tool called {} for you.": "Não há nenhuma ferramenta {} para si.",
    "There is no tool called {}.": "Não há nenhuma ferramenta chamada {}.",
    "There is no custom tool called {}.": "Não há nenhuma ferramenta própria chamada {}.",
    "The file is gone.": "O ficheiro já não existe.",
    "There is nothing at this address.": "Não há nada neste endereço.",
    "This address does not take {}.": "Este endereço não aceita {}.",
    # what clashes
    "A turn is still running in this conversation.": "Ainda está a decorrer uma resposta nesta conversa.",
    "A turn is still running in this conversation. Stop it or wait.": "Ainda está a decorrer uma resposta nesta conversa. Pare-a ou espere.",
    "Nothing is running in this conversation.": "Não está a decorrer nada nesta conversa.",
    "Only a failed or stopped turn can be continued.": "Só se pode continuar uma resposta que falhou ou foi parada.",
    "The turn has changed meanwhile.": "A resposta mudou entretanto.",
    "There is no question to try again.": "Não há pergunta para tentar outra vez.",
    "This was decided already.": "Isto já foi decidido.",
    "Nobody decided in time; this call was not made.": "Ninguém decidiu a tempo; a chamada não foi feita.",
    "There is already a tool called {}.": "Já existe uma ferramenta chamada {}.",
    "There is already an account for {}.": "Já existe uma conta para {}.",
    "There is already an agent called {}.": "Já existe um agente chamado {}.",
    "There is already an organisation called {}.": "Já existe uma organização chamada {}.",
    "At most {} tools of one's own; take one away first.": "No máximo {} ferramentas próprias; retire uma primeiro.",
    "An experiment that ended cannot be begun again; start another.": "Uma experiência terminada não pode recomeçar; inicie outra.",
    "This agent already takes part in an experiment; end that one first.": "Este agente já participa numa experiência; termine-a primeiro.",
    "This is the last administrator; make somebody else one first.": "É o último administrador; nomeie outra pessoa primeiro.",
    "The first organisation cannot be removed.": "A primeira organização não pode ser removida.",
    "It has people. Disable them instead: what they did must be kept.": "Tem pessoas. Desative-as antes: o que fizeram tem de ser guardado.",
    "A tool keeps its name: make another one.": "Uma ferramenta mantém o nome: crie outra.",
    "{} was changed meanwhile; look at it again.": "{} foi alterada entretanto; veja-a outra vez.",
    "{} was made meanwhile; look at it again.": "{} foi criada entretanto; veja-a outra vez.",
    # what does not fit
    "message or messages is needed": "é preciso message ou messages",
    "nested more than {} levels deep": "tem mais de {} níveis",
    "is not a file with a name": "não é um ficheiro com nome",
    "holds half a character (a lone surrogate)": "tem metade de um carácter",
    "holds a number that is not finite, or has too many digits": "tem um número que não é finito, ou com algarismos a mais",
    "The question is empty.": "A pergunta está vazia.",
    "The question is longer than {} characters; upload it as a file.": "A pergunta tem mais de {} caracteres; carregue-a como ficheiro.",
    "A dashboard holds at most {} items.": "Um painel tem no máximo {} elementos.",
    "There is nothing to pin.": "Não há nada para fixar.",
    "This dashboard is a page of its own; pin to another one.": "Este painel é uma página própria; fixe noutro.",
    "This widget is too large to keep.": "Este elemento é grande demais para ser guardado.",
    "A {} can be pinned from its conversation only.": "Um elemento {} só pode ser fixado a partir da sua conversa.",
    "This {} cannot be kept: {}": "Este elemento ({}) não pode ser guardado: {}",
    "None of your agents has the tool {}.": "Nenhum dos seus agentes tem a ferramenta {}.",
    "input: {}": "input: {}",
    # what a refresh could not do
    "Only tools that read are run by a refresh.": "Uma atualização só corre ferramentas de leitura.",
    "This was made in a conversation that you may not read.": "Isto foi feito numa conversa que não pode ler.",
    "The conversation behind this was deleted, and its files with it.": "A conversa de onde isto veio foi apagada, e os ficheiros com ela.",
    "This call needs a confirmation and was not run.": "Esta chamada precisa de uma confirmação e não foi feita.",
    "You may not use {} (any more).": "Não pode usar {} (ou já não pode).",
    "{} has changed and does not take this call any more; ask for it anew.": "{} mudou e já não aceita esta chamada; peça-a de novo.",
    "The limit for {} is reached; try again later.": "O limite de {} foi atingido; tente mais tarde.",
    "{} took too long.": "{} demorou demais.",
    "{} draws nothing of this kind; it stays as it was pinned.": "{} não desenha nada deste género; fica como foi afixado.",
    "agents: there is no agent {} in this organisation.": "agents: não há nenhum agente {} nesta organização.",
    "tools: there is no tool called {}.": "tools: não há nenhuma ferramenta chamada {}.",
    "subject: a role is one of {}.": "subject: um papel é um de {}.",
    "subject: the id of the agent or person.": "subject: o id do agente ou da pessoa.",
    "subject: the organisation's level has none.": "subject: o nível da organização não tem nenhum.",
    "{} is not a date or moment: write 2026-01-31 or 2026-01-31T08:00:00Z.": "{} não é uma data nem um momento: escreva 2026-01-31 ou 2026-01-31T08:00:00Z.",
    "The file is larger than {} MB.": "O ficheiro tem mais de {} MB.",
    "This is larger than {} MB.": "Isto tem mais de {} MB.",
    "This organisation does not use custom tools.": "Esta organização não usa ferramentas próprias.",
    "The body is not valid JSON.": "O corpo do pedido não é JSON válido.",
    "{}: only a custom tool can be redefined.": "{}: só uma ferramenta própria pode ser redefinida.",
    "A pack's tool cannot be removed; switch it off instead.": "A ferramenta de um pacote não pode ser removida; desligue-a.",
    "Days are written 2026-01-31.": "Os dias escrevem-se 2026-01-31.",
    "The first day is after the last one.": "O primeiro dia é depois do último.",
    "The model did not take the messages ({}).": "O modelo não aceitou as mensagens ({}).",
    # what failed
    "The model did not answer. Try again later.": "O modelo não respondeu. Tente mais tarde.",
    "The database does not answer.": "A base de dados não responde.",
    "Something went wrong on our side. The operator finds it under {}.": "Algo correu mal do nosso lado. O operador encontra-o em {}.",
}

MISFITS: dict[str, str] = {
    "missing": "falta",
    "extra_forbidden": "não é conhecido aqui",
    "string_type": "tem de ser texto",
    "string_too_short": "tem de ter pelo menos {min_length} caracteres",
    "string_too_long": "tem de ter no máximo {max_length} caracteres",
    "string_pattern_mismatch": "não tem a forma esperada",
    "string_unicode": "não é texto válido",
    "int_type": "tem de ser um número inteiro",
    "int_parsing": "tem de ser um número inteiro",
    "int_from_float": "tem de ser um número inteiro",
    "float_type": "tem de ser um número",
    "float_parsing": "tem de ser um número",
    "finite_number": "tem de ser um número finito",
    "bool_type": "tem de ser verdadeiro ou falso",
    "bool_parsing": "tem de ser verdadeiro ou falso",
    "greater_than_equal": "tem de ser pelo menos {ge}",
    "less_than_equal": "tem de ser no máximo {le}",
    "literal_error": "tem de ser {expected}",
    "dict_type": "tem de ser um objeto",
    "list_type": "tem de ser uma lista",
    "too_long": "tem elementos a mais (máximo {max_length})",
    "too_short": "tem elementos a menos (mínimo {min_length})",
    "model_attributes_type": "tem de ser um objeto",
}
"""What does not fit in what was sent, by the validator's own name for it."""


LONGEST = 2_000
"""Characters of a sentence that is looked for: longer ones are mostly what somebody sent, and to
look for a pattern takes the square of their length."""


def in_portuguese(sentence: str) -> str:
    """The sentence in Portuguese; as it is, where there is no other half."""
    exact = SENTENCES.get(sentence)
    if exact is not None or len(sentence) > LONGEST:
        return exact or sentence
    for pattern, portuguese in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return portuguese.format(*map(_part, found.groups()))
    return sentence


def _part(text: str) -> str:
    """What is filled in: words of ours that have another half, or somebody's own."""
    if text.endswith("."):
        return in_portuguese(text)
    if text in FRAGMENTS:
        return FRAGMENTS[text]
    for pattern, portuguese in _part_patterns():
        found = pattern.fullmatch(text)
        if found is not None:
            return portuguese.format(*map(_part, found.groups()))
    return text


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return _filled(SENTENCES)


@cache
def _part_patterns() -> list[tuple[re.Pattern[str], str]]:
    return _filled(FRAGMENTS)


def _filled(known: dict[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Sentences with something filled in, the most particular first."""
    filled = sorted((s for s in known if "{}" in s), key=len, reverse=True)
    return [
        (
            re.compile("(.*)".join(map(re.escape, english.split("{}"))), re.DOTALL),
            known[english],
        )
        for english in filled
    ]
