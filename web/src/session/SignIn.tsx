import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { replace, route } from "../state/route";
import { arrive, sessionEnded, signIn } from "../state/person";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Mark } from "../ui/icons";
import { Loading, Note, TextField } from "../ui/parts";
import { LanguageSwitch } from "./Preferences";

type WaysIn = Wire["WaysIn"];

/** Where one came from is where one goes after signing in; a provider leads through other pages first. */
const WANTED = "bancada.wanted";
let wanted: string[] = [];

export function rememberWanted(path: string[]): void {
  if (path[0] !== "login" && path[0] !== "arrived") wanted = path;
}

function leaveFor(): void {
  try {
    sessionStorage.setItem(WANTED, JSON.stringify(wanted));
  } catch {
    // A closed storage only means that one arrives at the first page.
  }
}

function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(WANTED) ?? "[]");
    sessionStorage.removeItem(WANTED);
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** Why a provider sent one back here: the server left it for this page, to be read once. */
function refusal(): string | null {
  const found = /(?:^|; )bancada_refused=([^;]*)/.exec(document.cookie)?.[1];
  if (!found) return null;
  document.cookie = "bancada_refused=; path=/; max-age=0";
  try {
    return decodeURIComponent(found.replace(/^"|"$/g, ""));
  } catch {
    return null;
  }
}

/** Back from a provider: the session is there, its token is still to be fetched. */
export function Arriving() {
  const { t } = useSpeech();
  useTitle(t("signin.title"));
  const arrived = useLoad(async () => {
    await arrive();
    replace(...remembered());
  }, []);
  return (
    <main class="door">
      {arrived.problem ? (
        <div class="door-card">
          <ErrorNote problem={arrived.problem} />
          <a href="#/login">{t("signin.title")}</a>
        </div>
      ) : (
        <Loading />
      )}
    </main>
  );
}

export function SignIn() {
  const { t } = useSpeech();
  const ended = useStore(sessionEnded);
  const [refused] = useState(refusal);
  const ways = useLoad((signal) => api.get("/auth/providers", { signal }), []);
  useTitle(t("signin.title"));
  const providers = ways.data?.providers ?? [];
  return (
    <main class="door">
      <div class="door-card">
        <header class="door-head">
          <Mark size={40} />
          <div>
            <h1>Bancada</h1>
            <p class="hint">{t("signin.lead")}</p>
          </div>
        </header>
        {refused ? <Note kind="warn">{refused}</Note> : ended && <Note kind="warn">{t("signin.ended")}</Note>}
        {ways.loading && <Loading />}
        {ways.data && providers.length > 0 && <ProviderButtons ways={ways.data} />}
        {ways.data?.passwords === false ? (
          <details>
            <summary>{t("signin.break_glass")}</summary>
            <PasswordForm first={false} />
          </details>
        ) : (
          !ways.loading && <PasswordForm first={providers.length === 0} />
        )}
        <p class="hint">{t("signin.help")}</p>
        <LanguageSwitch />
      </div>
    </main>
  );
}

/** One button a provider. They lead away from here, so they are links. */
function ProviderButtons({ ways }: { ways: WaysIn }) {
  const { t, language } = useSpeech();
  return (
    <div class="door-providers">
      {ways.providers.map((one) => (
        <a key={one.name} class="button primary wide" href={`/auth/oidc/${encodeURIComponent(one.name)}?language=${language}`} onClick={leaveFor}>
          <span>{t("signin.with", { name: one.label })}</span>
        </a>
      ))}
      {ways.passwords && <p class="hint door-or">{t("signin.or")}</p>}
    </div>
  );
}

function PasswordForm({ first }: { first: boolean }) {
  const { t } = useSpeech();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [enter, busy, problem] = useAction(async () => {
    await signIn(email.trim(), password);
    if (route.get().path[0] === "login") replace(...wanted);
    wanted = [];
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <TextField type="email" label={t("signin.email")} value={email} onText={setEmail} autocomplete="username" required autoFocus={first} />
      <TextField type="password" label={t("signin.password")} value={password} onText={setPassword} autocomplete="current-password" required />
      <ErrorNote problem={problem} />
      <Button kind={first ? "primary" : "plain"} type="submit" busy={busy} class="wide">
        {t("signin.enter")}
      </Button>
    </form>
  );
}
