/** Agents to begin with: what each needs, and what of it is here. The words are in the locale files. */
import type { AdminTool } from "./types";

export const TEMPLATES = {
  data: { code: "local", tools: ["consultar_dados", "gerar_grafico", "gerar_tabela", "gerar_kpi", "gerar_dashboard", "pareto_tabela"] },
  process: {
    code: "direct",
    tools: ["consultar_dados", "carta_controlo", "estudo_capacidade", "estudo_rr", "pareto_tabela", "congelar_limites", "guardar_estudo", "correr_estudo", "estudos_guardados", "gerar_grafico"],
  },
  assets: { code: "direct", tools: ["find_node", "search_nodes", "get_node_connections", "list_related", "list_related_by_name", "count_nodes", "count_related", "count_by_category", "shortest_path", "get_schema"] },
  office: { code: "direct", tools: ["searchDocuments", "getEmployeeList", "getTaskList", "createTask", "getAnnouncements"] },
  writing: { code: "direct", tools: [] },
} as const satisfies Record<string, { code: "direct" | "local"; tools: readonly string[] }>;

export type TemplateId = keyof typeof TEMPLATES;
export const TEMPLATE_IDS = Object.keys(TEMPLATES) as TemplateId[];

/** Of a template's tools, which are here and switched on, and which are not. */
export function fits(id: TemplateId, tools: AdminTool[]): { here: string[]; missing: string[] } {
  const on = new Set(tools.filter((tool) => tool.is_enabled).map((tool) => tool.name));
  const wanted: readonly string[] = TEMPLATES[id].tools;
  return { here: wanted.filter((name) => on.has(name)), missing: wanted.filter((name) => !on.has(name)) };
}
