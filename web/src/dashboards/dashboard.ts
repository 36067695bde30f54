/** Dashboards as the server keeps them. */
import { get } from "../api/client";
import type { Closer } from "../api/wire";
import type { WidgetKind } from "../state/events";
import { type Loaded, useLoad } from "../ui/hooks";

/** A widget, and the call that makes it anew. */
export type Item = Closer<"DashboardItem", { type: WidgetKind }>;
export type Dashboard = Closer<"DashboardOut", { items: Item[] }>;

/** When it last changed: itself, or the newest of what it shows. Fixed figures do not make it newer. */
export function freshness(dashboard: Dashboard): string {
  const moments = dashboard.items.flatMap((item) => (item.is_live ? (item.refreshed_at ?? []) : []));
  return [dashboard.updated_at, ...moments].sort().at(-1) ?? dashboard.updated_at;
}

/** Whether anything on it can be made anew. */
export function canRefresh(dashboard: Dashboard): boolean {
  return dashboard.items.some((item) => item.is_live);
}

/** Whether widgets can be pinned to it: a page that a model wrote is whole as it is. */
export function takesWidgets(dashboard: Dashboard): boolean {
  return dashboard.html === null;
}

export function useDashboard(id: string): Loaded<Dashboard> {
  return useLoad((signal) => get<Dashboard>(`/dashboards/${encodeURIComponent(id)}`, { signal }), [id]);
}
