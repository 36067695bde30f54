import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Badge } from "../ui/parts";

/** Where somebody is signed in; each can be ended, and all but the one that looks. */
export function Sessions() {
  const { t } = useSpeech();
  return (
    <section class="panel">
      <h2>{t("sessions.title")}</h2>
      <p class="hint">{t("sessions.words")}</p>
      <SessionList />
    </section>
  );
}

/** One's own, or of the person that an administrator looks at. */
export function SessionList({ user }: { user?: number }) {
  const { t, ago, moment } = useSpeech();
  const loaded = useLoad(
    (signal) => (user === undefined ? api.get("/me/sessions", { signal }) : api.get("/admin/users/{id}/sessions", { path: { id: user }, signal })),
    [user],
  );
  const [ending, setEnding] = useState<string | null>(null);
  const [end, busy, problem] = useAction(async (id: string | null) => {
    setEnding(id);
    if (user === undefined) await (id === null ? api.delete("/me/sessions", { query: { others: true } }) : api.delete("/me/sessions/{id}", { path: { id } }));
    else await (id === null ? api.delete("/admin/users/{id}/sessions", { path: { id: user } }) : api.delete("/admin/users/{id}/sessions/{session}", { path: { id: user, session: id } }));
    loaded.reload();
  });
  return (
    <>
      <ErrorNote problem={problem} />
      <Await of={loaded}>
        {(sessions) => (
          <>
            {sessions.length === 0 && <p class="hint">{t("sessions.none")}</p>}
            <ul class="switches">
              {sessions.map((one) => (
                <li key={one.id} class="session">
                  <div class="session-what">
                    <strong>{one.device || t("sessions.unknown")}</strong> {one.current && <Badge kind="good">{t("sessions.this")}</Badge>}
                    <p class="hint" title={moment(one.last_seen_at)}>
                      {t("sessions.seen", { ago: ago(one.last_seen_at), address: one.address })}
                    </p>
                  </div>
                  {!one.current && (
                    <Button small kind="danger" busy={busy && ending === one.id} aria-label={`${t("sessions.end")}: ${one.device}`} onClick={() => void end(one.id)}>
                      {t("sessions.end")}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.length > 1 && (
              <div class="form-actions">
                <Button busy={busy && ending === null} onClick={() => void end(null)}>
                  {t(sessions.some((one) => one.current) ? "sessions.end_others" : "sessions.end_all")}
                </Button>
              </div>
            )}
          </>
        )}
      </Await>
    </>
  );
}
