import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { TextField } from "../ui/parts";

/** What a dashboard is to be called. */
export function NameDialog({ title, action, name, onName, onClose }: { title: string; action: string; name: string; onName(name: string): Promise<unknown>; onClose(): void }) {
  const { t } = useSpeech();
  const [text, setText] = useState(name);
  const [save, busy, problem] = useAction(async () => {
    await onName(text.trim());
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("dashboards.name")} value={text} onText={setText} required maxLength={200} autoFocus />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!text.trim()}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
