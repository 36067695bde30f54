import { useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { chooseDeveloper, chooseLanguage, chooseTheme, developer, person, theme, type Language, type Theme } from "../state/person";
import { chooseNotifying, notifying } from "../state/notify";
import { href } from "../state/route";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, SelectField, Switch, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { toast } from "../ui/toast";
import { ToolTry } from "../ui/ToolTry";
import { saveBlob } from "../widgets/csv";
import { MyKeys } from "./Keys";
import { Notices } from "./Notices";
import { Sessions } from "./Sessions";
import { StandIn } from "./StandIn";

export function LanguageSwitch() {
  const { t, language } = useSpeech();
  return (
    <div class="language-switch" role="group" aria-label={t("settings.language")}>
      {(["pt", "en"] as const).map((one) => (
        <button key={one} type="button" class="link" lang={one} aria-pressed={one === language} onClick={() => void chooseLanguage(one)}>
          {one === "pt" ? "Português" : "English"}
        </button>
      ))}
    </div>
  );
}

type Callable = Wire["ToolOut"];

/** The person's own choices: language, colours, tools they do not want used for them. */
export function Settings() {
  const { t, language } = useSpeech();
  const shade = useStore(theme);
  const me = useStore(person);
  const dev = useStore(developer);
  useTitle(t("settings.title"));
  return (
    <Page title={t("settings.title")}>
      <section class="panel">
        <h2>{t("settings.look")}</h2>
        <div class="form-grid">
          <SelectField<Language> label={t("settings.language")} value={language} options={[["pt", "Português"], ["en", "English"]]} onPick={(one) => void chooseLanguage(one)} />
          <SelectField<Theme>
            label={t("settings.theme")}
            value={shade}
            options={[["system", t("settings.theme_system")], ["light", t("settings.theme_light")], ["dark", t("settings.theme_dark")]]}
            onPick={chooseTheme}
          />
        </div>
      </section>
      {me?.role === "admin" && (
        <section class="panel">
          <h2>{t("dev.title")}</h2>
          <Switch label={t("dev.switch")} hint={t("dev.switch_hint")} checked={dev} onChange={chooseDeveloper} />
        </section>
      )}
      <Password />
      <Sessions />
      <MyKeys />
      <StandIn />
      <InThisBrowser />
      <Notices />
      <OwnData />
      <ToolPreferences />
    </Page>
  );
}

/** Whether this browser notifies when something waits or is finished; it is asked for by this click alone. */
function InThisBrowser() {
  const { t } = useSpeech();
  const now = useStore(notifying);
  const [choose, , problem] = useAction(chooseNotifying);
  return (
    <section class="panel">
      <h2>{t("notify.title")}</h2>
      <Switch label={t("notify.switch")} hint={t("notify.hint")} checked={now === "on"} disabled={now === "impossible" || now === "blocked"} onChange={(on) => void choose(on)} />
      {now === "blocked" && <p class="hint">{t("notify.blocked")}</p>}
      {now === "impossible" && <p class="hint">{t("notify.impossible")}</p>}
      <ErrorNote problem={problem} />
    </section>
  );
}

/** All that is kept of the person, to take along. */
function OwnData() {
  const { t } = useSpeech();
  const [save, busy, problem] = useAction(async () => saveBlob(await blobOf("post", "/me/export"), "bancada.zip"));
  return (
    <section class="panel">
      <h2>{t("data.own_title")}</h2>
      <p class="hint">{t("data.own_words")}</p>
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button icon="download" busy={busy} onClick={() => void save()}>
          {t("data.export")}
        </Button>
      </div>
    </section>
  );
}

function Password() {
  const { t } = useSpeech();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [change, busy, problem] = useAction(async () => {
    await api.post("/me/password", { body: { current, new: next } });
    setCurrent("");
    setNext("");
    toast(t("ui.saved"));
  });
  return (
    <section class="panel">
      <h2>{t("setup.password")}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <div class="form-grid">
          <TextField type="password" label={t("settings.current_password")} autocomplete="current-password" value={current} onText={setCurrent} required />
          <TextField type="password" label={t("settings.new_password")} autocomplete="new-password" minLength={10} hint={t("setup.password_hint", { n: 10 })} value={next} onText={setNext} required />
        </div>
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button type="submit" busy={busy}>
            {t("settings.change_password")}
          </Button>
        </div>
      </form>
    </section>
  );
}

function ToolPreferences() {
  const { t } = useSpeech();
  const me = useStore(person);
  const loaded = useLoad((signal) => api.get("/me/tools", { signal }), []);
  const callable = useLoad((signal) => api.get("/tools", { signal }), []);
  const [tried, setTried] = useState<Callable | null>(null);
  const [pending, setPending] = useState<Record<string, boolean>>({});
  const [change, , problem] = useAction(async (name: string, is_enabled: boolean) => {
    setPending((now) => ({ ...now, [name]: is_enabled }));
    try {
      loaded.set(await api.patch("/me/tools", { body: { name, is_enabled } }));
    } finally {
      setPending({});
    }
  });
  return (
    <section class="panel">
      <header class="page-head">
        <div>
          <h2>{t("settings.tools")}</h2>
          <p class="hint">{t("settings.tools_words")}</p>
        </div>
        {me?.may_define_tools && (
          <a class="button" href={href("settings", "tools", "new")}>
            <Icon name="plus" /> <span>{t("custom.add")}</span>
          </a>
        )}
      </header>
      <ErrorNote problem={problem} />
      <Await of={loaded}>
        {(tools) => (
          <ul class="switches">
            {tools.map((one) => (
              <li key={one.name}>
                <Switch label={one.name} hint={one.description ?? ""} checked={pending[one.name] ?? one.is_enabled} onChange={(on) => void change(one.name, on)} />
                <TryButton tool={callable.data?.find((each) => each.name === one.name)} onTry={setTried} />
                {one.hides_own && <p class="hint">{t("settings.hides_own")}</p>}
                {(one.own || one.hides_own) && (
                  <a class="button small" href={href("settings", "tools", one.name)} aria-label={`${t("custom.edit")}: ${one.name}`}>
                    <Icon name="edit" size={16} /> <span>{t("custom.edit")}</span>
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
      </Await>
      {tried && (
        <Dialog wide title={tried.name} onClose={() => setTried(null)}>
          <ToolTry schema={tried.input_schema} effect={tried.effect} call={(input) => api.post("/tools/{name}/run", { path: { name: tried.name }, body: { input } })} />
        </Dialog>
      )}
    </section>
  );
}

/** Only for a tool that one of the person's agents gives them, or that is their own. */
function TryButton({ tool, onTry }: { tool: Callable | undefined; onTry(tool: Callable): void }) {
  const { t } = useSpeech();
  if (!tool) return null;
  return (
    <Button small icon="right" aria-label={`${t("test.title")}: ${tool.name}`} onClick={() => onTry(tool)}>
      {t("test.title")}
    </Button>
  );
}
