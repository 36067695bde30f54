"""What people call the tools of this pack, in Portuguese and in English."""

from __future__ import annotations

TITLES = {
    "contar_defeitos": ("Contar defeitos", "Count defects"),
    "top_defeitos": ("Defeitos mais frequentes", "Most frequent defects"),
    "defeitos_por_turno": ("Defeitos por turno", "Defects by shift"),
    "pareto_defeitos": ("Pareto de defeitos", "Pareto of defects"),
    "carta_controlo_xr": ("Carta de controlo X̄-R", "X̄-R control chart"),
    "carta_controlo_p": ("Carta de controlo p", "p control chart"),
    "capacidade": ("Capacidade do processo", "Process capability"),
    "executar_python": ("Executar Python", "Run Python"),
}
