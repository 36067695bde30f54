/** Dashboards as the server keeps them. */
import { get } from "../api/client";
import type { JsonObject, WidgetKind } from "../state/events";
import { type Loaded, useLoad } from "../ui/hooks";

export interface DashboardItem {
  id: string;
  titulo: string;
  created_at: string;
  updated_at?: string | null;
  refreshed_at?: string | null;
  shared?: boolean;
  url?: string | null;
}

/** A widget, and the call that makes it anew. */
export interface Item {
  id: string;
  type: WidgetKind;
  data: JsonObject;
  call?: { name: string; input: JsonObject } | null;
  refreshed_at?: string | number | null;
  error?: string | null;
}

export interface Dashboard extends DashboardItem {
  html?: string | null;
  items?: Item[];
}

export function useDashboard(id: string): Loaded<Dashboard> {
  return useLoad((signal) => get<Dashboard>(`/dashboards/${encodeURIComponent(id)}`, { signal }), [id]);
}
