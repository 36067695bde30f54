import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { useLoad } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, SelectField } from "../ui/parts";
import { DataTable } from "./DataTable";

/** May this person call this tool now, and why (not): the gate's own answer. */
export function ToolAccess({ name }: { name: string }) {
  const { t } = useSpeech();
  const users = useLoad((signal) => api.get("/admin/users", { signal }), []);
  const [user, setUser] = useState("");
  return (
    <section class="panel">
      <h2>{t("access.title")}</h2>
      <Await of={users}>
        {(list) => (
          <>
            <SelectField label={t("access.person")} value={user} onPick={setUser} options={[["", t("access.choose")], ...list.map((one) => [String(one.id), `${one.name} (${one.email})`] as const)]} />
            {user && <Answer name={name} user={user} />}
          </>
        )}
      </Await>
    </section>
  );
}

function Answer({ name, user }: { name: string; user: string }) {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => api.get("/admin/tools/{name}/access", { path: { name }, query: { user }, signal }), [name, user]);
  return (
    <Await of={loaded}>
      {(access) => {
        const fields = [...new Set(access.levels.flatMap((level) => Object.keys(level)))].filter((field) => field !== "level");
        return (
          <div class="access">
            <p class="badges" aria-live="polite">
              <Badge kind={access.allowed ? "good" : "bad"}>
                <Icon name={access.allowed ? "check" : "close"} size={14} /> {t(access.allowed ? (access.asks ? "access.asks" : "access.yes") : "access.no")}
              </Badge>
              <span>{access.reason}</span>
            </p>
            {access.levels.length > 0 && (
              <DataTable
                label={t("access.levels")}
                rows={access.levels}
                keyOf={(level) => String(level["level"])}
                columns={[
                  { label: t("access.level"), name: true, show: (level) => String(level["level"]) },
                  ...fields.map((field) => ({ label: field, show: (level: (typeof access.levels)[number]) => shown(level[field]) })),
                ]}
              />
            )}
          </div>
        );
      }}
    </Await>
  );
}

function shown(value: Json | undefined): string {
  if (value === null || value === undefined) return "—";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
