import { useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import { PinDialog } from "../dashboards/PinDialog";
import { useSpeech } from "../i18n";
import type { WidgetPart } from "../state/parts";
import { Button, IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { Check, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { fileName, saveBlob } from "../widgets/csv";

/** What can be kept of a card: on a dashboard, as a study that runs again, on paper. */
export function PinButton({ card }: { card: WidgetPart }) {
  const { t } = useSpeech();
  const { event } = card;
  const [open, setOpen] = useState<"pin" | "study" | null>(null);
  const [print, printing, failed] = useAction(async (id: string) => saveBlob(await blobOf("get", "/reports/{id}", { path: { id } }), fileName(String(card.data["titulo"] ?? ""), "pdf")));
  return (
    <>
      <IconButton small icon="pin" label={t("dashboards.pin")} onClick={() => setOpen("pin")} />
      {event && <IconButton small icon="flask" label={t("studies.save")} onClick={() => setOpen("study")} />}
      {event && <IconButton small icon="file" label={t("studies.pdf")} disabled={printing} onClick={() => void print(event)} />}
      <ErrorNote problem={failed} />
      {open === "pin" && <PinDialog card={card} onClose={() => setOpen(null)} />}
      {open === "study" && event && <SaveStudy event={event} title={String(card.data["titulo"] ?? "")} onClose={() => setOpen(null)} />}
    </>
  );
}

/** The call behind a card, kept by name: it can be made again later, with the data of then. */
function SaveStudy({ event, title, onClose }: { event: string; title: string; onClose(): void }) {
  const { t } = useSpeech();
  const [name, setName] = useState(title.slice(0, 120));
  const [shared, setShared] = useState(false);
  const [save, busy, problem] = useAction(async () => {
    await api.post("/studies", { body: { name: name.trim(), event, shared } });
    toast(t("studies.saved"));
    onClose();
  });
  return (
    <Dialog title={t("studies.save")} onClose={onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void save();
        }}
      >
        <p class="hint">{t("studies.save_words")}</p>
        <TextField label={t("studies.name")} value={name} onText={setName} required maxLength={120} />
        <Check label={t("studies.share")} checked={shared} onChange={setShared} />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" icon="flask" busy={busy} disabled={!name.trim()}>
            {t("studies.save_action")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
