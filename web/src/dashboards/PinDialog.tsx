import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { WidgetPart } from "../state/parts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, SelectField, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { takesWidgets } from "./dashboard";

interface PinDialogProps {
  card: WidgetPart;
  onClose(): void;
}

/** Keep a chart, table or figure on a dashboard: a new one, or one there is. */
export function PinDialog({ card, onClose }: PinDialogProps) {
  const { t } = useSpeech();
  const known = useLoad((signal) => api.get("/dashboards", { signal }), []);
  const [target, setTarget] = useState("");
  const [title, setTitle] = useState(String(card.data["titulo"] ?? ""));
  const [pin, busy, problem] = useAction(async () => {
    // The server has the widget and its call on record; the data travel only where it has not.
    const item = card.event ? { event: card.event } : { type: card.widget, data: card.data };
    await api.post("/dashboards", { body: {
      ...(target ? { dashboard_id: target } : { titulo: title.trim() }),
      items: [item],
    } });
    toast(t("dashboards.pinned"));
    onClose();
  });
  const form = useRef<HTMLFormElement>(null);
  const ready = known.data !== null;
  useEffect(() => form.current?.querySelector<HTMLElement>("select")?.focus(), [ready]);
  return (
    <Dialog title={t("dashboards.pin")} onClose={onClose}>
      <Await of={known}>
        {(list) => (
          <form
            ref={form}
            onSubmit={(event) => {
              event.preventDefault();
              void pin();
            }}
          >
            <SelectField
              label={t("dashboards.where")}
              value={target}
              onPick={setTarget}
              options={[["", t("dashboards.new")], ...list.filter(takesWidgets).map((one) => [one.id, one.titulo] as const)]}
            />
            {!target && <TextField label={t("dashboards.name")} value={title} onText={setTitle} required maxLength={200} />}
            <ErrorNote problem={problem} />
            <div class="form-actions">
              <Button onClick={onClose}>{t("ui.cancel")}</Button>
              <Button kind="primary" type="submit" icon="pin" busy={busy} disabled={!target && !title.trim()}>
                {t("dashboards.pin_action")}
              </Button>
            </div>
          </form>
        )}
      </Await>
    </Dialog>
  );
}
