import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { type Role, ROLES } from "../state/person";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Badge, SelectField } from "../ui/parts";
import { DataTable } from "./DataTable";
import { ruleOf } from "./confirmation";

type Scope = "organisation" | "role" | "agent" | "user";

type Setting = Wire["ToolSetting"];

/** What narrower levels say of the tool. Each may only restrict what a wider one allows. */
export function ToolLevels({ name }: { name: string }) {
  const { t } = useSpeech();
  const loaded = useLoad(
    async (signal) => {
      const [settings, agents, users] = await Promise.all([
        api.get("/admin/tools/{name}/settings", { path: { name }, signal }),
        api.get("/admin/agents", { signal }),
        api.get("/admin/users", { signal }),
      ]);
      return { settings: settings.filter((one) => one.scope !== "global"), agents, users };
    },
    [name],
  );
  const [scope, setScope] = useState<Scope>("organisation");
  const [subject, setSubject] = useState("");
  const [says, setSays] = useState<"off" | "ask" | Role>("off");
  const [save, busy, problem] = useAction(async (where: { scope: Scope; subject: string }, body: Wire["ToolChoices"]) => {
    await api.patch("/admin/tools/{name}/settings", { path: { name }, query: where, body });
    loaded.reload();
  });
  const choices = { off: { is_enabled: false }, ask: { confirmation: "always" } } as const;
  const silence = { is_enabled: null, permission_level: null, confirmation: null, allowed_callers: null, cache_seconds: null, budget: null };
  return (
    <section class="panel">
      <h2>{t("levels.title")}</h2>
      <p class="hint">{t("levels.words")}</p>
      <Await of={loaded}>
        {({ settings, agents, users }) => {
          const subjects: Record<Scope, (readonly [string, string])[]> = {
            organisation: [],
            role: ROLES.map((role) => [role, t(`role.${role}`)] as const),
            agent: agents.map((agent) => [String(agent.id), agent.name] as const),
            user: users.map((user) => [String(user.id), user.name || user.email] as const),
          };
          const nameOf = (one: Setting) => subjects[one.scope as Scope].find(([key]) => key === one.subject)?.[1] ?? one.subject;
          const chosen = scope === "organisation" ? "" : subject || (subjects[scope][0]?.[0] ?? "");
          return (
            <div class="stack">
              {settings.length > 0 && (
                <DataTable
                  label={t("levels.title")}
                  rows={settings}
                  keyOf={(one) => `${one.scope}-${one.subject}`}
                  columns={[
                    { label: t("access.level"), name: true, show: (one) => `${t(`levels.${one.scope as Scope}`)} ${nameOf(one)}` },
                    { label: t("tools.enabled"), show: (one) => (one.is_enabled === false ? <Badge kind="bad">{t("ui.no")}</Badge> : "—") },
                    { label: t("tools.level"), show: (one) => (one.permission_level ? t(`role.${one.permission_level}`) : "—") },
                    { label: t("tools.confirmation"), show: (one) => (one.confirmation === null ? "—" : t(`tools.asks_${ruleOf(one.confirmation).asks}`)) },
                    {
                      label: t("levels.remove"),
                      show: (one) => (
                        <Button small onClick={() => void save({ scope: one.scope as Scope, subject: one.subject }, silence)}>
                          {t("levels.remove")}
                        </Button>
                      ),
                    },
                  ]}
                />
              )}
              <form
                class="row-form"
                onSubmit={(event) => {
                  event.preventDefault();
                  const body = says === "off" || says === "ask" ? choices[says] : { permission_level: says };
                  void save({ scope, subject: chosen }, body);
                }}
              >
                <SelectField<Scope> label={t("access.level")} value={scope} options={(["organisation", "role", "agent", "user"] as const).map((one) => [one, t(`levels.${one}`)] as const)} onPick={setScope} />
                {scope !== "organisation" && <SelectField label={t("levels.whose")} value={chosen} options={subjects[scope]} onPick={setSubject} />}
                <SelectField<"off" | "ask" | Role>
                  label={t("levels.says")}
                  value={says}
                  options={[["off", t("levels.off")], ["ask", t("levels.ask")], ...ROLES.slice(1).map((role) => [role, t("levels.needs", { role: t(`role.${role}`) })] as const)]}
                  onPick={setSays}
                />
                <Button type="submit" busy={busy}>
                  {t("levels.add")}
                </Button>
              </form>
              <ErrorNote problem={problem} />
            </div>
          );
        }}
      </Await>
    </section>
  );
}
