import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { WidgetPart } from "../state/parts";
import { IconButton } from "../ui/Button";
import { PinDialog } from "../dashboards/PinDialog";

export function PinButton({ card }: { card: WidgetPart }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton small icon="pin" label={t("dashboards.pin")} onClick={() => setOpen(true)} />
      {open && <PinDialog card={card} onClose={() => setOpen(false)} />}
    </>
  );
}
