import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { type Role, ROLES } from "../state/person";
import { go, href } from "../state/route";
import { Button } from "../ui/Button";
import { CodeBlock } from "../ui/CodeBlock";
import { Confirm } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { AreaField, Await, Check, Note, SelectField, Switch, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { type CustomTool, EXAMPLES, type Kind, KINDS, named, NEW, sent, written } from "./customTool";
import { DefinitionFields } from "./DefinitionFields";
import { ParameterRows } from "./ParameterRows";
import "../styles/admin.css";

const CODE = "code_execution_20260120";

/** Whose tool it is: where it is kept, and which page comes before. */
interface Whose {
  own: boolean;
  kept: "/admin/tools" | "/me/tools";
  page(name?: string): string[];
}

const ORGANISATION: Whose = { own: false, kept: "/admin/tools", page: (name) => ["admin", "tools", ...(name ? [name] : [])] };
const OWN: Whose = { own: true, kept: "/me/tools", page: () => ["settings"] };

/** A tool without deploying code: an HTTP request, a query, a program, or a chain of other tools. */
export function CustomToolPage({ name, own = false }: { name: string | null; own?: boolean }) {
  const { t } = useSpeech();
  useTitle(name ?? t("custom.add"));
  const whose = own ? OWN : ORGANISATION;
  const loaded = useLoad(
    async (signal) => {
      if (name === null) return NEW;
      const at = { path: { name }, signal };
      if (own) return written(await api.get("/me/tools/{name}", at));
      const [current] = await api.get("/admin/tools/{name}/versions", at);
      return current ? written(current) : NEW;
    },
    [name, own],
  );
  return (
    <div class="page scroll">
      <a class="back" href={href(...whose.page(name ?? undefined))}>
        <Icon name="left" size={16} /> {own ? t("settings.title") : (name ?? t("admin.tools"))}
      </a>
      <header class="page-head">
        <div>
          {name ? <h1 class="mono">{name}</h1> : <h1>{t("custom.add")}</h1>}
          <p class="lead">{t(own ? "custom.lead_own" : "custom.lead")}</p>
        </div>
      </header>
      <Await of={loaded}>{(tool) => <Form tool={tool} isNew={name === null} whose={whose} />}</Await>
    </div>
  );
}

function Form({ tool: given, isNew, whose }: { tool: CustomTool; isNew: boolean; whose: Whose }) {
  const { t } = useSpeech();
  const [tool, setTool] = useState(given);
  const [valid, setValid] = useState(true);
  const [schema, setSchema] = useState<JsonObject | null>(null);
  const [retiring, setRetiring] = useState(false);
  const put = (part: Partial<CustomTool>) => {
    setSchema(null);
    setTool((now) => ({ ...now, ...part }));
  };
  const [check, checking, wrong] = useAction(async () => {
    const answer = await api.post(`${whose.kept}/check`, { body: named(tool.name, tool) });
    setSchema(answer.input_schema);
  });
  const [save, saving, problem] = useAction(async () => {
    if (isNew) await api.post(whose.kept, { body: named(tool.name.trim(), tool) });
    else await api.patch(`${whose.kept}/{name}`, { path: { name: tool.name }, body: sent(tool) });
    toast(t("ui.saved"));
    go(...whose.page(tool.name.trim()));
  });
  const fromCode = tool.allowed_callers.includes(CODE);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <section class="panel">
        <h2>{t("custom.what")}</h2>
        <div class="form-grid">
          {isNew && <TextField label={t("users.name")} hint={t("custom.name_hint")} value={tool.name} onText={(name) => put({ name })} required maxLength={64} />}
          <SelectField<Kind> label={t("custom.kind")} value={tool.kind} options={KINDS.map((kind) => [kind, t(`custom.kind_${kind}`)] as const)} onPick={(kind) => put({ kind, definition: EXAMPLES[kind] })} />
          <div class="span">
            <AreaField label={t("agent.description")} hint={t("custom.description_hint")} value={tool.description} rows={2} required onText={(description) => put({ description })} />
          </div>
        </div>
      </section>
      <ParameterRows rows={tool.parameters} onChange={(parameters) => put({ parameters })} onValid={setValid} />
      <section class="panel">
        <h2>{t("custom.how")}</h2>
        <DefinitionFields key={tool.kind} kind={tool.kind} value={tool.definition} onChange={(definition) => put({ definition })} onValid={setValid} />
      </section>
      <section class="panel">
        <h2>{t("tools.settings")}</h2>
        <div class="form-grid">
          <SelectField label={t("tools.effect")} value={tool.effect} options={(["read", "write"] as const).map((one) => [one, t(`tools.effect_${one}`)] as const)} onPick={(effect) => put({ effect, requires_confirmation: effect === "write" })} />
          {!whose.own && <SelectField<Role> label={t("tools.level")} value={tool.permission_level} options={ROLES.map((role) => [role, t(`role.${role}`)] as const)} onPick={(permission_level) => put({ permission_level })} />}
          <Switch label={t("tools.confirmation")} checked={tool.requires_confirmation} disabled={whose.own && tool.effect === "write"} onChange={(requires_confirmation) => put({ requires_confirmation })} />
          <Check label={t("tools.caller_code")} checked={fromCode} onChange={(on) => put({ allowed_callers: on ? ["direct", CODE] : ["direct"] })} />
        </div>
      </section>
      {schema && (
        <section class="panel">
          <Note kind="good">{t("custom.good")}</Note>
          <CodeBlock text={JSON.stringify(schema, null, 2)} language="json" label={t("tools.schema")} />
        </section>
      )}
      <ErrorNote problem={problem ?? wrong} />
      <div class="form-actions sticky">
        {!isNew && (
          <Button kind="danger" icon="trash" onClick={() => setRetiring(true)}>
            {t("custom.retire")}
          </Button>
        )}
        <Button icon="check" busy={checking} disabled={!valid || !tool.name.trim()} onClick={() => void check()}>
          {t("custom.check")}
        </Button>
        <Button kind="primary" type="submit" busy={saving} disabled={!valid}>
          {t("ui.save")}
        </Button>
      </div>
      {retiring && (
        <Confirm
          title={t("custom.retire")}
          action={t("custom.retire")}
          danger
          onClose={() => setRetiring(false)}
          onConfirm={async () => {
            await api.delete(`${whose.kept}/{name}`, { path: { name: tool.name } });
            go(...whose.page());
          }}
        >
          <p>{t("custom.retire_words", { name: tool.name })}</p>
        </Confirm>
      )}
    </form>
  );
}
