import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { AreaField, SelectField, TextField } from "../ui/parts";

interface Source {
  database: string;
  table: string;
  columns: Record<string, string>;
}

interface OwnTableProps {
  name: string;
  databases: string[];
  chosen: Source | null;
  onChange(source: JsonObject | null): Promise<void>;
}

/** A pack's table that is read from a database of the organisation: which one, and what its columns are called there. */
export function OwnTable({ name, databases, chosen, onChange }: OwnTableProps) {
  const { t } = useSpeech();
  const [database, setDatabase] = useState(chosen?.database ?? "");
  const [table, setTable] = useState(chosen?.table ?? "");
  const [columns, setColumns] = useState(lines(chosen?.columns ?? {}));
  const [save, busy, problem] = useAction(() => onChange(database ? { database, table: table.trim(), columns: read(columns) } : null));
  // One that the operator took away stays to be seen: the table cannot be read until another is chosen.
  const offered = [...new Set([...databases, ...(chosen ? [chosen.database] : [])])];
  return (
    <section class="named">
      <h3>{t("own.table", { name })}</h3>
      <p class="hint">{t("own.table_hint")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="form-grid">
          <SelectField label={t("own.table_database")} value={database} options={[["", t("own.table_none")], ...offered.map((one) => [one, one] as const)]} onPick={setDatabase} />
          {database && <TextField label={t("own.table_name")} hint={t("own.table_name_hint")} value={table} onText={setTable} required maxLength={200} />}
          {database && <AreaField label={t("own.table_columns")} hint={t("own.table_columns_hint")} value={columns} rows={4} mono onText={setColumns} />}
        </div>
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button type="submit" busy={busy}>
            {t("own.table_save")}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** The setting as it was saved, if it is one. */
export function sourceOf(value: unknown): Source | null {
  if (!value || typeof value !== "object") return null;
  const { database, table, columns } = value as Partial<Source>;
  return typeof database === "string" && typeof table === "string" ? { database, table, columns: columns ?? {} } : null;
}

function lines(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([ours, theirs]) => `${ours} = ${theirs}`)
    .join("\n");
}

/** `ours = theirs`, one a line; a line without a sign is called the same in both. */
function read(text: string): JsonObject {
  return Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const at = line.indexOf("=");
        return at < 0 ? [line, line] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
}
