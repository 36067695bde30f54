import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { canRefresh, type Dashboard } from "../dashboards/dashboard";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { Button, IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useSettled } from "../ui/hooks";
import { AreaField, Await, Check, SelectField, TextField } from "../ui/parts";
import { startValue } from "../ui/schema";
import { SchemaForm } from "../ui/SchemaForm";
import type { Schedule } from "./SchedulesPage";
import { cronOf, momentIn, ownZone, type Rhythm, RHYTHMS, type Timing, timingOf, weekdayName } from "./timing";

type Kind = "dashboard" | "question" | "study";
type Op = ">" | ">=" | "<" | "<=";
interface Threshold {
  item: string;
  op: Op;
  value: string;
}
/** What a schedule can be made of: the person's dashboards, agents, studies and tools. */
interface Things {
  dashboards: Dashboard[];
  agents: Wire["AgentOut"][];
  studies: Wire["StudyOut"][];
  tools: Wire["ToolOut"][];
}

interface FormProps {
  schedule?: Schedule;
  dashboard: string | null;
  onClose(): void;
  onDone(schedule: Schedule): void;
}

export function ScheduleForm(props: FormProps) {
  const { t } = useSpeech();
  const loaded = useLoad<Things>(async (signal) => {
    const [dashboards, agents, studies, tools] = await Promise.all([
      api.get("/dashboards", { signal }),
      api.get("/agents", { signal }),
      api.get("/studies", { signal }),
      api.get("/tools", { signal }),
    ]);
    return { dashboards: dashboards.filter(canRefresh), agents, studies, tools };
  }, []);
  return (
    <Dialog title={t(props.schedule ? "schedules.edit" : "schedules.new")} wide onClose={props.onClose}>
      <Await of={loaded}>{(things) => <Fields {...props} things={things} />}</Await>
    </Dialog>
  );
}

const first = (all: readonly (readonly [string, string])[], wanted: unknown): string =>
  all.find(([id]) => id === String(wanted))?.[0] ?? all[0]?.[0] ?? "";

