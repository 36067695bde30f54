import { useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Note, TextField } from "../ui/parts";
import { saveBlob } from "../widgets/csv";
import type { User } from "./types";

/** All that is kept of somebody: handed over, or erased for good. */
export function PersonData({ user, self, onErased }: { user: User; self: boolean; onErased(): void }) {
  const { t } = useSpeech();
  const [erasing, setErasing] = useState(false);
  const [save, saving, problem] = useAction(async () => saveBlob(await blobOf("post", "/admin/users/{id}/export", { path: { id: user.id } }), `bancada-${user.id}.zip`));
  return (
    <fieldset class="checks">
      <legend>{t("data.own_title")}</legend>
      <p class="hint">{t("data.admin_words")}</p>
      <ErrorNote problem={problem} />
      <div class="form-actions start">
        <Button small icon="download" busy={saving} onClick={() => void save()}>
          {t("data.export")}
        </Button>
        {!self && (
          <Button small kind="danger" icon="trash" onClick={() => setErasing(true)}>
            {t("data.erase")}
          </Button>
        )}
      </div>
      {erasing && <Erasing user={user} onClose={() => setErasing(false)} onErased={onErased} />}
    </fieldset>
  );
}

function Erasing({ user, onClose, onErased }: { user: User; onClose(): void; onErased(): void }) {
  const { t } = useSpeech();
  const [email, setEmail] = useState("");
  const at = { path: { id: user.id } };
  const would = useLoad(() => api.post("/admin/users/{id}/erase", { ...at, body: { email: user.email, dry_run: true } }), [user.id]);
  const [erase, busy, problem] = useAction(async () => {
    await api.post("/admin/users/{id}/erase", { ...at, body: { email: email.trim() } });
    onErased();
  });
  return (
    <Dialog title={t("data.erase_title", { name: user.name || user.email })} onClose={onClose}>
      <p>{t("data.erase_words")}</p>
      <Await of={would}>
        {(found) => (
          <ul>
            <li>{t("data.would_rows", { n: Object.values(found.rows).reduce((sum, n) => sum + n, 0) })}</li>
            <li>{t("data.would_files", { n: found.files })}</li>
            <li>{t("data.would_audit", { n: found.audit_entries })}</li>
          </ul>
        )}
      </Await>
      <Note kind="warn">{t("data.for_good")}</Note>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // This form stands inside the person's own, which would be saved with it.
          event.stopPropagation();
          void erase();
        }}
      >
        <TextField type="email" label={t("data.say_address", { email: user.email })} value={email} onText={setEmail} autocomplete="off" required />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={email.trim().toLowerCase() !== user.email}>
            {t("data.erase")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
