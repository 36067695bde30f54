import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { go, href } from "../state/route";
import { useToolName } from "../state/toolNames";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { AreaField, Await, Check, Note, SelectField, Switch, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { Filter, matches } from "./Filter";
import { TemplatePicker } from "./TemplatePicker";
import { fits, type TemplateId, TEMPLATES } from "./templates";
import type { AdminAgent, AdminTool } from "./types";

/** Stands for every other tool the person may use. */
const EVERY = "*";

const NEW: Omit<AdminAgent, "id"> = {
  name: "",
  description: "",
  system_prompt: "",
  tools: [],
  starters: [],
  model: null,
  max_iterations: 8,
  max_history: 20,
  max_tokens: 4096,
  code: "direct",
  last_answer: true,
  effort: null,
  mode: "model",
};

/** An agent: its prompt, the tools it may use, and its limits. */
export function AgentPage({ id }: { id: string }) {
  const { t } = useSpeech();
  const loaded = useLoad(
    async (signal) => {
      const [agent, tools] = await Promise.all([
        id === "new" ? null : api.get("/admin/agents/{id}", { path: { id }, signal }),
        api.get("/admin/tools", { signal }),
      ]);
      return { agent, tools };
    },
    [id],
  );
  return (
    <div class="page scroll">
      <a class="back" href={href("admin", "agents")}>
        <Icon name="left" size={16} /> {t("admin.agents")}
      </a>
      <Await of={loaded}>{({ agent, tools }) => <AgentForm agent={agent} tools={tools} />}</Await>
    </div>
  );
}

function AgentForm({ agent, tools }: { agent: AdminAgent | null; tools: AdminTool[] }) {
  const { t } = useSpeech();
  const [form, setForm] = useState<Omit<AdminAgent, "id">>(agent ?? NEW);
  const [starters, setStarters] = useState(form.starters.join("\n"));
  const [deleting, setDeleting] = useState(false);
  const [template, setTemplate] = useState<TemplateId | null>(null);
  const nameOf = useToolName();
  useTitle(agent?.name ?? t("agent.add"));
  const put = (part: Partial<AdminAgent>) => setForm((now) => ({ ...now, ...part }));
  const begin = (id: TemplateId) => {
    setTemplate(id);
    setStarters(t(`template.starters_${id}`));
    put({ name: t(`template.name_${id}`), description: t(`template.about_${id}`), system_prompt: t(`template.prompt_${id}`), tools: fits(id, tools).here, code: TEMPLATES[id].code });
  };
  const missing = template ? fits(template, tools).missing : [];
  const whole = (text: string) => Math.max(0, Math.trunc(Number(text)) || 0);
  const [save, busy, problem] = useAction(async () => {
    const { name, description, system_prompt, tools: chosen, model, max_iterations, max_history, max_tokens, code, last_answer, mode } = form;
    const body = {
      name: name.trim(), description, system_prompt, tools: chosen, max_iterations, max_history, max_tokens, code, last_answer, mode,
      model: model?.trim() || null,
      starters: starters.split("\n").map((line) => line.trim()).filter(Boolean),
    };
    const saved = agent ? await api.patch("/admin/agents/{id}", { path: { id: agent.id }, body }) : await api.post("/admin/agents", { body });
    toast(t("ui.saved"));
    if (!agent) go("admin", "agents", saved.id);
  });
  return (
    <>
      <header class="page-head">
        <h1>{agent?.name ?? t("agent.add")}</h1>
        {agent && (
          <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
            {t("ui.delete")}
          </Button>
        )}
      </header>
      {!agent && <TemplatePicker tools={tools} chosen={template} onPick={begin} />}
      {missing.length > 0 && (
        <div role="status">
          <Note kind="warn">{t("template.left_out", { tools: missing.map(nameOf).join(", ") })}</Note>
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <section class="panel">
          <h2>{t("agent.who")}</h2>
          <div class="form-grid">
            <TextField label={t("users.name")} value={form.name} onText={(name) => put({ name })} required maxLength={100} />
            <div class="span">
              <TextField label={t("agent.description")} hint={t("agent.description_hint")} value={form.description} onText={(description) => put({ description })} />
            </div>
            <div class="span">
              <AreaField label={t("agent.prompt")} hint={t("agent.prompt_hint")} value={form.system_prompt} rows={10} onText={(system_prompt) => put({ system_prompt })} />
            </div>
            <div class="span">
              <AreaField label={t("agents.starters")} hint={t("agent.starters_hint")} value={starters} rows={3} onText={setStarters} />
            </div>
          </div>
        </section>
        <ToolPicker tools={tools} chosen={form.tools} onChange={(list) => put({ tools: list })} />
        <section class="panel">
          <h2>{t("agent.limits")}</h2>
          <div class="form-grid">
            <TextField label={t("agent.model")} hint={t("agent.model_hint")} value={form.model ?? ""} onText={(model) => put({ model })} />
            <SelectField
              label={t("agent.code")}
              hint={t("agent.code_hint")}
              value={form.code}
              options={(["direct", "local", "anthropic"] as const).map((code) => [code, t(`agent.code_${code}`)] as const)}
              onPick={(code) => put({ code })}
            />
            <SelectField label={t("agent.mode")} value={form.mode} options={[["model", t("chat.mode_model")], ["keyword", t("chat.mode_keyword")]]} onPick={(mode) => put({ mode })} />
            <TextField type="number" label={t("agent.iterations")} value={form.max_iterations} onText={(text) => put({ max_iterations: whole(text) })} />
            <TextField type="number" label={t("agent.history")} value={form.max_history} onText={(text) => put({ max_history: whole(text) })} />
            <TextField type="number" label={t("agent.tokens")} value={form.max_tokens} onText={(text) => put({ max_tokens: whole(text) })} />
            <Switch label={t("agent.last_answer")} hint={t("agent.last_answer_hint")} checked={form.last_answer} onChange={(last_answer) => put({ last_answer })} />
          </div>
        </section>
        <ErrorNote problem={problem} />
        <div class="form-actions sticky">
          <Button kind="primary" type="submit" busy={busy}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
      {deleting && agent && (
        <Confirm
          title={t("ui.delete")}
          action={t("ui.delete")}
          danger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.delete("/admin/agents/{id}", { path: { id: agent.id } });
            go("admin", "agents");
          }}
        >
          <p>{t("agent.delete_words", { name: agent.name })}</p>
        </Confirm>
      )}
    </>
  );
}

/** The order of an agent's tools is the order the model sees: new ones go last. */
function ToolPicker({ tools, chosen, onChange }: { tools: AdminTool[]; chosen: string[]; onChange(list: string[]): void }) {
  const { t, count } = useSpeech();
  const [query, setQuery] = useState("");
  const every = chosen.includes(EVERY);
  const shown = tools.filter((tool) => matches(query, tool.name, tool.description, tool.category));
  const groups = [...new Set(tools.flatMap((tool) => tool.group ?? []))].map((name) => ({ name, description: t("agent.whole_connection") }));
  const unknown = chosen.filter((name) => name !== EVERY && ![...groups, ...tools].some((tool) => tool.name === name));
  return (
    <section class="panel">
      <h2>
        {t("admin.tools")} <span class="hint">{every ? t("agent.every_tool") : count("agent.chosen", chosen.length)}</span>
      </h2>
      <div class="stack">
        <Switch label={t("agent.every_tool")} hint={t("agent.every_tool_hint")} checked={every} onChange={(on) => onChange(on ? [...chosen, EVERY] : chosen.filter((name) => name !== EVERY))} />
        <Filter value={query} onText={setQuery} />
      </div>
      <fieldset class="checks columns">
        <legend class="visually-hidden">{t("admin.tools")}</legend>
        {[...unknown.map((name) => ({ name, description: t("agent.unknown_tool") })), ...groups, ...shown].map((tool) => (
          <Check
            key={tool.name}
            label={tool.name}
            hint={tool.description.split("\n")[0] ?? ""}
            checked={chosen.includes(tool.name)}
            onChange={(on) => onChange(on ? [...chosen, tool.name] : chosen.filter((name) => name !== tool.name))}
          />
        ))}
      </fieldset>
    </section>
  );
}
