import { useState } from "preact/hooks";
import { blobOf, get } from "../api/client";
import { type Key, useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Empty, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { saveBlob } from "../widgets/csv";
import { ChartCard } from "../widgets/ChartCard";
import { KpiCard } from "../widgets/KpiCard";
import { Rows } from "../widgets/Rows";

const BY = ["day", "tool", "agent", "user", "model", "caller"] as const;
type By = (typeof BY)[number];

const SUMMED = ["calls", "failures", "cost_usd", "input_tokens", "output_tokens", "cache_hits", "saved_tokens"] as const;

/** What was called, how often, how fast, and what it cost: by day, tool, agent, person, model or caller. */
export function UsagePage() {
  const { t } = useSpeech();
  useTitle(t("admin.usage"));
  const [by, setBy] = useState<By>("day");
  const [from, setFrom] = useState(daysAgo(30));
  const [to, setTo] = useState("");
  const query = { by, from, to };
  const loaded = useLoad((signal) => get<JsonObject[] | { rows: JsonObject[] }>("/admin/usage", { query, signal }), [by, from, to]);
  const [save, saving, problem] = useAction(async () => saveBlob(await blobOf("/admin/usage", { query: { ...query, format: "csv" } }), `usage-${by}.csv`));
  return (
    <Page
      wide
      title={t("admin.usage")}
      lead={t("usage.lead")}
      actions={
        <Button icon="download" busy={saving} onClick={() => void save()}>
          {t("widget.csv")}
        </Button>
      }
    >
      <div class="form-grid filters">
        <SelectField<By> label={t("usage.by")} value={by} onPick={setBy} options={BY.map((one) => [one, t(`usage.by_${one}`)] as const)} />
        <TextField type="date" label={t("usage.from")} value={from} onText={setFrom} />
        <TextField type="date" label={t("usage.to")} value={to} onText={setTo} />
      </div>
      <ErrorNote problem={problem} />
      <Await of={loaded}>{(answer) => <Shown by={by} rows={Array.isArray(answer) ? answer : answer.rows} />}</Await>
    </Page>
  );
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

function Shown({ by, rows }: { by: By; rows: JsonObject[] }) {
  const { t } = useSpeech();
  if (!rows.length) {
    return (
      <Empty icon="chart" title={t("usage.none")}>
        {t("usage.none_words")}
      </Empty>
    );
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const nameOf = columns.includes(by) ? by : columns.includes("key") ? "key" : (columns[0] ?? "");
  const label = (row: JsonObject) => text(row[nameOf]);
  const total = (field: string) => rows.reduce((sum, row) => sum + (typeof row[field] === "number" ? (row[field] as number) : 0), 0);
  const words = (field: string) => (`usage.${field}` in KNOWN ? t(`usage.${field}` as Key) : field);
  const chart = (field: string, kind: string) => ({
    tipo: kind,
    labels: rows.slice(0, 40).map(label),
    datasets: [{ label: words(field), data: rows.slice(0, 40).map((row) => row[field] ?? null) }],
  });
  return (
    <div class="usage">
      <div class="cards">
        {SUMMED.filter((field) => columns.includes(field)).map((field) => (
          <KpiCard key={field} title={words(field)} data={{ valor: Math.round(total(field) * 1e4) / 1e4, ...(field === "cost_usd" ? { unidade: "USD" } : {}) }} />
        ))}
      </div>
      <div class="charts">
        {columns.includes("calls") && <ChartCard title={words("calls")} data={chart("calls", by === "day" ? "line" : "bar")} />}
        {columns.includes("cost_usd") && <ChartCard title={words("cost_usd")} data={chart("cost_usd", by === "day" ? "line" : "bar")} />}
      </div>
      <section class="panel">
        <Rows label={t("admin.usage")} columns={columns.map(words)} rows={rows.map((row) => columns.map((column) => (typeof row[column] === "object" ? text(row[column]) : (row[column] ?? null))))} />
      </section>
    </div>
  );
}

const KNOWN = {
  "usage.calls": 1, "usage.failures": 1, "usage.cost_usd": 1, "usage.input_tokens": 1, "usage.output_tokens": 1, "usage.cache_hits": 1,
  "usage.saved_tokens": 1, "usage.day": 1, "usage.tool": 1, "usage.agent": 1, "usage.user": 1, "usage.model": 1, "usage.caller": 1,
} as const;

function text(value: Json | undefined): string {
  if (value && typeof value === "object" && !Array.isArray(value)) return String(value["name"] ?? value["email"] ?? JSON.stringify(value));
  return value === null || value === undefined ? "—" : String(value);
}
