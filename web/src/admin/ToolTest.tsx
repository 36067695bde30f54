import { useState } from "preact/hooks";
import { get, post } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { href } from "../state/route";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { Badge, Note, SelectField } from "../ui/parts";
import { startValue } from "../ui/schema";
import { SchemaForm } from "../ui/SchemaForm";
import type { AdminTool, User } from "./types";

type Tested = Wire["PanelResult"];

/** Call the tool as anybody, through the same gate as everybody, and see the audit row it made. */
export function ToolTest({ tool }: { tool: AdminTool }) {
  const { t, duration } = useSpeech();
  const users = useLoad((signal) => get<User[]>("/admin/users", { signal }), []);
  const [input, setInput] = useState<Json>(() => startValue(tool.input_schema));
  const [valid, setValid] = useState(true);
  const [user, setUser] = useState("");
  const [tested, setTested] = useState<Tested | null>(null);
  const [row, setRow] = useState<JsonObject | null>(null);
  const [run, busy, problem] = useAction(async () => {
    setTested(null);
    setRow(null);
    const answer = await post<Tested>(`/admin/tools/${encodeURIComponent(tool.name)}/run`, { input, ...(user ? { user: Number(user) } : {}) });
    setTested(answer);
    const log = await get<Wire["AuditPage"]>("/admin/audit", { query: { tool: tool.name, limit: 20 } });
    setRow(log.entries.find((entry) => entry["id"] === answer.audit_id) ?? null);
  });
  return (
    <section class="panel">
      <h2>{t("test.title")}</h2>
      <p class="hint">{t(tool.effect === "write" ? "test.words_write" : "test.words")}</p>
      <form
        class="test-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <SelectField label={t("test.as")} value={user} onPick={setUser} options={[["", t("test.yourself")], ...(users.data ?? []).map((one) => [String(one.id), `${one.name} (${one.email})`] as const)]} />
        <SchemaForm schema={tool.input_schema} value={input} onChange={setInput} onValid={setValid} />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button kind="primary" type="submit" icon="right" busy={busy} disabled={!valid}>
            {t("test.run")}
          </Button>
        </div>
      </form>
      {tested && (
        <div class="test-result" aria-live="polite">
          <p class="badges">
            <Badge kind={tested.confirmation_id ? "warn" : tested.is_error ? "bad" : "good"}>{t(tested.is_error ? "test.refused" : "test.ran")}</Badge>
            <span class="hint">{duration(tested.duration_ms)}</span>
          </p>
          {tested.confirmation_id ? (
            <Note kind="warn">
              {t("test.waits")} <a href={href("confirmations")}>{t("nav.confirmations")}</a>
            </Note>
          ) : (
            <JsonView value={tested.result} label={t("call.result")} />
          )}
          {row && (
            <>
              <h3>{t("test.audit")}</h3>
              <JsonView value={row} label={t("test.audit")} />
            </>
          )}
          {!row && tested.audit_id !== null && <Note>{t("test.audit_number", { n: tested.audit_id })}</Note>}
        </div>
      )}
    </section>
  );
}
