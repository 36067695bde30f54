import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech, type Speech } from "../i18n";
import { go, href } from "../state/route";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, Menu } from "../ui/parts";
import { ScheduleForm } from "./ScheduleForm";
import { type Run, RunBadge, type Schedule } from "./SchedulesPage";
import { inWords, momentIn } from "./timing";

const LOOK_MS = 2000;

/** One schedule: when it comes, what it looks for, and how it went each time. */
export function SchedulePage({ id }: { id: string }) {
  const loaded = useLoad((signal) => api.get("/schedules/{id}", { path: { id }, signal }), [id]);
  const runs = useLoad((signal) => api.get("/schedules/{id}/runs", { path: { id }, signal }), [id]);
  const running = runs.data?.some((run) => run.status === "running") ?? false;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(runs.reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [running, runs.reload]);
  return (
    <div class="page scroll">
      <Await of={loaded}>{(schedule) => <Shown schedule={schedule} runs={runs.data} reload={() => { loaded.reload(); runs.reload(); }} onChange={loaded.set} />}</Await>
    </div>
  );
}

function Shown({ schedule, runs, reload, onChange }: { schedule: Schedule; runs: Run[] | null; reload(): void; onChange(next: Schedule): void }) {
  const speech = useSpeech();
  const { t, language } = speech;
  useTitle(schedule.title);
  const which = { path: { id: schedule.id } };
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [start, starting, startProblem] = useAction(async () => {
    await api.post("/schedules/{id}/run", which);
    reload();
  });
  const [pause, pausing, pauseProblem] = useAction(async () => {
    onChange(await api.patch("/schedules/{id}", { ...which, body: { paused: !schedule.paused } }));
  });
  return (
    <>
      <header class="page-head">
        <div>
          <a class="back" href={href("schedules")}>
            <Icon name="left" size={16} /> {t("nav.schedules")}
          </a>
          <h1>{schedule.title}</h1>
          <p class="hint">
            {inWords(schedule.cron, speech)} · {schedule.time_zone}
          </p>
        </div>
        <div class="page-actions">
          <Button kind="primary" icon="right" busy={starting} onClick={() => void start()}>
            {t("schedules.run_now")}
          </Button>
          <Button icon={schedule.paused ? "right" : "stop"} busy={pausing} onClick={() => void pause()}>
            {t(schedule.paused ? "schedules.resume" : "schedules.pause")}
          </Button>
          <Menu
            label={t("schedules.actions")}
            items={[
              { label: t("schedules.edit"), icon: "edit", onPick: () => setEditing(true) },
              { label: t("schedules.delete"), icon: "trash", danger: true, onPick: () => setDeleting(true) },
            ]}
          />
        </div>
      </header>
      <ErrorNote problem={startProblem ?? pauseProblem} />
      <section class="panel">
        <dl class="schedule-facts">
          <dt>{t("schedules.does")}</dt>
          <dd>
            <Does does={schedule.does} />
          </dd>
          <dt>{t("schedules.next_time")}</dt>
          <dd>{schedule.paused ? <Badge kind="warn">{t("schedules.paused")}</Badge> : schedule.next_at ? momentIn(schedule.next_at, schedule.time_zone, language) : "—"}</dd>
          <dt>{t("schedules.alarms")}</dt>
          <dd>{schedule.alarms.length === 0 ? t("schedules.only_failures") : schedule.alarms.map((one, at) => <p key={at}>{alarmWords(one, speech)}</p>)}</dd>
          {schedule.proposal && (
            <>
              <dt>{t("schedules.proposes")}</dt>
              <dd>
                <code>{String(schedule.proposal["tool"])}</code>
              </dd>
            </>
          )}
        </dl>
      </section>
      <section class="panel">
        <h2>{t("schedules.history")}</h2>
        {runs !== null && runs.length === 0 && <p class="hint">{t("schedules.no_runs")}</p>}
        <ul class="runs">
          {(runs ?? []).map((run) => (
            <li key={run.id}>
              <RunRow run={run} zone={schedule.time_zone} />
            </li>
          ))}
        </ul>
      </section>
      {editing && (
        <ScheduleForm
          schedule={schedule}
          dashboard={null}
          onClose={() => setEditing(false)}
          onDone={(next) => {
            onChange(next);
            setEditing(false);
          }}
        />
      )}
      {deleting && (
        <Confirm
          title={t("schedules.delete")}
          action={t("schedules.delete")}
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.delete("/schedules/{id}", which);
            go("schedules");
          }}
        >
          <p>{t("schedules.delete_words", { title: schedule.title })}</p>
        </Confirm>
      )}
    </>
  );
}

function Does({ does }: { does: Schedule["does"] }) {
  const { t } = useSpeech();
  switch (does["kind"]) {
    case "dashboard":
      return <a href={href("dashboards", String(does["dashboard_id"]))}>{t("schedules.does_dashboard")}</a>;
    case "study":
      return <>{t("schedules.does_study")}</>;
    default:
      return (
        <>
          {t("schedules.does_question")}: <q>{String(does["content"])}</q>
        </>
      );
  }
}

function alarmWords(alarm: Schedule["alarms"][number], { t, number }: Speech): string {
  if (alarm["kind"] === "threshold") return t("schedules.alarm_threshold", { op: String(alarm["op"]), value: number(Number(alarm["value"]), { maximumFractionDigits: 12 }) });
  const rules = alarm["rules"] as number[] | null | undefined;
  return rules?.length ? t("schedules.alarm_rules", { rules: rules.join(", ") }) : t("schedules.alarm_rule");
}

function RunRow({ run, zone }: { run: Run; zone: string }) {
  const { t, language } = useSpeech();
  return (
    <div class="run">
      <p>
        <RunBadge run={run} /> <strong>{momentIn(run.started_at, zone, language)}</strong> <span class="hint">{t(`schedules.reason_${run.reason}`)}</span>
      </p>
      {run.says.map((one, at) => (
        <p key={at} class="hint">
          {one}
        </p>
      ))}
      {run.found.length > 0 && (
        <ul class="found">
          {run.found.map((one, at) => (
            <li key={at}>
              {one.says} {one.new && <Badge kind="accent">{t("schedules.new_finding")}</Badge>}
            </li>
          ))}
        </ul>
      )}
      {run.confirmation_id && (
        <p>
          <a href={href("confirmations", run.confirmation_id)}>{t("schedules.see_proposal")}</a>
        </p>
      )}
      {run.conversation_id && (
        <p>
          <a href={href("c", run.conversation_id)}>{t("schedules.see_conversation")}</a>
        </p>
      )}
    </div>
  );
}
