import type { Json } from "../state/events";

/** RFC 4180, with a mark so that spreadsheets read accents, and no cell that one would run as a formula. */
export function csvOf(columns: string[], rows: Json[][]): string {
  const line = (cells: Json[]) => cells.map(cell).join(",");
  return `\ufeff${[line(columns), ...rows.map(line)].join("\r\n")}\r\n`;
}

function cell(value: Json): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,]+%?$/.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function fileName(title: string, extension: string): string {
  const stem = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${stem || "bancada"}.${extension}`;
}

export function downloadCsv(title: string, columns: string[], rows: Json[][]): void {
  saveBlob(new Blob([csvOf(columns, rows)], { type: "text/csv;charset=utf-8" }), fileName(title, "csv"));
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
