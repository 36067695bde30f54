import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Uploading } from "../state/conversation";
import { draftOf, keepDraft } from "../state/drafts";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/icons";
import { acceptedOf, Chips, type Attaching, type Shown } from "./Attachments";

interface ComposerProps {
  placeholder: string;
  busy: boolean;
  onSend(text: string, files: File[]): void;
  onStop?(): void;
  /** What goes with the question, and how a table is uploaded. */
  attaching: Attaching;
  shown: readonly Shown[];
  onTable(file: File): void;
  uploading?: Uploading | null;
  onCancelUpload?(): void;
  /** Text that comes back because it could not be sent. */
  returned?: string | null;
  note?: string | null;
  draftKey?: string;
  /** Stands in the composer, above the line that is written. */
  children?: ComponentChildren;
}

const TABLES = [".csv", ".xlsx"];

function chooseKey(shown: readonly Shown[]) {
  if (!shown.length) return "upload.choose";
  return shown.includes("documents") ? "attach.choose" : "attach.choose_images";
}

/** Where questions are written. Enter sends; Shift+Enter, or Enter on a touch screen, makes a new line. */
export function Composer({ placeholder, busy, onSend, onStop, attaching, shown, onTable, uploading, onCancelUpload, returned, note, draftKey, children }: ComposerProps) {
  const { t, number } = useSpeech();
  const [text, setText] = useState(() => draftOf(draftKey));
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (returned) setText((now) => now || returned);
  }, [returned]);
  useEffect(() => {
    if (draftKey !== undefined) keepDraft(draftKey, text);
  }, [text, draftKey]);
  useEffect(() => {
    // Ready to type, unless a keyboard would cover a small screen or somebody is at something else.
    const busyElsewhere = document.activeElement?.closest("input, textarea, select, dialog, .menu");
    if (!busyElsewhere && !matchMedia("(pointer: coarse)").matches) area.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, 220)}px`;
  }, [text]);

  const send = () => {
    const question = text.trim();
    if (!question || busy || uploading) return;
    setText("");
    attaching.put([]);
    onSend(question, attaching.files);
  };
  const take = (files: Iterable<File>) => {
    const [table] = attaching.take(files);
    if (table) onTable(table);
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {uploading && (
        <div class="upload-progress" role="status">
          <Icon name="clip" size={16} />
          <span class="file-name">{uploading.name}</span>
          <progress
            max={1}
            value={uploading.reading && !uploading.share ? undefined : uploading.share}
            aria-label={t(uploading.reading ? "upload.reading_file" : "upload.progress", { name: uploading.name })}
          />
          <span class="hint">
            {uploading.reading && t("upload.reading")} {uploading.share > 0 && number(uploading.share, { style: "percent" })}
          </span>
          <IconButton small icon="close" label={t("upload.cancel")} onClick={onCancelUpload ?? (() => undefined)} />
        </div>
      )}
      {children}
      <Chips attaching={attaching} disabled={Boolean(uploading)} />
      {note && <p class="composer-note">{note}</p>}
      <div class="composer-row">
        <input
          ref={picker}
          type="file"
          hidden
          multiple={shown.length > 0}
          accept={[...TABLES, ...acceptedOf(shown)].join()}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = "";
            take(files);
          }}
        />
        <IconButton icon="clip" label={t(chooseKey(shown))} disabled={Boolean(uploading) || busy} onClick={() => picker.current?.click()} />
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          value={text}
          placeholder={placeholder}
          aria-label={t("composer.label")}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            if (matchMedia("(pointer: coarse)").matches) return;
            event.preventDefault();
            send();
          }}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (!files.length) return;
            event.preventDefault();
            take(files);
          }}
        />
        {busy && onStop ? (
          <IconButton kind="primary" icon="stop" label={t("composer.stop")} onClick={onStop} />
        ) : (
          <IconButton kind="primary" type="submit" icon="send" label={t("composer.send")} disabled={!text.trim() || busy || Boolean(uploading)} />
        )}
      </div>
    </form>
  );
}
