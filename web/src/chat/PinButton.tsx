import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { WidgetPart } from "../state/parts";
import type { Turn } from "../state/turn";
import { IconButton } from "../ui/Button";
import { PinDialog } from "../dashboards/PinDialog";

export function PinButton({ turn, card }: { turn: Turn; card: WidgetPart }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton small icon="pin" label={t("dashboards.pin")} onClick={() => setOpen(true)} />
      {open && <PinDialog turn={turn} card={card} onClose={() => setOpen(false)} />}
    </>
  );
}