function Fields({ schedule, dashboard, things, onClose, onDone }: FormProps & { things: Things }) {
  const { t } = useSpeech();
  const does: JsonObject = (schedule?.does as JsonObject | undefined) ?? {};
  const boards = things.dashboards.map((one) => [one.id, one.titulo] as const);
  const agents = things.agents.map((one) => [String(one.id), one.name] as const);
  const studies = things.studies.map((one) => [one.id, one.name] as const);
  const [kind, setKind] = useState<Kind>((does["kind"] as Kind | undefined) ?? (boards.length > 0 ? "dashboard" : "question"));
  const [board, setBoard] = useState(first(boards, does["dashboard_id"] ?? dashboard));
  const [agent, setAgent] = useState(first(agents, does["agent_id"]));
  const [study, setStudy] = useState(first(studies, does["study_id"]));
  const [content, setContent] = useState(String(does["content"] ?? ""));
  const [title, setTitle] = useState(schedule?.title ?? "");
  const [timing, setTiming] = useState<Timing>(timingOf(schedule?.cron ?? "0 8 * * mon-fri"));
  const [zone, setZone] = useState(schedule?.time_zone ?? ownZone());
  const [catchUp, setCatchUp] = useState(schedule?.catch_up ?? true);
  const alarms = (schedule?.alarms ?? []) as JsonObject[];
  const rule = alarms.find((one) => one["kind"] === "rule");
  const [watchRules, setWatchRules] = useState(rule !== undefined || schedule === undefined);
  const [thresholds, setThresholds] = useState<Threshold[]>(
    alarms.filter((one) => one["kind"] === "threshold").map((one) => ({ item: String(one["item"]), op: one["op"] as Op, value: String(one["value"]) })),
  );
  const [tool, setTool] = useState(String(schedule?.proposal?.["tool"] ?? ""));
  const [input, setInput] = useState<Json>((schedule?.proposal?.["input"] as Json | undefined) ?? {});
  const [valid, setValid] = useState(true);

  const figures = (things.dashboards.find((one) => one.id === board)?.items ?? []).filter((item) => item.type === "kpi" && typeof item.data["valor"] === "number");
  const watches = kind !== "question";
  const used = kind === "dashboard" ? thresholds.filter((one) => figures.some((item) => item.id === one.item)) : [];
  const rules = kind === "question" || !watchRules ? [] : [(rule as Wire["RuleAlarm"] | undefined) ?? { kind: "rule" as const }];
  const found = [...rules, ...used.map((one) => ({ kind: "threshold" as const, item: one.item, op: one.op, value: Number(one.value.replace(",", ".")) }))];
  const chosen = things.tools.find((one) => one.name === tool);
  const named = { dashboard: boards.find(([id]) => id === board)?.[1], question: content.trim().slice(0, 80), study: studies.find(([id]) => id === study)?.[1] }[kind] ?? "";

  const [save, saving, problem] = useAction(async () => {
    const target = {
      dashboard: { kind: "dashboard" as const, dashboard_id: board },
      study: { kind: "study" as const, study_id: study },
      question: { kind: "question" as const, agent: Number(agent), content, conversation_id: (does["conversation_id"] as string | null | undefined) ?? null },
    }[kind];
    const body = {
      title: title.trim() || named || t("schedules.title"),
      does: target,
      cron: cronOf(timing),
      time_zone: zone,
      catch_up: catchUp,
      alarms: found,
      proposal: watches && found.length > 0 && tool ? { tool, input: input as JsonObject } : null,
    };
    onDone(schedule ? await api.patch("/schedules/{id}", { path: { id: schedule.id }, body }) : await api.post("/schedules", { body }));
  });

  const kinds = (["dashboard", "question", "study"] as const).filter((one) => one === kind || { dashboard: boards, question: agents, study: studies }[one].length > 0);
  return (
    <form
      class="schedule-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="form-grid">
        <SelectField<Kind> label={t("schedules.does")} value={kind} options={kinds.map((one) => [one, t(`schedules.does_${one}`)] as const)} onPick={setKind} />
        {kind === "dashboard" && <SelectField label={t("schedules.which_dashboard")} value={board} options={boards} onPick={setBoard} />}
        {kind === "study" && <SelectField label={t("schedules.which_study")} value={study} options={studies} onPick={setStudy} />}
        {kind === "question" && <SelectField label={t("schedules.which_agent")} value={agent} options={agents} onPick={setAgent} />}
      </div>
      {kind === "question" && <AreaField label={t("schedules.question")} value={content} onText={setContent} rows={3} required />}
      <TextField label={t("schedules.title")} value={title} onText={setTitle} placeholder={named} maxLength={120} />
      <When timing={timing} onTiming={setTiming} zone={zone} onZone={setZone} />
      <Check label={t("schedules.catch_up")} hint={t("schedules.catch_up_hint")} checked={catchUp} onChange={setCatchUp} />
      {watches && (
        <fieldset class="checks">
          <legend>{t("schedules.alarms")}</legend>
          <p class="hint">{t("schedules.alarms_hint")}</p>
          <Check label={t("schedules.alarm_rule")} checked={watchRules} onChange={setWatchRules} />
          {kind === "dashboard" && <Thresholds figures={figures.map((item) => [item.id, String(item.data["titulo"] ?? item.id)] as const)} value={used} onChange={setThresholds} />}
        </fieldset>
      )}
      {watches && found.length > 0 && (
        <fieldset class="checks">
          <legend>{t("schedules.proposes")}</legend>
          <SelectField
            label={t("schedules.tool")}
            hint={t("schedules.proposal_hint")}
            value={tool}
            options={[["", t("schedules.no_proposal")] as const, ...things.tools.map((one) => [one.name, one.name] as const)]}
            onPick={(name) => {
              setTool(name);
              const picked = things.tools.find((one) => one.name === name);
              setInput(picked ? startValue(picked.input_schema as JsonObject) : {});
            }}
          />
          {chosen && <SchemaForm key={tool} schema={chosen.input_schema as JsonObject} value={input} onChange={setInput} onValid={setValid} />}
        </fieldset>
      )}
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button onClick={onClose}>{t("ui.cancel")}</Button>
        <Button kind="primary" type="submit" busy={saving} disabled={!valid}>
          {t("schedules.save")}
        </Button>
      </div>
    </form>
  );
}

