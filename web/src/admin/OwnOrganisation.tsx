import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { AreaField, Await, SelectField, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { OwnTable, sourceOf } from "./OwnTable";
import type { Organisation } from "./types";

const MAKERS = ["off", "admins", "users"] as const;
type Makers = (typeof MAKERS)[number];

const OUTSIDE = ["ask", "allow"] as const;
type Outside = (typeof OUTSIDE)[number];

/** What the organisation gives its custom tools: who defines them, which hosts and secrets they reach. */
export function OwnOrganisation() {
  const loaded = useLoad((signal) => api.get("/admin/organisation", { signal }), []);
  return <Await of={loaded}>{(organisation) => <Form key={JSON.stringify(organisation.settings)} organisation={organisation} onSaved={loaded.set} />}</Await>;
}

function Form({ organisation, onSaved }: { organisation: Organisation; onSaved(next: Organisation): void }) {
  const { t } = useSpeech();
  const { settings } = organisation;
  const [makers, setMakers] = useState<Makers>(MAKERS.find((one) => one === settings["custom_tools"]) ?? "admins");
  const [outside, setOutside] = useState<Outside>(OUTSIDE.find((one) => one === settings["outside_content_writes"]) ?? "ask");
  const [hosts, setHosts] = useState(Array.isArray(settings["egress"]) ? settings["egress"].join("\n") : "");
  const send = async (change: JsonObject) => {
    onSaved(await api.patch("/admin/organisation", { body: { settings: change } }));
    toast(t("ui.saved"));
  };
  const [save, busy, problem] = useAction(() => send({ outside_content_writes: outside, custom_tools: makers, egress: hosts.split("\n").map((line) => line.trim()).filter(Boolean) }));
  return (
    <section class="panel">
      <h2>{t("own.title", { name: organisation.name })}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="form-grid">
          <SelectField<Outside> label={t("own.outside")} hint={t("own.outside_hint")} value={outside} options={OUTSIDE.map((one) => [one, t(`own.outside_${one}`)] as const)} onPick={setOutside} />
          <SelectField<Makers> label={t("own.makers")} value={makers} options={MAKERS.map((one) => [one, t(`own.makers_${one}`)] as const)} onPick={setMakers} />
          <AreaField label={t("own.hosts")} hint={t("own.hosts_hint")} value={hosts} rows={3} onText={setHosts} />
        </div>
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button kind="primary" type="submit" busy={busy}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
      <Named label={t("own.secrets")} hint={t("own.secrets_hint")} known={names(settings["secrets"])} onChange={(name, value) => send({ secrets: { [name]: value } })} />
      <section class="named">
        <h3>{t("own.databases")}</h3>
        <p class="hint">{t("own.databases_hint")}</p>
        <p>{organisation.databases.join(", ") || t("own.databases_none")}</p>
      </section>
      {organisation.pack_tables.map((name) => {
        const chosen = sourceOf((settings["tables"] as JsonObject | undefined)?.[name]);
        if (!chosen && !organisation.databases.length) return null;
        return <OwnTable key={name} name={name} databases={organisation.databases} chosen={chosen} onChange={(source) => send({ tables: { [name]: source } })} />;
      })}
    </section>
  );
}

function names(value: unknown): string[] {
  return value && typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [];
}

interface NamedProps {
  label: string;
  hint: string;
  known: string[];
  onChange(name: string, value: string | null): Promise<void>;
}

/** Values by name; a value that was given is not shown again. */
function Named({ label, hint, known, onChange }: NamedProps) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [change, busy, problem] = useAction(onChange);
  return (
    <section class="named">
      <h3>{label}</h3>
      <p class="hint">{hint}</p>
      <ul class="chips">
        {known.map((one) => (
          <li key={one}>
            {one}
            <button type="button" class="link" aria-label={t("own.remove", { name: one })} onClick={() => void change(one, null)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change(name.trim(), value).then((done) => {
            if (!done) return;
            setName("");
            setValue("");
          });
        }}
      >
        <TextField label={t("users.name")} value={name} onText={setName} required maxLength={64} />
        <TextField label={t("own.value")} type="password" autocomplete="off" value={value} onText={setValue} required />
        <Button type="submit" busy={busy}>
          {t("form.add_item")}
        </Button>
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}
