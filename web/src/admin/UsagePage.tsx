import { useMemo, useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Empty, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { ChartCard } from "../widgets/ChartCard";
import { saveBlob } from "../widgets/csv";
import { KpiCard } from "../widgets/KpiCard";
import { Rows } from "../widgets/Rows";
import { before, change, type Days, each, lastDays, type Period, PERIODS } from "./period";

const BY = ["day", "tool", "agent", "user", "model", "caller", "key"] as const;
type By = (typeof BY)[number];

const LEADING = ["cost_usd", "questions", "failures"] as const;
const SUMS = ["cost_usd", "questions", "failures", "refusals", "calls", "input_tokens", "output_tokens", "cache_hits", "saved_tokens"] as const;
const TIMES = ["p50_ms", "p95_ms", "p99_ms"] as const;
/** What there is none of, for want of calls or of replies, is left out and not shown as nothing. */
const OF_CALLS = ["failures", "refusals", "calls", "cache_hits", "saved_tokens"];
const OF_REPLIES = ["cost_usd", "questions", "input_tokens", "output_tokens"];

type Used = Wire["UsageOut"];
type Row = Used["rows"][number];

const MOST_BARS = 40;
const LONGEST_BARS = 100;

/** What it costs, how much is asked and what fails, over time; then by day, tool, agent, person, model, caller or key. */
export function UsagePage() {
  const { t } = useSpeech();
  useTitle(t("admin.usage"));
  const [period, setPeriod] = useState<Period>("30");
  const [own, setOwn] = useState<Days>(() => lastDays(30, Date.now()));
  const [by, setBy] = useState<By>("day");
  const days = period === "own" ? own : lastDays(Number(period), Date.now());
  const known = each(days).length > 0;
  const asked = [days.from, days.to];
  const over = useLoad(async (signal) => {
    if (!known) return null;
    const [now, earlier] = await Promise.all([days, before(days)].map((one) => api.get("/admin/usage", { query: { by: "day", ...one }, signal })));
    return { now: now as Used, earlier: (earlier as Used).total, days };
  }, asked);
  const detail = useLoad(async (signal) => (known ? { by, used: await api.get("/admin/usage", { query: { by, ...days }, signal }) } : null), [...asked, by]);
  const [save, saving, problem] = useAction(async () => saveBlob(await blobOf("get", "/admin/usage", { query: { by, ...days, format: "csv" } }), `usage-${by}.csv`));
  return (
    <Page
      wide
      title={t("admin.usage")}
      lead={t("usage.lead")}
      actions={
        <Button icon="download" busy={saving} disabled={!known} onClick={() => void save()}>
          {t("widget.csv")}
        </Button>
      }
    >
      <div class="form-grid filters usage-period">
        <SelectField<Period> label={t("usage.period")} value={period} onPick={setPeriod} options={PERIODS.map((one) => [one, t(`usage.period_${one}`)] as const)} />
        {period === "own" && (
          <>
            <TextField type="date" label={t("usage.from")} value={own.from} onText={(from) => setOwn({ ...own, from })} />
            <TextField type="date" label={t("usage.to")} value={own.to} onText={(to) => setOwn({ ...own, to })} />
          </>
        )}
      </div>
      <ErrorNote problem={problem} />
      {!known && <p class="note">{t("usage.no_days")}</p>}
      <div class="usage">
        <Await of={over}>{(found) => found && <OverTime {...found} />}</Await>
        {over.data && over.data.now.rows.length > 0 && (
          <section class="panel">
            <div class="usage-by">
              <h2>{t("usage.details")}</h2>
              <SelectField<By> label={t("usage.by")} value={by} onPick={setBy} options={BY.map((one) => [one, t(`usage.by_${one}`)] as const)} />
            </div>
            <Await of={detail}>{(found) => found && <Details by={found.by} rows={found.used.rows} />}</Await>
          </section>
        )}
      </div>
    </Page>
  );
}

function OverTime({ now, earlier, days }: { now: Used; earlier: Row; days: Days }) {
  const { t, number, money } = useSpeech();
  const { daily, charts } = useMemo(() => {
    const found = new Map(now.rows.map((row) => [row.key, row]));
    const whole = each(days).map((one) => [one, found.get(one)] as const);
    const chart = (...fields: (keyof Row & `${"cost_usd" | "questions" | "failures" | "refusals"}`)[]): JsonObject => ({
      tipo: whole.length > LONGEST_BARS ? "line" : "bar",
      labels: whole.map(([one]) => one),
      datasets: fields.map((field) => ({ label: t(`usage.${field}`), data: whole.map(([, row]) => row?.[field] ?? 0), ...(whole.length > LONGEST_BARS ? { pointRadius: 1 } : {}) })),
      opcoes: { scales: { x: { stacked: fields.length > 1 }, y: { stacked: fields.length > 1, beginAtZero: true, ticks: fields[0] === "cost_usd" ? {} : { precision: 0 } } } },
    });
    return { daily: whole, charts: [["usage.cost_chart", chart("cost_usd")], ["usage.questions", chart("questions")], ["usage.failures_chart", chart("failures", "refusals")]] as const };
  }, [now, days, t]);
  const { total } = now;
  if (!now.rows.length) {
    return (
      <Empty icon="chart" title={t("usage.none")}>
        {t("usage.none_words")}
      </Empty>
    );
  }
  const card = (field: (typeof LEADING)[number]): JsonObject => {
    const changed = change(total[field] ?? 0, earlier[field] ?? 0);
    return {
      valor: field === "cost_usd" ? money(total.cost_usd ?? 0) : (total[field] ?? 0),
      serie: daily.map(([, row]) => row?.[field] ?? 0),
      ...(changed === null
        ? { variacao: t("usage.nothing_before") }
        : {
            trend: changed,
            variacao: t("usage.compared", { change: number(changed / 100, { style: "percent", signDisplay: "exceptZero" }) }),
          }),
      ...(field === "failures" ? { descricao: t("usage.of_calls", { calls: number(total.calls ?? 0), refusals: number(total.refusals ?? 0) }) } : {}),
    };
  };
  return (
    <>
      <h2 class="visually-hidden">{t("usage.over_time")}</h2>
      <div class="cards leading">
        {LEADING.map((field) => (
          <KpiCard key={field} title={t(field === "cost_usd" ? "usage.cost" : `usage.${field}`)} data={card(field)} />
        ))}
      </div>
      <div class="charts">
        {charts.map(([title, data]) => (
          <ChartCard key={title} title={t(title)} data={data} />
        ))}
      </div>
    </>
  );
}

function Details({ by, rows }: { by: By; rows: Row[] }) {
  const { t } = useSpeech();
  const bare: readonly string[] = by === "tool" || by === "caller" ? OF_REPLIES : by === "model" || by === "key" ? [...OF_CALLS, ...TIMES] : [];
  const sums = SUMS.filter((field) => !bare.includes(field));
  const times = TIMES.filter((field) => !bare.includes(field));
  const most = bare === OF_REPLIES ? "calls" : "cost_usd";
  const bars = useMemo(
    (): JsonObject => ({
      tipo: "bar",
      labels: rows.slice(0, MOST_BARS).map((row) => row.label || t("usage.nobody")),
      datasets: [{ label: t(`usage.${most}`), data: rows.slice(0, MOST_BARS).map((row) => row[most] ?? 0) }],
    }),
    [rows, most, t],
  );
  return (
    <>
      {by !== "day" && rows.length > 0 && <ChartCard title={t(`usage.${most}`)} data={bars} />}
      <Rows
        label={t("usage.details")}
        columns={[t(`usage.by_${by}`), ...[...sums, ...times].map((field) => t(`usage.${field}`))]}
        rows={(by === "day" ? rows.toReversed() : rows).map((row) => [
          row.label || t("usage.nobody"),
          ...sums.map((field) => row[field] ?? 0),
          ...times.map((field) => row[field] ?? null),
        ])}
      />
    </>
  );
}
