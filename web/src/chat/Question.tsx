import { useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button, IconButton } from "../ui/Button";
import { memo } from "../ui/memo";
import { CopyButton } from "../ui/parts";
import { AttachedFiles, type Attached } from "./Attachments";

interface QuestionProps {
  text: string;
  attachments: Attached[];
  at: string;
  onEdit: ((text: string) => void) | null;
  /** Which version it is, from 1, and of how many. */
  version: number;
  versions: number;
  /** Show the version of this number. */
  onVersion: ((version: number) => void) | null;
}

export const Question = memo(function Question({ text, attachments, at, onEdit, version, versions, onVersion }: QuestionProps) {
  const { t, moment } = useSpeech();
  const [draft, setDraft] = useState<string | null>(null);
  const place = useRef<HTMLElement>(null);
  const leave = () => {
    setDraft(null);
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>("[data-edit]")?.focus());
  };
  if (draft !== null && onEdit) {
    const send = () => {
      setDraft(null);
      if (draft.trim()) onEdit(draft.trim());
      if (!matchMedia("(pointer: coarse)").matches) document.querySelector<HTMLElement>(".composer textarea")?.focus();
    };
    return (
      <form
        class="question editing"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <AttachedFiles files={attachments} />
        <textarea
          aria-label={t("chat.edit_question")}
          rows={3}
          autoFocus
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.preventDefault();
              leave();
            }
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              send();
            }
          }}
        />
        <div class="form-actions">
          <Button small onClick={leave}>
            {t("ui.cancel")}
          </Button>
          <Button small kind="primary" type="submit">
            {t("chat.ask_again")}
          </Button>
        </div>
      </form>
    );
  }
  return (
    <article class="question" ref={place} aria-label={t("chat.question")}>
      <div class="asked">
        <AttachedFiles files={attachments} />
        <p class="bubble" dir="auto" title={moment(at)}>
          {text}
        </p>
      </div>
      <div class="question-actions">
        {versions > 1 && (
          <span class="versions" role="group" aria-label={t("chat.versions")}>
            <IconButton small icon="left" label={t("chat.version_before")} disabled={!onVersion || version === 1} onClick={() => onVersion?.(version - 1)} />
            <span aria-label={t("chat.version", { n: version, of: versions })} role="img">
              {version}/{versions}
            </span>
            <IconButton small icon="right" label={t("chat.version_after")} disabled={!onVersion || version === versions} onClick={() => onVersion?.(version + 1)} />
          </span>
        )}
        <CopyButton text={text} label={t("chat.copy_question")} />
        {onEdit && <IconButton small icon="edit" data-edit="" label={t("chat.edit_question")} onClick={() => setDraft(text)} />}
      </div>
    </article>
  );
}, (a, b) => a.text === b.text && a.attachments === b.attachments && a.at === b.at && a.version === b.version && a.versions === b.versions && (a.onEdit === null) === (b.onEdit === null) && (a.onVersion === null) === (b.onVersion === null));
