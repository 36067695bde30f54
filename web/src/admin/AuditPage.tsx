import { useState } from "preact/hooks";
import { blobOf, get } from "../api/client";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useSettled, useTitle } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { Await, Badge, Empty, Note, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { saveBlob } from "../widgets/csv";
import type { AdminTool, User } from "./types";

export interface AuditEntry extends JsonObject {
  tool: string;
  outcome: string;
}

interface Log {
  entries: AuditEntry[];
  next?: number | null;
}

const OUTCOMES = ["ok", "error", "refused", "waiting", "unknown"] as const;

/** Every call that was made or refused, one line each, in a chain that shows if it was changed. */
export function AuditPage() {
  const { t } = useSpeech();
  useTitle(t("admin.audit"));
  const users = useLoad((signal) => get<User[]>("/admin/users", { signal }), []);
  const tools = useLoad((signal) => get<AdminTool[]>("/admin/tools", { signal }), []);
  const [tool, setTool] = useState("");
  const [user, setUser] = useState("");
  const [outcome, setOutcome] = useState("");
  const [before, setBefore] = useState<number | null>(null);
  const wanted = useSettled(tool);
  const log = useLoad((signal) => get<Log>("/admin/audit", { query: { tool: wanted, user, outcome, before, limit: 50 }, signal }), [wanted, user, outcome, before]);
  const [verified, setVerified] = useState<{ ok: boolean; checked: number; first_bad?: number | null } | null>(null);
  const [verify, verifying, verifyProblem] = useAction(async () => setVerified(await get("/admin/audit/verify")));
  const [save, saving, saveProblem] = useAction(async () => saveBlob(await blobOf("/admin/audit/export"), "audit.jsonl"));
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
          <Note kind={verified.ok ? "good" : "warn"}>{verified.ok ? t("audit.whole", { n: verified.checked }) : t("audit.broken", { n: verified.first_bad ?? "?" })}</Note>
        </div>
      )}
      <div class="form-grid filters">
        <TextField label={t("audit.tool")} value={tool} onText={reset(setTool)} placeholder={tools.data?.[0]?.name ?? ""} />
        <SelectField label={t("audit.person")} value={user} onPick={reset(setUser)} options={[["", t("audit.anyone")], ...(users.data ?? []).map((one) => [String(one.id), one.name || one.email] as const)]} />
        <SelectField label={t("audit.outcome")} value={outcome} onPick={reset(setOutcome)} options={[["", t("audit.any")], ...OUTCOMES.map((one) => [one, t(`outcome.${one}`)] as const)]} />
      </div>
      <Await of={log}>
        {({ entries, next }) =>
          entries.length === 0 ? (
            <Empty icon="list" title={t("audit.none")}>
              {t("audit.none_words")}
            </Empty>
          ) : (
            <>
              <ol class="audit">
                {entries.map((entry, index) => (
                  <li key={index}>
                    <AuditLine entry={entry} />
                  </li>
                ))}
              </ol>
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

function AuditLine({ entry }: { entry: AuditEntry }) {
  const { t, moment, duration } = useSpeech();
  const [open, setOpen] = useState(false);
  const at = entry["started_at"] ?? entry["at"];
  const who = entry["person"];
  const name = who && typeof who === "object" && !Array.isArray(who) ? String(who["name"] ?? who["email"] ?? who["id"]) : who != null ? String(who) : String(entry["person_id"] ?? "");
  const caller = entry["caller"];
  const via = caller && typeof caller === "object" && !Array.isArray(caller) ? String(caller["via"] ?? caller["type"] ?? "") : "";
  const good = entry.outcome === "ok" || entry.outcome === "done";
  return (
    <div class="audit-line">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="audit-when">{at != null ? moment(at as string) : ""}</span>
        <code class="call-name">{entry.tool}</code>
        <Badge kind={good ? "good" : "bad"}>{entry.outcome}</Badge>
        {via && <Badge>{via}</Badge>}
        <span class="audit-who">{name}</span>
        {typeof entry["duration_ms"] === "number" && <span class="call-time">{duration(entry["duration_ms"])}</span>}
      </button>
      {open && (
        <div class="call-detail">
          <JsonView value={entry} label={t("test.audit")} />
        </div>
      )}
    </div>
  );
}
