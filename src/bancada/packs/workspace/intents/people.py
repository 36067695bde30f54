"""Who works here, and whether the system is well."""

from __future__ import annotations

from bancada import Intent, JSONObject, Language, Results, Sentence
from bancada.packs.workspace.intents.reading import (
    DEPARTMENTS,
    RECENT,
    ROLE_NAMES,
    ROLES,
    how_many,
    named,
)

FEW = 3
"""How many are "the most recent" when nobody says."""

_PAPERS = (
    "handbook",
    "manual",
    "document",
    "documents",
    "documento",
    "documentos",
    "policy",
    "politica",
)
"""The employee handbook is no employee."""

_MONTHS_PT = ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez")
_DEPARTMENT_NAMES: dict[str, dict[Language, str]] = {
    "operations": {"pt": "Operações", "en": "Operations"},
    "finance": {"pt": "Finanças", "en": "Finance"},
    "HR": {"pt": "RH", "en": "HR"},
    "IT": {"pt": "Informática", "en": "IT"},
    "sales": {"pt": "Vendas", "en": "Sales"},
    "quality": {"pt": "Qualidade", "en": "Quality"},
    "legal": {"pt": "Jurídico", "en": "Legal"},
}


def read_employees(sentence: Sentence) -> JSONObject | None:
    if sentence.has(*_PAPERS):
        return None
    input: JSONObject = {}
    if role := named(sentence, ROLES):
        input["role"] = role
    if department := named(sentence, DEPARTMENTS):
        input["department"] = department
    if sentence.has(*RECENT):
        input["recent"] = True
        input["limit"] = how_many(sentence, FEW)
    return input


def tell_employees(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("getEmployeeList")
    asked = results[-1].step.input
    language, shown = sentence.language, found["employees"]
    opening = _opening(asked, found["total"], len(shown), language)
    if not shown:
        return f"{opening}."
    lines = [f"{n}. {_person(one, language)}" for n, one in enumerate(shown, start=1)]
    if found["total"] > len(shown) and not asked.get("recent"):
        lines.append("…")
    return "\n".join([f"{opening}:", *lines])


def _opening(asked: JSONObject, total: int, shown: int, language: Language) -> str:
    names = ROLE_NAMES.get(
        asked.get("role", ""),
        {"pt": ("colaborador", "colaboradores"), "en": ("employee", "employees")},
    )[language]
    where = ""
    if department := asked.get("department"):
        name = _DEPARTMENT_NAMES.get(department, {}).get(language, department)
        where = f" no departamento {name}" if language == "pt" else f" in the {name} department"
    if asked.get("recent") and shown:
        if language == "en":
            return f"Here are the {shown} most recent {names[1]}{where}"
        return f"Estes são os {shown} {names[1]} mais recentes{where}"
    if not total:
        return {
            "pt": f"Não encontrei {names[1]}{where}",
            "en": f"I found no {names[1]}{where}",
        }[language]
    who = names[0] if total == 1 else names[1]
    return {
        "pt": f"Encontrei {total} {who}{where}",
        "en": f"I found {total} {who}{where}",
    }[language]


def _person(one: JSONObject, language: Language) -> str:
    if language == "en":
        return f"{one['name']} - {one['title']} since {one['since']}"
    year, month, _ = one["hired_on"].split("-")
    return f"{one['name']} - {one['title']} desde {_MONTHS_PT[int(month) - 1]} {year}"


def tell_status(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("getSystemStatus")
    pt = sentence.language == "pt"
    healthy = found["status"] == "healthy"
    users = ""
    if "active_users" in found:
        number = found["active_users"]
        users = f" com {number} utilizadores ativos" if pt else f" with {number} active users"
    if pt:
        said = f"O sistema está {'saudável' if healthy else 'com problemas'}{users}."
    else:
        said = f"The system is {'healthy' if healthy else 'degraded'}{users}."
    if found.get("active_users_source") == "demo":
        said += " (Número de demonstração.)" if pt else " (The number of users is demo data.)"
    if not healthy:
        bad = [name for name, check in found["checks"].items() if not check["ok"]]
        said += (" A verificar: " if pt else " To look at: ") + ", ".join(bad) + "."
    return said


PEOPLE_INTENTS = (
    Intent(
        name="list_employees",
        phrases={
            "pt": (
                "Mostra todos os gestores das operações",
                "Mostra os colaboradores mais recentes",
                "Quem são os engenheiros da qualidade?",
                "Lista os colaboradores de finanças",
                "Quem trabalha na informática?",
            ),
            "en": (
                "Show me all the managers in operations",
                "Show me recent employees",
                "Who are the engineers in quality?",
                "List the employees in finance",
                "Who works in IT?",
            ),
        },
        keywords=(
            "colaborador|colaboradores|funcionario|funcionarios|empregados|trabalhadores|trabalha"
            "|trabalham|employee|employees|staff|works|work|people|pessoas|hires|contratados|"
            + "|".join(word for words in ROLES.values() for word in words),
        ),
        tool="getEmployeeList",
        arguments=read_employees,
        tell=tell_employees,
    ),
    Intent(
        name="system_status",
        phrases={
            "pt": (
                "Verifica o estado do sistema",
                "Qual é o estado do sistema?",
                "O sistema está bem?",
                "Quantos utilizadores ativos há no sistema?",
            ),
            "en": (
                "Check the system status",
                "What is the system status?",
                "Is the system healthy?",
                "How many active users are in the system?",
            ),
        },
        keywords=("sistema|system|utilizadores|users",),
        tool="getSystemStatus",
        tell=tell_status,
    ),
)
