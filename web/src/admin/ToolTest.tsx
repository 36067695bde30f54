import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { useLoad } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { SelectField } from "../ui/parts";
import { ToolTry } from "../ui/ToolTry";
import type { AdminTool } from "./types";

/** Call the tool as anybody, through the same gate as everybody, and see the audit row it made. */
export function ToolTest({ tool }: { tool: AdminTool }) {
  const { t } = useSpeech();
  const users = useLoad((signal) => api.get("/admin/users", { signal }), []);
  const [user, setUser] = useState("");
  const [row, setRow] = useState<JsonObject | null>(null);
  const call = async (input: Json) => {
    setRow(null);
    const ran = await api.post("/admin/tools/{name}/run", { path: { name: tool.name }, body: { input, ...(user ? { user: Number(user) } : {}) } });
    const log = await api.get("/admin/audit", { query: { tool: tool.name, limit: 20 } });
    setRow(log.entries.find((entry) => entry["id"] === ran.audit_id) ?? null);
    return ran;
  };
  const line = row && (
    <>
      <h3>{t("test.audit")}</h3>
      <JsonView value={row} label={t("test.audit")} />
    </>
  );
  return (
    <section class="panel">
      <h2>{t("test.title")}</h2>
      <ToolTry schema={tool.input_schema} effect={tool.effect} call={call} beside={line || undefined}>
        <SelectField label={t("test.as")} value={user} onPick={setUser} options={[["", t("test.yourself")], ...(users.data ?? []).map((one) => [String(one.id), `${one.name} (${one.email})`] as const)]} />
      </ToolTry>
    </section>
  );
}
