"""Sales, tasks and announcements."""

from __future__ import annotations

import re

from bancada import Intent, JSONObject, Language, Results, Sentence
from bancada.packs.workspace.intents.reading import (
    money,
    percent,
    quarter,
    year,
)

_GROUPS = {
    "region": ("region", "regions", "regiao", "regioes"),
    "product": ("product", "products", "produto", "produtos"),
    "month": ("month", "months", "mes", "meses", "monthly", "mensal", "mensais"),
}
_TASK = re.compile(
    r"\b(?:task|tarefa)\b\s*(?:(?:urgente|to|para|called|named|chamada|:|-|,|that says|de)\s*)*",
    re.IGNORECASE,
)
_ANNOUNCEMENT = re.compile(
    r"\b(?:announcement|notice|an[uú]ncio|comunicado|aviso)\b\s*"
    r"(?:(?:that|saying|to everyone|a todos|que|a dizer|:|-|,)\s*)*",
    re.IGNORECASE,
)
LONGEST_TITLE = 80


def read_sales(sentence: Sentence) -> JSONObject:
    input: JSONObject = {}
    said = " ".join(part for part in (quarter(sentence), year(sentence)) if part)
    if said:
        input["period"] = said
    for group, words in _GROUPS.items():
        if sentence.has(*words):
            input["group_by"] = group
            break
    return input


def tell_sales(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("getSalesSummary")
    language = sentence.language
    total = money(found["revenue"], language)
    if language == "en":
        said = f"Sales in {found['period']}: {total}, {found['units']:,} units"
    else:
        units = f"{found['units']:,}".replace(",", " ")
        said = f"Vendas em {found['period']}: {total}, {units} unidades"
    before = found.get("previous")
    if before and before.get("change_percent") is not None:
        change = f"{'+' if before['change_percent'] >= 0 else ''}{percent(before['change_percent'], language)}"
        said += {
            "pt": f" ({change} face ao período anterior)",
            "en": f" ({change} against the period before)",
        }[language]
    groups = found["groups"]
    if len(groups) < 2:
        return f"{said}."
    key = found["group_by"]
    lines = [
        f"{n}. {one[key]}: {money(one['revenue'], language)} ({percent(one['share_percent'], language)})"
        for n, one in enumerate(groups, start=1)
    ]
    return "\n".join([f"{said}:", *lines])


def read_task(sentence: Sentence) -> JSONObject | None:
    title = _what(sentence, _TASK)
    if not title:
        return None
    input: JSONObject = {"title": title[:200]}
    if sentence.has("urgent", "urgente", "high priority", "prioridade alta"):
        input["priority"] = "high"
    return input


def tell_task(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("createTask")
    return {
        "pt": f"Criei a tarefa {found['task_id']}: {found['title']}.",
        "en": f"I created task {found['task_id']}: {found['title']}.",
    }[sentence.language]


def tell_tasks(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("getTaskList")
    if not found["tasks"]:
        return {"pt": "Não há tarefas.", "en": "There are no tasks."}[sentence.language]
    lines = [
        f"{n}. {one['task_id']} {one['title']}{_assigned(one, sentence.language)}"
        for n, one in enumerate(found["tasks"], start=1)
    ]
    opening = {"pt": "As tarefas mais recentes:", "en": "The newest tasks:"}[sentence.language]
    return "\n".join([opening, *lines])


def _assigned(task: JSONObject, language: Language) -> str:
    parts = [str(task[key]) for key in ("assignee", "due_date") if task.get(key)]
    return f" ({', '.join(parts)})" if parts else ""


def read_announcement(sentence: Sentence) -> JSONObject | None:
    message = _what(sentence, _ANNOUNCEMENT)
    if not message:
        return None
    title = message if len(message) <= LONGEST_TITLE else f"{message[: LONGEST_TITLE - 1]}…"
    return {"title": title, "message": message}


def tell_announcement(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("sendAnnouncement")
    return {
        "pt": f"Publiquei o comunicado {found['announcement_id']} para {found['recipients']} pessoas.",
        "en": f"I posted announcement {found['announcement_id']} for {found['recipients']} people.",
    }[sentence.language]


def tell_announcements(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("getAnnouncements")
    if not found["announcements"]:
        nothing = {"pt": "Não há comunicados.", "en": "There are no announcements."}
        return nothing[sentence.language]
    lines = [
        f"{n}. {one['title']} ({one['sent_by']}, {one['sent_at'][:10]})"
        for n, one in enumerate(found["announcements"], start=1)
    ]
    opening = {"pt": "Os comunicados mais recentes:", "en": "The newest announcements:"}
    return "\n".join([opening[sentence.language], *lines])


def _what(sentence: Sentence, after: re.Pattern[str]) -> str:
    """What is to be done or said: the quoted text, or what follows the noun."""
    if sentence.quoted:
        return sentence.quoted[0].strip()
    found = after.search(sentence.text)
    rest = sentence.text[found.end() :].strip(" \t\n:;,-?!.") if found else ""
    return rest[:1].upper() + rest[1:]


ACTION_INTENTS = (
    Intent(
        name="sales_summary",
        phrases={
            "pt": (
                "Resumo das vendas do Q4 por região",
                "Quanto vendemos em 2024?",
                "Mostra as vendas por produto",
            ),
            "en": (
                "Sales summary for Q4 by region",
                "How much did we sell in 2024?",
                "Show the sales by product",
            ),
        },
        keywords=("vendas|vendemos|faturacao|sales|sell|sold|revenue|receita|receitas",),
        tool="getSalesSummary",
        arguments=read_sales,
        tell=tell_sales,
    ),
    Intent(
        name="create_task",
        phrases={
            "pt": (
                "Cria uma tarefa para rever o relatório do Q4",
                "Cria a tarefa “Ligar ao fornecedor de tinta”",
                "Adiciona uma tarefa: preparar a auditoria",
            ),
            "en": (
                "Create a task to review the Q4 report",
                "Create the task “Call the paint supplier”",
                "Add a task: prepare the audit",
            ),
        },
        keywords=(
            "tarefa|task",
            "cria|criar|crie|adiciona|adicionar|nova|create|add|new|make|abre|open",
        ),
        tool="createTask",
        arguments=read_task,
        tell=tell_task,
    ),
    Intent(
        name="list_tasks",
        phrases={
            "pt": ("Mostra as tarefas", "Que tarefas há?", "Lista as minhas tarefas"),
            "en": ("Show the tasks", "Which tasks are there?", "List the tasks"),
        },
        keywords=("tarefas|tasks",),
        tool="getTaskList",
        tell=tell_tasks,
    ),
    Intent(
        name="send_announcement",
        phrases={
            "pt": (
                "Envia um comunicado: a cantina fecha às 14h",
                "Publica um anúncio a todos: reunião geral na sexta",
                "Envia um aviso a todos",
            ),
            "en": (
                "Send an announcement: the canteen closes at 2 pm",
                "Post an announcement to everyone: general meeting on Friday",
                "Send a notice to everyone",
            ),
        },
        keywords=(
            "comunicado|anuncio|aviso|announcement|notice",
            "envia|enviar|envie|publica|publicar|manda|mandar|send|post|publish|make",
        ),
        tool="sendAnnouncement",
        arguments=read_announcement,
        tell=tell_announcement,
    ),
    Intent(
        name="list_announcements",
        phrases={
            "pt": ("Mostra os comunicados", "Que comunicados há?"),
            "en": ("Show the announcements", "Which announcements are there?"),
        },
        keywords=("comunicados|anuncios|avisos|announcements|notices",),
        tool="getAnnouncements",
        tell=tell_announcements,
    ),
)
