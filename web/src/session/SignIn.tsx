import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { replace, route } from "../state/route";
import { sessionEnded, signIn } from "../state/person";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useTitle } from "../ui/hooks";
import { Mark } from "../ui/icons";
import { Note, TextField } from "../ui/parts";
import { LanguageSwitch } from "./Preferences";

/** Where one came from is where one goes after signing in. */
let wanted: string[] = [];

export function rememberWanted(path: string[]): void {
  if (path[0] !== "login") wanted = path;
}

export function SignIn() {
  const { t } = useSpeech();
  const ended = useStore(sessionEnded);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  useTitle(t("signin.title"));
  const [enter, busy, problem] = useAction(async () => {
    await signIn(email.trim(), password);
    if (route.get().path[0] === "login") replace(...wanted);
    wanted = [];
  });
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
        {ended && <Note kind="warn">{t("signin.ended")}</Note>}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <TextField type="email" label={t("signin.email")} value={email} onText={setEmail} autocomplete="username" required autoFocus />
          <TextField type="password" label={t("signin.password")} value={password} onText={setPassword} autocomplete="current-password" required />
          <ErrorNote problem={problem} />
          <Button kind="primary" type="submit" busy={busy} class="wide">
            {t("signin.enter")}
          </Button>
        </form>
        <p class="hint">{t("signin.help")}</p>
        <LanguageSwitch />
      </div>
    </main>
  );
}
