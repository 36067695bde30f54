import { get } from "../api/client";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Note } from "../ui/parts";
import { Page } from "../ui/Page";

/** What `bancada doctor` says: what is in use, and what is missing. */
export function SystemPage() {
  const { t } = useSpeech();
  useTitle(t("admin.system"));
  const loaded = useLoad((signal) => get<JsonObject>("/system", { signal }), []);
  return (
    <Page title={t("admin.system")} lead={t("system.lead")}>
      <Await of={loaded}>
        {(report) => (
          <>
            {missing(report).map((words) => (
              <Note key={words} kind="warn">
                {words}
              </Note>
            ))}
            {Object.entries(report)
              .filter(([name]) => name !== "missing")
              .map(([name, value]) => (
                <Section key={name} name={name} value={value} />
              ))}
          </>
        )}
      </Await>
    </Page>
  );
}

function missing(report: JsonObject): string[] {
  return Array.isArray(report["missing"]) ? report["missing"].map(String) : [];
}

function Section({ name, value }: { name: string; value: Json }) {
  const simple = value === null || typeof value !== "object";
  return (
    <section class="panel compact">
      <h2>{name}</h2>
      {simple ? (
        <p>{String(value ?? "—")}</p>
      ) : (
        <dl class="pairs">
          {Object.entries(value).map(([key, one]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{one !== null && typeof one === "object" ? JSON.stringify(one) : String(one ?? "—")}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
