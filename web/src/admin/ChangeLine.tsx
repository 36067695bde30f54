import { useState } from "preact/hooks";
import { useSpeech, type Key } from "../i18n";
import type { JsonObject } from "../state/events";
import { JsonView } from "../ui/JsonView";
import { Badge } from "../ui/parts";
import type { AuditEntry } from "./AuditPage";

/** One change of administration: who, what, and from what to what. */
export function ChangeLine({ entry }: { entry: AuditEntry }) {
  const { t, moment } = useSpeech();
  const [open, setOpen] = useState(false);
  const via = String(entry["via"] ?? "web");
  const failed = entry["outcome"] === "failed";
  const about = String(entry["about"] ?? "");
  return (
    <div class="audit-line">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="audit-when">{moment(entry.at * 1000)}</span>
        <strong>{t(`audit.did.${String(entry["action"])}` as Key)}</strong>
        {about && <span class="audit-about">{about}</span>}
        <Badge {...(failed ? { kind: "bad" as const } : {})}>{t(`audit.kind.${entry.category}` as Key)}</Badge>
        {via !== "web" && <Badge>{t(`audit.via_${via}` as Key)}</Badge>}
        <span class="audit-who">{entry.person ?? (via === "start" ? "" : t("audit.nobody"))}</span>
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

function Difference({ before, after }: { before: unknown; after: unknown }) {
  const { t } = useSpeech();
  const old = (before ?? {}) as JsonObject;
  const now = (after ?? {}) as JsonObject;
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  if (fields.length === 0) return null;
  return (
    <div class="audit-difference">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("audit.field")}</th>
            <th scope="col">{t("audit.before")}</th>
            <th scope="col">{t("audit.after")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">
                <code>{field}</code>
              </th>
              <td>{shown(old[field])}</td>
              <td>{shown(now[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}
