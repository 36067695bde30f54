import { useState } from "preact/hooks";
import { blobOf, get } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Empty, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { ChartCard } from "../widgets/ChartCard";
import { saveBlob } from "../widgets/csv";
import { KpiCard } from "../widgets/KpiCard";
import { Rows } from "../widgets/Rows";

const BY = ["day", "tool", "agent", "user", "model", "caller", "key"] as const;
type By = (typeof BY)[number];

const SUMS = ["calls", "failures", "refusals", "cost_usd", "input_tokens", "output_tokens", "cache_hits", "saved_tokens"] as const;
const TIMES = ["p50_ms", "p95_ms", "p99_ms"] as const;

type Used = Wire["UsageOut"];

const MOST_BARS = 40;

/** What was called, how often, how fast, and what it cost: by day, tool, agent, person, model, caller or key. */
export function UsagePage() {
  const { t } = useSpeech();
  useTitle(t("admin.usage"));
  const [by, setBy] = useState<By>("day");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const query = { by, from, to };
  const loaded = useLoad((signal) => get<Used>("/admin/usage", { query, signal }), [by, from, to]);
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
      <Await of={loaded}>{(used) => <Shown by={by} used={used} />}</Await>
    </Page>
  );
}

function Shown({ by, used: { rows, total } }: { by: By; used: Used }) {
  const { t, duration } = useSpeech();
  if (!rows.length) {
    return (
      <Empty icon="chart" title={t("usage.none")}>
        {t("usage.none_words")}
      </Empty>
    );
  }
  const shown = rows.slice(0, MOST_BARS);
  const chart = (field: "calls" | "cost_usd") => ({
    tipo: "bar",
    labels: shown.map((row) => row.label),
    datasets: [{ label: t(`usage.${field}`), data: shown.map((row) => row[field]) }],
  });
  return (
    <div class="usage">
      <div class="cards">
        {SUMS.map((field) => (
          <KpiCard key={field} title={t(`usage.${field}`)} data={{ valor: Math.round(total[field] * 1e4) / 1e4, ...(field === "cost_usd" ? { unidade: "USD" } : {}) }} />
        ))}
        {TIMES.map((field) => (
          <KpiCard key={field} title={t(`usage.${field}`)} data={{ valor: duration(total[field] ?? 0) }} />
        ))}
      </div>
      <div class="charts">
        <ChartCard title={t("usage.calls")} data={chart("calls")} />
        <ChartCard title={t("usage.cost_usd")} data={chart("cost_usd")} />
      </div>
      <section class="panel">
        <Rows
          label={t("admin.usage")}
          columns={[t(`usage.by_${by}`), ...SUMS.map((field) => t(`usage.${field}`)), ...TIMES.map((field) => t(`usage.${field}`))]}
          rows={rows.map((row) => [row.label, ...SUMS.map((field) => row[field] ?? 0), ...TIMES.map((field) => row[field] ?? null)])}
        />
      </section>
    </div>
  );
}
