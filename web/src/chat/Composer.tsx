import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Uploading } from "../state/conversation";
import { draftOf, keepDraft } from "../state/drafts";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/icons";

interface ComposerProps {
  placeholder: string;
  busy: boolean;
  onSend(text: string): void;
  onStop?(): void;
  onFile?(file: File): void;
  uploading?: Uploading | null;
  onCancelUpload?(): void;
  /** Text that comes back because it could not be sent. */
  returned?: string | null;
  note?: string | null;
  draftKey?: string;
  /** Stands in the composer, above the line that is written. */
  children?: ComponentChildren;
}

export const ACCEPTED = ".csv,.xlsx";

/** Where questions are written. Enter sends; Shift+Enter, or Enter on a touch screen, makes a new line. */
export function Composer({ placeholder, busy, onSend, onStop, onFile, uploading, onCancelUpload, returned, note, draftKey, children }: ComposerProps) {
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
    onSend(question);
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
      {note && <p class="composer-note">{note}</p>}
      <div class="composer-row">
        {onFile && (
          <>
            <input
              ref={picker}
              type="file"
              hidden
              accept={ACCEPTED}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                event.currentTarget.value = "";
                if (file) onFile(file);
              }}
            />
            <IconButton icon="clip" label={t("upload.choose")} disabled={Boolean(uploading) || busy} onClick={() => picker.current?.click()} />
          </>
        )}
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
            const file = event.clipboardData?.files[0];
            if (!file || !onFile) return;
            event.preventDefault();
            onFile(file);
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
