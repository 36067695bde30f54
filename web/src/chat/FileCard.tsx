import { useEffect, useState } from "preact/hooks";
import { blobOf } from "../api/client";
import { useSpeech } from "../i18n";
import type { FileLink } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useSeen } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { saveBlob } from "../widgets/csv";

const PICTURE = /^image\/(png|jpe?g|gif|webp|svg\+xml)$/;

/** Only our own server is asked, whatever address an event says. */
const contentOf = (id: string) => blobOf("get", "/files/{id}", { path: { id } });

/** A file that code or a tool made: pictures are shown, everything can be saved. */
export function FileCard({ file }: { file: FileLink }) {
  const { t, bytes } = useSpeech();
  const { id, media_type } = file;
  const picture = PICTURE.test(media_type);
  const [place, seen] = useSeen<HTMLDivElement>();
  const [shown, setShown] = useState<string | null>(null);
  const [save, busy, problem] = useAction(async () => saveBlob(await contentOf(id), file.name));
  useEffect(() => {
    if (!picture || !seen) return;
    let url: string | null = null;
    let gone = false;
    contentOf(id)
      .then((blob) => {
        if (gone) return;
        url = URL.createObjectURL(new Blob([blob], { type: media_type }));
        setShown(url);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [id, media_type, picture, seen]);
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
