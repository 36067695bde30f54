import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { begin } from "../state/person";
import { href, replace } from "../state/route";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Mark } from "../ui/icons";
import { Await, TextField } from "../ui/parts";
import { LanguageSwitch } from "./Preferences";

/** Without an address, it makes the first administrator. */
type Invitation = Wire["LinkOut"];

const SHORTEST = 10;

/** A one-time link: the first administrator makes their account, anyone else sets a password. */
export function Setup({ token }: { token: string }) {
  const { t } = useSpeech();
  useTitle(t("setup.title"));
  const invitation = useLoad((signal) => api.get("/auth/links/{token}", { path: { token }, signal }), [token]);
  return (
    <main class="door">
      <div class="door-card">
        <header class="door-head">
          <Mark size={40} />
          <div>
            <h1>{t("setup.title")}</h1>
          </div>
        </header>
        <Await of={invitation}>{(one) => <Form token={token} invitation={one} />}</Await>
        {invitation.problem ? (
          <p class="hint">
            {t("setup.bad_link")} <a href={href("login")}>{t("signin.title")}</a>
          </p>
        ) : null}
        <LanguageSwitch />
      </div>
    </main>
  );
}

function Form({ token, invitation }: { token: string; invitation: Invitation }) {
  const { t, language } = useSpeech();
  const administrator = invitation.email === null;
  const [email, setEmail] = useState(invitation.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const different = again !== "" && again !== password;
  const [save, busy, problem] = useAction(async () => {
    const body = administrator ? { email: email.trim(), name: name.trim(), password, language, cookie: true } : { password, cookie: true };
    const answer = await api.post("/auth/links/{token}", { path: { token }, body });
    await begin(answer.token);
    replace();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!different) void save();
      }}
    >
      <p>{t(administrator ? "setup.administrator_words" : "setup.password_words", { email: invitation.email ?? "" })}</p>
      {administrator && (
        <>
          <TextField label={t("setup.name")} value={name} onText={setName} autocomplete="name" required />
          <TextField type="email" label={t("signin.email")} value={email} onText={setEmail} autocomplete="username" required />
        </>
      )}
      <TextField type="password" label={t("setup.password")} hint={t("setup.password_hint", { n: SHORTEST })} minLength={SHORTEST} value={password} onText={setPassword} autocomplete="new-password" required />
      <TextField type="password" label={t("setup.again")} value={again} onText={setAgain} autocomplete="new-password" required error={different ? t("setup.different") : null} />
      <ErrorNote problem={problem} />
      <Button kind="primary" type="submit" busy={busy} disabled={different} class="wide">
        {t("setup.save")}
      </Button>
    </form>
  );
}
