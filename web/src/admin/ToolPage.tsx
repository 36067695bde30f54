import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { type Role, ROLES } from "../state/person";
import { href } from "../state/route";
import { Button } from "../ui/Button";
import { CodeBlock } from "../ui/CodeBlock";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, Check, Note, SelectField, Switch, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { ruleOf, settingOf } from "./confirmation";
import { PolicyTrial } from "./PolicyTrial";
import { ToolAccess } from "./ToolAccess";
import { ConfirmationFields } from "./ConfirmationFields";
import { ToolLevels } from "./ToolLevels";
import { ToolTest } from "./ToolTest";
import type { AdminTool } from "./types";

const CODE = "code_execution_20260120";

/** One tool: what it says of itself, what an administrator decided, a place to try it, and who may use it. */
export function ToolPage({ name }: { name: string }) {
  const { t } = useSpeech();
  useTitle(name);
  const loaded = useLoad((signal) => api.get("/admin/tools/{name}", { path: { name }, signal }), [name]);
  return (
    <div class="page scroll">
      <a class="back" href={href("admin", "tools")}>
        <Icon name="left" size={16} /> {t("admin.tools")}
      </a>
      <Await of={loaded}>{(tool) => <Shown key={tool.version} tool={tool} onSaved={loaded.reload} />}</Await>
    </div>
  );
}

function Shown({ tool, onSaved }: { tool: AdminTool; onSaved(): void }) {
  const { t } = useSpeech();
  return (
    <>
      <header class="page-head">
        <div>
          <h1 class="mono">{tool.name}</h1>
          <p class="lead">{tool.description}</p>
          <p class="badges">
            <Badge>{tool.category}</Badge> <Badge {...(tool.effect === "write" ? { kind: "warn" as const } : {})}>{t(`tools.effect_${tool.effect}`)}</Badge>{" "}
            {tool.pack && <Badge>{tool.pack}</Badge>}
          </p>
        </div>
        {tool.custom && (
          <a class="button" href={href("admin", "tools", tool.name, "edit")}>
            <Icon name="edit" /> <span>{t("custom.edit")}</span>
          </a>
        )}
      </header>
      {tool.switched_off && <Note kind="warn">{tool.switched_off}</Note>}
      <ToolSettings tool={tool} onSaved={onSaved} />
      <ToolLevels name={tool.name} />
      <ToolTest tool={tool} />
      <ToolAccess name={tool.name} />
      <section class="panel">
        <h2>{t("tools.schema")}</h2>
        <CodeBlock text={JSON.stringify(tool.input_schema, null, 2)} language="json" label="JSON Schema" />
      </section>
    </>
  );
}

function ToolSettings({ tool, onSaved }: { tool: AdminTool; onSaved(): void }) {
  const { t } = useSpeech();
  const [enabled, setEnabled] = useState(tool.is_enabled);
  const [level, setLevel] = useState(tool.permission_level);
  const [rule, setRule] = useState(ruleOf(tool.confirmation));
  const [callers, setCallers] = useState(tool.allowed_callers);
  const [cache, setCache] = useState(String(tool.cache_seconds));
  const [budget, setBudget] = useState(budgetOf(tool.budget));
  const [valid, setValid] = useState(true);
  const fromCode = callers.some((caller) => caller.startsWith("code_execution"));
  const [save, busy, problem] = useAction(async () => {
    const body = {
      is_enabled: enabled,
      permission_level: level,
      allowed_callers: callers as Wire["ToolChange"]["allowed_callers"],
      cache_seconds: Math.max(0, Math.trunc(Number(cache)) || 0),
      confirmation: settingOf(rule),
      budget: budget.calls.trim() ? { calls: Number(budget.calls), per: budget.per, by: budget.by } : null,
    };
    await api.patch("/admin/tools/{name}", { path: { name: tool.name }, body });
    toast(t("ui.saved"));
    onSaved();
  });
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t("tools.settings")}</h2>
      <div class="form-grid">
        <Switch label={t("tools.enabled")} hint={t("tools.enabled_hint")} checked={enabled} disabled={tool.switched_off !== null} onChange={setEnabled} />
        <SelectField<Role> label={t("tools.level")} hint={t("tools.level_hint")} value={level} options={ROLES.map((role) => [role, t(`role.${role}`)] as const)} onPick={setLevel} />
        <ConfirmationFields rule={rule} onChange={setRule} onValid={setValid} />
        {!!tool.lost_fields?.length && <Note kind="warn">{t("tools.lost_fields", { fields: tool.lost_fields.join(", ") })}</Note>}
        <PolicyTrial tool={tool.name} choices={{ is_enabled: enabled, permission_level: level, confirmation: settingOf(rule) }} />
        <fieldset class="checks">
          <legend>{t("tools.callers")}</legend>
          <Check label={t("tools.caller_direct")} checked={callers.includes("direct")} onChange={(on) => setCallers(on ? ["direct", ...callers] : callers.filter((one) => one !== "direct"))} />
          <Check label={t("tools.caller_code")} checked={fromCode} onChange={(on) => setCallers(on ? [...callers, CODE] : callers.filter((one) => !one.startsWith("code_execution")))} />
        </fieldset>
        <TextField type="number" label={t("tools.cache")} hint={t("tools.cache_hint")} value={cache} onText={setCache} />
        <TextField type="number" label={t("tools.budget")} hint={t("tools.budget_hint")} value={budget.calls} onText={(calls) => setBudget({ ...budget, calls })} />
        {budget.calls.trim() !== "" && (
          <>
            <SelectField label={t("tools.budget_per")} value={budget.per} options={PERIODS.map((one) => [one, t(`tools.per_${one}`)] as const)} onPick={(per) => setBudget({ ...budget, per })} />
            <SelectField label={t("tools.budget_by")} value={budget.by} options={(["person", "organisation"] as const).map((one) => [one, t(`tools.by_${one}`)] as const)} onPick={(by) => setBudget({ ...budget, by })} />
          </>
        )}
      </div>
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!valid || callers.length === 0}>
          {t("ui.save")}
        </Button>
      </div>
    </form>
  );
}

const PERIODS = ["minute", "hour", "day", "month"] as const;

function budgetOf(shape: JsonObject | null): { calls: string; per: (typeof PERIODS)[number]; by: "person" | "organisation" } {
  return {
    calls: shape ? String(shape["calls"] ?? "") : "",
    per: PERIODS.find((one) => one === shape?.["per"]) ?? "day",
    by: shape?.["by"] === "organisation" ? "organisation" : "person",
  };
}
