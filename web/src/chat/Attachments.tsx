import { useCallback, useEffect, useState } from "preact/hooks";
import { blobOf } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { IconButton } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useSeen } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { saveBlob } from "../widgets/csv";

export type Attached = Wire["AttachmentOut"];
export type Shown = Wire["AgentOut"]["shown"][number];

const MOST = 20;
const KINDS: Record<Shown, string[]> = {
  images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  documents: ["application/pdf"],
};

/** Which of the kinds that a model can be shown a file says it is; the server looks at its bytes. */
export function kindOf(file: File): Shown | null {
  return (Object.keys(KINDS) as Shown[]).find((kind) => KINDS[kind].includes(file.type)) ?? null;
}

/** What the file picker offers beside tables. */
export function acceptedOf(shown: readonly Shown[]): string[] {
  return shown.flatMap((kind) => KINDS[kind]);
}

export interface Attaching {
  files: File[];
  /** Why the last one was not taken. */
  refused: string | null;
  /** Take these for the next question; returns those that are something else. */
  take(files: Iterable<File>): File[];
  put(files: File[]): void;
}

/** What goes with the next question, while it is being written. */
export function useAttaching(shown: readonly Shown[]): Attaching {
  const { t } = useSpeech();
  const [files, setFiles] = useState<File[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const take = (given: Iterable<File>): File[] => {
    const others: File[] = [];
    const fit: File[] = [];
    let why: string | null = null;
    for (const file of given) {
      const kind = kindOf(file);
      if (!kind) others.push(file);
      else if (!shown.includes(kind)) why = t("attach.unseen", { name: file.name });
      else if (files.length + fit.length >= MOST) why = t("attach.too_many", { n: MOST });
      else fit.push(file);
    }
    setRefused(why);
    if (fit.length) setFiles((now) => [...now, ...fit]);
    return others;
  };
  const put = useCallback((given: File[]) => {
    setRefused(null);
    setFiles(given);
  }, []);
  return { files, refused, take, put };
}

/** What will go with the question: seen, and taken away again. */
export function Chips({ attaching, disabled }: { attaching: Attaching; disabled: boolean }) {
  const { t } = useSpeech();
  const { files, refused, put } = attaching;
  return (
    <>
      {files.length > 0 && (
        <ul class="attached-list" aria-label={t("attach.list")}>
          {files.map((file, index) => (
            <li key={`${index}-${file.name}`} class="attached">
              <Chosen file={file} />
              <IconButton small icon="close" label={t("attach.remove", { name: file.name })} disabled={disabled} onClick={() => put(files.filter((one) => one !== file))} />
            </li>
          ))}
        </ul>
      )}
      <p class="composer-note" role="status" hidden={!refused}>
        {refused}
      </p>
    </>
  );
}

function Chosen({ file }: { file: File }) {
  const { t, bytes } = useSpeech();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (kindOf(file) !== "images") return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url) return <img class="thumbnail" src={url} alt={t("attach.image", { name: file.name })} title={`${file.name} · ${bytes(file.size)}`} />;
  return <Named name={file.name} size={file.size} />;
}

function Named({ name, size }: { name: string; size: number }) {
  const { bytes } = useSpeech();
  return (
    <span class="attached-name">
      <Icon name="file" size={16} />
      <span class="file-name">{name}</span>
      <span class="hint">{bytes(size)}</span>
    </span>
  );
}

/** What went with a question that was asked. `link`: for somebody who reads it by that link. */
export function AttachedFiles({ files, link = null }: { files: Attached[]; link?: string | null }) {
  const { t } = useSpeech();
  if (!files.length) return null;
  return (
    <ul class="attached-list sent" aria-label={t("attach.list")}>
      {files.map((file) => (
        <li key={file.id}>
          <Sent file={file} link={link} />
        </li>
      ))}
    </ul>
  );
}

/** Only our own server is asked, whatever address an event says. `link`: as a reader of that link. */
export const contentOf = (id: string, link: string | null = null) =>
  link === null ? blobOf("get", "/files/{id}", { path: { id } }) : blobOf("get", "/shared/{id}/files/{file_id}", { path: { id: link, file_id: id } });

function Sent({ file, link }: { file: Attached; link: string | null }) {
  const { t } = useSpeech();
  const [place, shown] = usePicture(file.media_type.startsWith("image/") ? file.media_type : null, file.id, link);
  const [save, busy, problem] = useAction(async () => saveBlob(await contentOf(file.id, link), file.name));
  const picture = file.media_type !== "application/pdf";
  return (
    <>
      <button ref={place} type="button" class={picture ? "attached thumbnail" : "attached"} disabled={busy} title={t("file.save", { name: file.name })} onClick={() => void save()}>
        {picture ? <img class="thumbnail" src={shown ?? undefined} alt={t("attach.image", { name: file.name })} /> : <Named name={file.name} size={file.size} />}
      </button>
      <ErrorNote problem={problem} />
    </>
  );
}

/** A picture behind the token, once it comes near the view; none of a file that is no picture. */
export function usePicture(mediaType: string | null, id: string, link: string | null = null): [(element: Element | null) => void, string | null] {
  const [place, seen] = useSeen<Element>();
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (mediaType === null || !seen) return;
    let url: string | null = null;
    let gone = false;
    contentOf(id, link)
      .then((blob) => {
        if (gone) return;
        url = URL.createObjectURL(new Blob([blob], { type: mediaType }));
        setShown(url);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [mediaType, id, link, seen]);
  return [place, shown];
}
