import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";

interface Change {
  name: string;
  before: string;
  after: string;
}

/** The arguments that are not what they were, by name. */
export function changesOf(before: Json, after: Json): Change[] {
  const from = fields(before);
  const to = fields(after);
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.map((name) => ({ name, before: shown(from[name]), after: shown(to[name]) })).filter((one) => one.before !== one.after);
}

function fields(value: Json): JsonObject {
  return value && typeof value === "object" && !Array.isArray(value) ? value : { "": value };
}

function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** What somebody changed before they approved: before, and after. */
export function Edits({ before, after }: { before: Json; after: Json }) {
  const { t } = useSpeech();
  return (
    <dl class="edits" aria-label={t("approval.edits")}>
      {changesOf(before, after).map((one) => (
        <div key={one.name}>
          <dt>{one.name}</dt>
          <dd>
            <del>
              <span class="visually-hidden">{t("approval.before")}: </span>
              {one.before || "—"}
            </del>{" "}
            <span aria-hidden="true">→</span>{" "}
            <ins>
              <span class="visually-hidden">{t("approval.after")}: </span>
              {one.after || "—"}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
