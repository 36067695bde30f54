"""What people call the tools of this pack, in Portuguese and in English."""

from __future__ import annotations

TITLES = {
    "consultar_dados": ("Consultar dados", "Query data"),
    "gerar_dashboard": ("Guardar painel", "Keep dashboard"),
    "gerar_grafico": ("Mostrar gráfico", "Show chart"),
    "gerar_tabela": ("Mostrar tabela", "Show table"),
    "gerar_kpi": ("Mostrar indicador", "Show figure"),
}

CALLS = {
    "gerar_dashboard": ("Guardar o painel: {titulo}", "Keep the dashboard: {titulo}"),
}
"""One call in words, for whoever decides about it."""