function When({ timing, onTiming, zone, onZone }: { timing: Timing; onTiming(next: Timing): void; zone: string; onZone(next: string): void }) {
  const { t, language } = useSpeech();
  const { rhythm } = timing;
  const set = (change: Partial<Timing>) => onTiming({ ...timing, ...change });
  const cron = useSettled(cronOf(timing));
  const place = useSettled(zone);
  const times = useLoad((signal) => api.get("/schedules/times", { query: { cron, time_zone: place }, signal }), [cron, place]);
  return (
    <fieldset class="when">
      <legend>{t("schedules.when")}</legend>
      <div class="form-grid">
        <SelectField<Rhythm>
          label={t("schedules.rhythm")}
          value={rhythm}
          options={RHYTHMS.map((one) => [one, t(`schedules.rhythm_${one}`)] as const)}
          onPick={(next) => set({ rhythm: next, ...(next === "cron" ? { cron: cronOf(timing) } : {}) })}
        />
        {rhythm === "hourly" && <TextField type="number" label={t("schedules.minute")} value={timing.minute} onText={(text) => set({ minute: Math.max(0, Math.min(59, Number(text) || 0)) })} />}
        {rhythm === "weekly" && <SelectField label={t("schedules.weekday")} value={String(timing.weekday)} options={[1, 2, 3, 4, 5, 6, 0].map((day) => [String(day), weekdayName(day, language)] as const)} onPick={(day) => set({ weekday: Number(day) })} />}
        {rhythm === "monthly" && <TextField type="number" label={t("schedules.day")} hint={t("schedules.day_hint")} value={timing.day} onText={(text) => set({ day: Math.max(1, Math.min(31, Number(text) || 1)) })} />}
        {rhythm !== "hourly" && rhythm !== "cron" && <TextField type="time" label={t("schedules.time")} value={timing.time} onText={(time) => time && set({ time })} required />}
        {rhythm === "cron" && <TextField label={t("schedules.cron")} hint={t("schedules.cron_hint")} value={timing.cron} onText={(text) => set({ cron: text })} required autocomplete="off" />}
        <TextField label={t("schedules.zone")} value={zone} onText={onZone} required autocomplete="off" />
      </div>
      <div class="next-times" aria-live="polite">
        {times.problem ? <ErrorNote problem={times.problem} /> : <p class="hint">{t("schedules.next_times", { times: (times.data?.times ?? []).slice(0, 3).map((one) => momentIn(one, place, language)).join(" · ") })}</p>}
      </div>
    </fieldset>
  );
}

const OPS: readonly (readonly [Op, string])[] = [
  [">", ">"],
  [">=", "≥"],
  ["<", "<"],
  ["<=", "≤"],
];

function Thresholds({ figures, value, onChange }: { figures: readonly (readonly [string, string])[]; value: Threshold[]; onChange(next: Threshold[]): void }) {
  const { t } = useSpeech();
  if (figures.length === 0) return <p class="hint">{t("schedules.no_figures")}</p>;
  const change = (at: number, next: Partial<Threshold>) => onChange(value.map((one, n) => (n === at ? { ...one, ...next } : one)));
  return (
    <>
      {value.map((one, at) => (
        <div class="threshold" key={at}>
          <SelectField label={t("schedules.figure")} value={one.item} options={figures} onPick={(item) => change(at, { item })} />
          <SelectField<Op> label={t("schedules.is")} value={one.op} options={OPS} onPick={(op) => change(at, { op })} />
          <TextField label={t("schedules.limit")} inputMode="decimal" value={one.value} onText={(text) => change(at, { value: text })} required />
          <IconButton icon="trash" label={t("schedules.remove_threshold")} onClick={() => onChange(value.filter((_, n) => n !== at))} />
        </div>
      ))}
      <Button small icon="plus" onClick={() => onChange([...value, { item: figures[0]?.[0] ?? "", op: ">", value: "" }])}>
        {t("schedules.add_threshold")}
      </Button>
    </>
  );
}
