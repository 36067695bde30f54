import { useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import type { Closer, Wire } from "../api/wire";
import { type Key, useSpeech } from "../i18n";
import en from "../i18n/en.json";
import type { JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { Await, Badge, Empty, Note, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { saveBlob } from "../widgets/csv";
import { Difference } from "./Difference";

export interface AuditEntry extends JsonObject {
  id: number;
  at: number;
  tool: string;
  person: string | null;
  state: string;
  category: string;
  /** What happened, in the reader's language. */
  sentence: string;
}

type Log = Closer<"AuditPage", { entries: AuditEntry[] }>;

const OUTCOMES = [
  "ok", "failed", "waiting", "rejected", "expired", "disabled", "forbidden", "tool_not_allowed", "invalid_tool_input", "budget_exceeded", "timeout", "unknown_tool", "unknown",
] as const;

const KINDS = [
  "call", "administration", "sign_in", "people", "rules", "settings", "secrets", "keys", "agents", "tools", "connections", "experiments", "shares", "packs", "studies", "schedules",
] as const;

/** Every call and every change of administration, one line each, in a chain that shows if it was changed. */
export function AuditPage() {
  const { t, date } = useSpeech();
  useTitle(t("admin.audit"));
  const users = useLoad((signal) => api.get("/admin/users", { signal }), []);
  const tools = useLoad((signal) => api.get("/admin/tools", { signal }), []);
  const [category, setCategory] = useState<(typeof KINDS)[number] | "">("");
  const [tool, setTool] = useState("");
  const [user, setUser] = useState("");
  const [outcome, setOutcome] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [before, setBefore] = useState<number | null>(null);
  const log = useLoad((signal) => api.get("/admin/audit", { query: { category, tool, user, outcome, since: midnight(from), until: midnight(to, 1), before, limit: 50 }, signal }) as Promise<Log>, [category, tool, user, outcome, from, to, before]);
  const [verified, setVerified] = useState<Wire["VerdictOut"] | null>(null);
  const [verify, verifying, verifyProblem] = useAction(async () => setVerified(await api.get("/admin/audit/verify")));
  const [save, saving, saveProblem] = useAction(async () => saveBlob(await blobOf("get", "/admin/audit/export"), "audit.jsonl"));
  const said = (verdict: Wire["VerdictOut"]) => {
    if (verdict.ok) return t("audit.whole", { n: verdict.checked });
    return verdict.first_bad === null ? t("audit.broken_heads", { what: verdict.what ?? "" }) : t("audit.broken", { n: verdict.first_bad });
  };
  const reset = <T,>(change: (value: T) => void) => (value: T) => {
    setBefore(null);
    change(value);
  };
  return (
    <Page
      wide
      title={t("admin.audit")}
      lead={t("audit.lead")}
      actions={
        <>
          <Button icon="shield" busy={verifying} onClick={() => void verify()}>
            {t("audit.verify")}
          </Button>
          <Button icon="download" busy={saving} onClick={() => void save()}>
            {t("audit.export")}
          </Button>
        </>
      }
    >
      <ErrorNote problem={verifyProblem ?? saveProblem} />
      {verified && (
        <div role="status">
          <Note kind={verified.ok ? "good" : "warn"}>{said(verified)}</Note>
        </div>
      )}
      <div class="form-grid filters">
        <SelectField label={t("audit.kind")} value={category} onPick={reset<typeof category>(setCategory)} options={[["", t("audit.any")], ...KINDS.map((one) => [one, t(`audit.kind.${one}`)] as const)]} />
        <SelectField label={t("audit.tool")} value={tool} onPick={reset(setTool)} options={[["", t("audit.any_tool")], ...(tools.data ?? []).map((one) => [one.name, one.name] as const)]} />
        <SelectField label={t("audit.person")} value={user} onPick={reset(setUser)} options={[["", t("audit.anyone")], ...(users.data ?? []).map((one) => [String(one.id), one.name || one.email] as const)]} />
        <SelectField label={t("audit.outcome")} value={outcome} onPick={reset(setOutcome)} options={[["", t("audit.any")], ...OUTCOMES.map((one) => [one, t(`outcome.${one}`)] as const)]} />
        <TextField type="date" label={t("audit.since")} value={from} onText={reset(setFrom)} />
        <TextField type="date" label={t("audit.until")} value={to} onText={reset(setTo)} />
      </div>
      <Await of={log}>
        {({ entries, next }) =>
          entries.length === 0 ? (
            <Empty icon="list" title={t("audit.none")}>
              {t("audit.none_words")}
            </Empty>
          ) : (
            <>
              {daysOf(entries).map(([day, lines]) => (
                <section key={day} class="audit-day">
                  <h2>{date(day)}</h2>
                  <ol class="audit">
                    {lines.map((entry) => (
                      <li key={entry.id}>
                        <AuditLine entry={entry} />
                      </li>
                    ))}
                  </ol>
                </section>
              ))}
              <nav class="pager" aria-label={t("widget.pages")}>
                {before !== null && (
                  <Button small onClick={() => setBefore(null)}>
                    {t("audit.newest")}
                  </Button>
                )}
                {next != null && (
                  <Button small icon="down" onClick={() => setBefore(next)}>
                    {t("audit.older")}
                  </Button>
                )}
              </nav>
            </>
          )
        }
      </Await>
    </Page>
  );
}

/** The first moment of a day where the reader is, or of the one so many days later; nothing where none was chosen. */
function midnight(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return year >= 1000 ? new Date(year, month - 1, date + later).toISOString() : "";
}

/** Lines under the day on which they happened, where the reader is; in the order they come. */
function daysOf(entries: AuditEntry[]): [day: number, lines: AuditEntry[]][] {
  const days: [number, AuditEntry[]][] = [];
  for (const entry of entries) {
    const day = new Date(entry.at * 1000).setHours(0, 0, 0, 0);
    const last = days.at(-1);
    if (last?.[0] === day) last[1].push(entry);
    else days.push([day, [entry]]);
  }
  return days;
}

function AuditLine({ entry }: { entry: AuditEntry }) {
  const { t, time, duration } = useSpeech();
  const [open, setOpen] = useState(false);
  const call = entry.category === "call";
  const outcome = String(entry["outcome"] ?? entry.state);
  const caller = entry["caller"] as JsonObject | null;
  const via = call ? String(caller?.["via"] ?? (caller?.["tool_id"] ? "code" : "")) || "model" : String(entry["via"] ?? "web");
  const words = (key: string, otherwise: string) => (key in en ? t(key as Key) : otherwise);
  const kind = outcome === "ok" ? "good" : outcome === "waiting" || outcome === "started" ? "warn" : "bad";
  return (
    <div class="audit-line">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="audit-when">{time(entry.at * 1000)}</span>
        <span class="audit-said" dir="auto">
          {entry.sentence}
        </span>
        {(call || outcome !== "ok") && <Badge kind={kind}>{words(`outcome.${outcome}`, outcome)}</Badge>}
        <Badge>{call ? words(`via.${via}`, via) : words(`audit.kind.${entry.category}`, entry.category)}</Badge>
        {!call && via !== "web" && <Badge>{words(`audit.via_${via}`, via)}</Badge>}
        {typeof entry["duration_ms"] === "number" && <span class="call-time">{duration(entry["duration_ms"])}</span>}
      </button>
      {open && (
        <div class="call-detail">
          <Difference before={entry["before"]} after={entry["after"]} />
          <JsonView value={entry} label={t("audit.whole_line")} />
        </div>
      )}
    </div>
  );
}
