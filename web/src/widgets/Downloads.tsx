import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { Menu } from "../ui/parts";
import { toast } from "../ui/toast";
import { downloadCsv, fileName, saveBlob } from "./csv";

interface DownloadsProps {
  title: string;
  columns: string[];
  rows: Json[][];
  /** The picture as it is drawn, where there is one. */
  picture?: () => Promise<Blob | null>;
}

/** What a card shows, as a file: rows, a workbook, and a picture where there is one. */
export function Downloads({ title, columns, rows, picture }: DownloadsProps) {
  const { t } = useSpeech();
  const workbook = async () => {
    const { xlsxOf } = await import("./xlsx");
    saveBlob(xlsxOf(title, columns, rows), fileName(title, "xlsx"));
  };
  const save = async () => {
    const blob = await picture?.();
    if (blob) saveBlob(blob, fileName(title, "png"));
  };
  const copy = async () => {
    const blob = await picture?.();
    if (!blob) return;
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    toast(t("ui.copied"));
  };
  // Plain HTTP on a plant's network has no clipboard for pictures.
  const mayCopy = picture && window.isSecureContext && "ClipboardItem" in window;
  return (
    <Menu
      label={t("widget.download", { title })}
      icon="download"
      items={[
        { label: t("widget.csv"), onPick: () => downloadCsv(title, columns, rows) },
        { label: t("widget.xlsx"), onPick: () => void workbook() },
        ...(picture ? [{ label: t("widget.png"), onPick: () => void save() }] : []),
        ...(mayCopy ? [{ label: t("widget.copy"), onPick: () => void copy() }] : []),
      ]}
    />
  );
}
