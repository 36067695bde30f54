"""What people call the tools of this pack, in Portuguese and in English."""

from __future__ import annotations

TITLES = {
    "carta_controlo": ("Carta de controlo", "Control chart"),
    "estudo_capacidade": ("Estudo de capacidade", "Capability study"),
    "estudo_rr": ("Estudo R&R", "Gage R&R study"),
    "pareto_tabela": ("Pareto de uma coluna", "Pareto of a column"),
    "congelar_limites": ("Congelar limites", "Freeze limits"),
    "remover_limites": ("Remover limites congelados", "Remove frozen limits"),
    "guardar_estudo": ("Guardar estudo", "Save study"),
    "correr_estudo": ("Correr estudo guardado", "Run saved study"),
    "estudos_guardados": ("Estudos e limites guardados", "Saved studies and limits"),
    "remover_estudo": ("Remover estudo guardado", "Remove saved study"),
}

CALLS = {
    "congelar_limites": (
        "Congelar os limites da carta {tipo} com o nome «{nome}»",
        "Freeze the limits of the {tipo} chart as “{nome}”",
    ),
    "remover_limites": (
        "Remover os limites congelados «{nome}»",
        "Remove the frozen limits “{nome}”",
    ),
    "guardar_estudo": ("Guardar o estudo «{nome}»", "Save the study “{nome}”"),
    "remover_estudo": ("Remover o estudo «{nome}»", "Remove the study “{nome}”"),
}
"""One call in words, for whoever decides about it."""
