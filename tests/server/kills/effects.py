"""A pack whose tools leave a line when they begin and one when they end."""

from __future__ import annotations

import json
from pathlib import Path

from bancada import Agent, Pack, Result, Services, Widget, tool

CALLERS = ("direct", "code_execution_20260120")


def build(services: Services) -> Pack:
    """Tools that only look, one that changes something, and one that asks before."""
    folder = Path(services.folder)

    def run(name: str, n: str) -> str:
        note(folder, "began", name, n)
        note(folder, "ended", name, n)
        return f"{name} {n}"

    @tool(allowed_callers=CALLERS)
    async def ler(n: str) -> str:
        """Look something up."""
        return run("ler", n)

    @tool(effect="write", allowed_callers=CALLERS)
    async def escrever(n: str) -> str:
        """Change something."""
        return run("escrever", n)

    @tool(effect="write", confirm="always", allowed_callers=CALLERS)
    async def pagar(n: str) -> str:
        """Change something that needs a person's word."""
        return run("pagar", n)

    @tool(background="may")
    async def procurar(n: str) -> str:
        """Look something up, for whoever comes back for it."""
        return run("procurar", n)

    @tool(effect="write", background="may")
    async def gravar(n: str) -> str:
        """Change something, for whoever comes back for it."""
        return run("gravar", n)

    @tool
    async def mostrar(n: str) -> Result:
        """Show how often this was called."""
        run("mostrar", n)
        times = noted(folder).count(("began", "mostrar", n))
        drawn = {"widget": "kpi", "titulo": n, "valor": times}
        return Result(value=times, widgets=[Widget(kind="kpi", data=drawn)])

    tools = [ler, escrever, pagar, procurar, gravar, mostrar]
    names = (*(each.name for each in tools), "gerar_dashboard")
    agents = [
        Agent(name="Provas", description="", system_prompt="", tools=names),
        Agent(name="Programas", description="", system_prompt="", tools=names, code="local"),
    ]
    return Pack(name="provas", tools=tools, agents=agents)


def note(folder: Path, *words: str) -> None:
    with (folder / "runs.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(words) + "\n")


def noted(folder: Path) -> list[tuple[str, str, str]]:
    path = folder / "runs.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [tuple(json.loads(line)) for line in lines]
