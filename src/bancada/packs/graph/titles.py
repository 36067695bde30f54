"""What people call the tools of this pack, in Portuguese and in English."""

from __future__ import annotations

TITLES = {
    "find_node": ("Encontrar por nome", "Find by name"),
    "search_nodes": ("Procurar no grafo", "Search the graph"),
    "count_nodes": ("Contar por nome", "Count by name"),
    "count_by_label": ("Contar por tipo", "Count by label"),
    "list_categories": ("Lista de categorias", "List categories"),
    "get_node_connections": ("Ver ligações", "Show connections"),
    "count_by_category": ("Contar por categoria", "Count by category"),
    "count_related": ("Contar o que contém", "Count what is in it"),
    "count_related_by_name": ("Contar o que contém, por nome", "Count what is in it, by name"),
    "list_related": ("Listar o que contém", "List what is in it"),
    "list_related_by_name": ("Listar o que contém, por nome", "List what is in it, by name"),
    "count_breakdown": ("Repartir por tipo", "Break down"),
    "shortest_path": ("Caminho mais curto", "Shortest path"),
    "get_schema": ("Esquema do grafo", "The graph's schema"),
    "run_query": ("Consulta Cypher", "Cypher query"),
}
