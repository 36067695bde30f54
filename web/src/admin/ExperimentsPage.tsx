import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";
import { NewExperiment } from "./NewExperiment";

type Experiment = Wire["ExperimentOut"];
type Outcome = Wire["ExperimentResult"];
type Result = Outcome["results"][number];
type Verdict = Outcome["comparisons"][number]["verdict"];

const MEASURES = ["thumbs_up", "turns", "cost_usd", "latency_s", "errors"] as const satisfies readonly Outcome["comparisons"][number]["measure"][];

/** Two ways an agent may be, side by side, and only what the numbers allow to be said. */
export function ExperimentsPage() {
  const { t } = useSpeech();
  useTitle(t("admin.experiments"));
  const loaded = useLoad((signal) => api.get("/admin/experiments", { signal }), []);
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={t("admin.experiments")}
      lead={t("experiments.lead")}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t("experiments.add")}
        </Button>
      }
    >
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="flask" title={t("experiments.none")}>
              {t("experiments.none_words")}
            </Empty>
          ) : (
            <div class="stack">
              {list.map((one) => (
                <Shown key={one.id} experiment={one} onChange={loaded.reload} />
              ))}
            </div>
          )
        }
      </Await>
      {adding && (
        <NewExperiment
          onClose={() => setAdding(false)}
          onMade={() => {
            setAdding(false);
            loaded.reload();
          }}
        />
      )}
    </Page>
  );
}

function Shown({ experiment, onChange }: { experiment: Experiment; onChange(): void }) {
  const { t, date } = useSpeech();
  const [open, setOpen] = useState(false);
  const [removing, setRemoving] = useState(false);
  const at = { path: { id: experiment.id } };
  const [end, ending, problem] = useAction(async () => {
    await api.patch("/admin/experiments/{id}", { ...at, body: { is_running: false } });
    onChange();
  });
  return (
    <section class="panel">
      <header class="page-head">
        <div>
          <h2>{experiment.name}</h2>
          <p class="hint">
            {experiment.agent.name} · {experiment.variants.map((variant) => String(variant["name"])).join(" / ")} · {date(experiment.created_at)}
          </p>
        </div>
        <div class="page-actions">
          <Badge {...(experiment.is_running ? { kind: "good" as const } : {})}>{t(experiment.is_running ? "experiments.running" : "experiments.ended")}</Badge>
          {experiment.is_running && (
            <Button small busy={ending} onClick={() => void end()}>
              {t("experiments.end")}
            </Button>
          )}
          <Button small onClick={() => setOpen(!open)} aria-expanded={open}>
            {t("experiments.outcome")}
          </Button>
          <Button small kind="danger" onClick={() => setRemoving(true)}>
            {t("ui.delete")}
          </Button>
        </div>
      </header>
      <ErrorNote problem={problem} />
      {open && <Results id={experiment.id} />}
      {removing && (
        <Confirm
          title={t("ui.delete")}
          action={t("ui.delete")}
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.delete("/admin/experiments/{id}", at);
            onChange();
          }}
        >
          <p>{t("experiments.delete_words", { name: experiment.name })}</p>
        </Confirm>
      )}
    </section>
  );
}

const VERDICTS: Record<Verdict, "good" | "bad" | "warn" | undefined> = {
  not_enough_data: "warn",
  no_difference: undefined,
  better: "good",
  worse: "bad",
  different: "warn",
};

function Results({ id }: { id: number }) {
  const { t, number } = useSpeech();
  const loaded = useLoad((signal) => api.get("/admin/experiments/{id}", { path: { id }, signal }), [id]);
  const figure = (value: number | null) => (value === null ? "—" : number(value, { maximumFractionDigits: 3 }));
  const interval = (one: { low: number | null; high: number | null } | undefined) => (!one || one.low === null ? "" : ` (${figure(one.low)} – ${figure(one.high)})`);
  return (
    <Await of={loaded}>
      {(outcome) => (
        <div class="stack">
          <DataTable
            label={t("experiments.outcome")}
            rows={outcome.results}
            keyOf={(row) => row.variant}
            columns={[
              { label: t("experiments.variant"), name: true, show: (row) => <strong>{row.variant}</strong> },
              { label: t("list.title"), number: true, show: (row) => number(row.conversations) },
              ...MEASURES.map((measure) => ({
                label: t(`measure.${measure}`),
                number: true,
                show: (row: Result) => `${figure(row.measures[measure]?.mean ?? null)}${interval(row.measures[measure])}`,
              })),
            ]}
          />
          <DataTable
            label={t("experiments.comparison")}
            rows={outcome.comparisons}
            keyOf={(row) => `${row.variant}-${row.measure}`}
            columns={[
              { label: t("experiments.variant"), name: true, show: (row) => row.variant },
              { label: t("experiments.measure"), show: (row) => t(`measure.${row.measure}`) },
              { label: t("experiments.difference"), number: true, show: (row) => `${figure(row.difference)}${interval(row)}` },
              {
                label: t("experiments.verdict"),
                show: (row) => {
                  const kind = VERDICTS[row.verdict];
                  return <Badge {...(kind ? { kind } : {})}>{t(`verdict.${row.verdict}`, { n: row.needed })}</Badge>;
                },
              },
            ]}
          />
          <p class="hint">{t("experiments.honest")}</p>
        </div>
      )}
    </Await>
  );
}
