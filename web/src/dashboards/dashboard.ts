/** Dashboards as the server keeps them. */
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { type Loaded, useLoad } from "../ui/hooks";

/** A widget, and the call that makes it anew. */
export type Item = Wire["DashboardItem"];
export type Dashboard = Wire["DashboardOut"];

/** When it last changed: itself, or the newest of what it shows. Fixed figures do not make it newer. */
export function freshness(dashboard: Dashboard): string {
  const moments = dashboard.items.flatMap((item) => (item.is_live ? (item.refreshed_at ?? []) : []));
  return [dashboard.updated_at, ...moments].sort().at(-1) ?? dashboard.updated_at;
}

/** Whether anything on it can be made anew. */
export function canRefresh(dashboard: Dashboard): boolean {
  return dashboard.items.some((item) => item.is_live);
}

/** Its tiles stand where somebody put them. */
export function isArranged(dashboard: Dashboard): boolean {
  return dashboard.items.some((item) => item.place);
}

/** What a tile is called, where it must be named. */
export function nameOf(item: Item): string {
  const { titulo, title, text } = item.data as Record<string, unknown>;
  const name = titulo ?? title ?? (typeof text === "string" ? text.replace(/[#*_`>]/g, "").trim().split("\n")[0] : null);
  return typeof name === "string" && name ? name.slice(0, 80) : item.type;
}

/** Whether widgets can be pinned to it: a page that a model wrote is whole as it is. */
export function takesWidgets(dashboard: Dashboard): boolean {
  return dashboard.html === null;
}

export function useDashboard(id: string): Loaded<Dashboard> {
  return useLoad((signal) => api.get("/dashboards/{id}", { path: { id }, signal }), [id]);
}
