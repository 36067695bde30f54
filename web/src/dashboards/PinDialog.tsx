import { useState } from "preact/hooks";
import { get, post } from "../api/client";
import { useSpeech } from "../i18n";
import type { WidgetPart } from "../state/parts";
import type { Turn } from "../state/turn";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, SelectField, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import type { Dashboard } from "./dashboard";

interface PinDialogProps {
  turn: Turn;
  card: WidgetPart;
  onClose(): void;
}

/** Keep a chart, table or figure on a dashboard: a new one, or one there is. */
export function PinDialog({ turn, card, onClose }: PinDialogProps) {
  const { t } = useSpeech();
  const known = useLoad((signal) => get<Dashboard[]>("/dashboards", { signal }), []);
  const [target, setTarget] = useState("");
  const [title, setTitle] = useState(String(card.data["titulo"] ?? ""));
  const [pin, busy, problem] = useAction(async () => {
    const made = turn.parts.find((part) => part.kind === "call" && part.call.id === card.callId);
    const call = made?.kind === "call" ? { tool: made.call.name, input: made.call.input } : {};
    await post("/dashboards", {
      ...(target ? { dashboard_id: target } : { titulo: title.trim() }),
      items: [{ type: card.widget, data: card.data, ...call }],
    });
    toast(t("dashboards.pinned"));
    onClose();
  });
  return (
    <Dialog title={t("dashboards.pin")} onClose={onClose}>
      <Await of={known}>
        {(list) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void pin();
            }}
          >
            <SelectField
              label={t("dashboards.where")}
              value={target}
              onPick={setTarget}
              options={[["", t("dashboards.new")], ...list.map((one) => [one.id, one.titulo] as const)]}
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
