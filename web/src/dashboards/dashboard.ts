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

export interface Pinned {
  kind: WidgetKind;
  data: JsonObject;
  refreshable?: boolean;
  problem?: string | null;
}

export interface Dashboard extends DashboardItem {
  html?: string | null;
  widgets?: Pinned[];
  owner?: { id: number; name: string };
  mine?: boolean;
  refreshable?: boolean;
}

export function useDashboard(id: string): Loaded<Dashboard> {
  return useLoad((signal) => get<Dashboard>(`/dashboards/${encodeURIComponent(id)}`, { signal }), [id]);
}
