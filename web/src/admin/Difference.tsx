import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";

/** What a change of administration changed: each field from what to what. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
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
