import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { IconButton } from "../ui/Button";
import { FullScreen } from "../ui/FullScreen";
import { Downloads } from "./Downloads";
import { Rows } from "./Rows";

/** Columns and rows, whether a row came as a list or as named values. */
export function tableOf(data: JsonObject): { columns: string[]; rows: Json[][] } {
  const given = data["linhas"] ?? data["rows"];
  const rows = Array.isArray(given) ? given : [];
  const named = data["colunas"] ?? data["columns"];
  const first = rows[0];
  const columns = Array.isArray(named)
    ? named.map((name) => (name && typeof name === "object" && !Array.isArray(name) ? String(name["titulo"] ?? name["name"] ?? "") : String(name)))
    : first && typeof first === "object" && !Array.isArray(first)
      ? Object.keys(first)
      : [];
  return {
    columns,
    rows: rows.map((row) => (Array.isArray(row) ? row : columns.map((name) => ((row ?? {}) as JsonObject)[name] ?? null))),
  };
}

export function TableCard({ title, data, actions }: { title: string; data: JsonObject; actions?: ComponentChildren }) {
  const { t, count } = useSpeech();
  const { columns, rows } = useMemo(() => tableOf(data), [data]);
  return (
    <FullScreen class="widget table-widget">
      {(full, toggle) => (
        <>
          <header>
            <h3>{title}</h3>
            <span class="widget-meta">{count("widget.rows", rows.length)}</span>
            <div class="widget-actions">
              {actions}
              <Downloads title={title} columns={columns} rows={rows} />
              <IconButton small icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
            </div>
          </header>
          <Rows columns={columns} rows={rows} label={title} page={full ? 100 : 10} />
        </>
      )}
    </FullScreen>
  );
}
