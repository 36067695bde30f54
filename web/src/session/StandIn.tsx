import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Note, TextField } from "../ui/parts";
import { toast } from "../ui/toast";

type Standing = Wire["StandInOut"];

/** Who decides for the person while they are away: named here, and taken back here. */
export function StandIn() {
  const { t, moment } = useSpeech();
  const loaded = useLoad((signal) => api.get("/me/stand-in", { signal }).then((named) => ({ named })), []);
  const [end, ending, problem] = useAction(async () => {
    await api.delete("/me/stand-in");
    loaded.set({ named: null });
  });
  return (
    <section class="panel">
      <header class="page-head">
        <div>
          <h2>{t("standin.title")}</h2>
          <p class="hint">{t("standin.words")}</p>
        </div>
      </header>
      <ErrorNote problem={problem} />
      <Await of={loaded}>
        {({ named }) =>
          named ? (
            <>
              <Note>{t("standin.now", { name: named.person.name, until: moment(named.until) })}</Note>
              <div class="form-actions">
                <Button busy={ending} onClick={() => void end()}>
                  {t("standin.end")}
                </Button>
              </div>
            </>
          ) : (
            <Naming onNamed={(standing) => loaded.set({ named: standing })} />
          )
        }
      </Await>
    </section>
  );
}

function Naming({ onNamed }: { onNamed(standing: Standing): void }) {
  const { t } = useSpeech();
  const [who, setWho] = useState("");
  const [day, setDay] = useState("");
  const [name, busy, problem] = useAction(async () => {
    // The day that was said is the last one: it ends where the person is.
    const until = new Date(`${day}T23:59:59`).toISOString();
    onNamed(await api.put("/me/stand-in", { body: { person: who.trim(), until } }));
    toast(t("ui.saved"));
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void name();
      }}
    >
      <div class="form-grid">
        <TextField type="email" label={t("standin.person")} hint={t("standin.person_hint")} value={who} onText={setWho} required />
        <TextField type="date" label={t("standin.until")} value={day} onText={setDay} required />
      </div>
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button type="submit" busy={busy}>
          {t("standin.name")}
        </Button>
      </div>
    </form>
  );
}
