import { useSpeech } from "../i18n";
import type { FileLink } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { saveBlob } from "../widgets/csv";
import { contentOf, usePicture } from "./Attachments";

const PICTURE = /^image\/(png|jpe?g|gif|webp|svg\+xml)$/;

/** A file that code or a tool made: pictures are shown, everything can be saved. */
export function FileCard({ file }: { file: FileLink }) {
  const { t, bytes } = useSpeech();
  const picture = PICTURE.test(file.media_type);
  const [place, shown] = usePicture(picture ? file.media_type : null, file.id);
  const [save, busy, problem] = useAction(async () => saveBlob(await contentOf(file.id), file.name));
  return (
    <div class="file-card" ref={place}>
      {picture && <div class="picture">{shown && <img src={shown} alt={file.name} />}</div>}
      <div class="file-line">
        <Icon name="file" size={16} />
        <span class="file-name">{file.name}</span>
        <span class="hint">{bytes(file.size)}</span>
        <Button small kind="quiet" icon="download" busy={busy} onClick={() => void save()} aria-label={t("file.save", { name: file.name })}>
          {t("ui.download")}
        </Button>
      </div>
      <ErrorNote problem={problem} />
    </div>
  );
}
