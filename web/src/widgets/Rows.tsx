/** Rows that can be sorted and paged. */
import { useMemo, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/icons";

interface RowsProps {
  /** How many rows are shown at once. */
  page?: number;
  columns: string[];
  rows: Json[][];
  label: string;
}

export function compareCells(a: Json, b: Json): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
  if (b === null || b === undefined) return -1;
  const x = numeric(a);
  const y = numeric(b);
  if (x !== null && y !== null) return x - y;
  return String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: "base" });
}

function numeric(value: Json): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^[+-]?\d+([.,]\d+)?\s*%?$/.test(value.trim())) return null;
  return Number(value.replace("%", "").replace(",", ".").trim());
}

/** The rows that have these words in one of their cells. */
export function filtered(rows: Json[][], words: string): Json[][] {
  const wanted = plain(words);
  return wanted ? rows.filter((row) => row.some((cell) => cell !== null && plain(typeof cell === "object" ? JSON.stringify(cell) : String(cell)).includes(wanted))) : rows;
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** A code, a date, a short word: it stays on one line, hyphens and all. */
function isCode(value: Json): boolean {
  return typeof value !== "string" || (value.length <= 32 && !/\s/.test(value));
}

export function Rows({ columns, rows: all, label, page: size = 10 }: RowsProps) {
  const { t, number } = useSpeech();
  const [sort, setSort] = useState<{ column: number; down: boolean } | null>(null);
  const [page, setPage] = useState(0);
  const [words, setWords] = useState("");
  const rows = useMemo(() => filtered(all, words), [all, words]);
  const sorted = useMemo(() => {
    if (!sort) return rows;
    const sign = sort.down ? -1 : 1;
    return [...rows].sort((a, b) => sign * compareCells(a[sort.column] ?? null, b[sort.column] ?? null));
  }, [rows, sort]);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const at = Math.min(page, pages - 1);
  const right = columns.map((_, column) => all.length > 0 && all.every((row) => row[column] === null || typeof row[column] === "number"));
  const show = (value: Json) =>
    value === null || value === undefined ? "—" : typeof value === "number" ? number(value, { maximumFractionDigits: 4 }) : typeof value === "object" ? JSON.stringify(value) : String(value);

  return (
    <div class="rows">
      {all.length > 5 && (
        <label class="rows-filter">
          <span class="visually-hidden">{t("widget.filter", { title: label })}</span>
          <input type="search" placeholder={t("widget.filter_words")} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
      )}
      <div class="rows-scroll" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((name, column) => {
                const now = sort?.column === column ? (sort.down ? "descending" : "ascending") : "none";
                return (
                  <th key={column} scope="col" aria-sort={now} class={right[column] ? "number" : ""}>
                    <button type="button" onClick={() => setSort(now === "descending" ? null : { column, down: now === "ascending" })}>
                      {name || <span class="visually-hidden">{t("widget.column", { n: column + 1 })}</span>}
                      {now !== "none" && <Icon name={now === "ascending" ? "up" : "down"} size={14} />}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(at * size, (at + 1) * size).map((row, index) => (
              <tr key={index}>
                {columns.map((_, column) => (
                  <td key={column} dir="auto" class={right[column] ? "number" : isCode(row[column] ?? null) ? "one-word" : ""}>
                    {show(row[column] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="hint">{t(words ? "widget.none_found" : "widget.no_rows")}</p>}
      {pages > 1 && (
        <nav class="pager" aria-label={t("widget.pages")}>
          <IconButton small icon="left" label={t("widget.previous")} disabled={at === 0} onClick={() => setPage(at - 1)} />
          <span aria-live="polite">
            {t("widget.range", { from: number(at * size + 1), to: number(Math.min(rows.length, (at + 1) * size)), total: number(rows.length) })}
          </span>
          <IconButton small icon="right" label={t("widget.next")} disabled={at >= pages - 1} onClick={() => setPage(at + 1)} />
        </nav>
      )}
    </div>
  );
}
