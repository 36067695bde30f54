import { useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button, IconButton } from "../ui/Button";
import { memo } from "../ui/memo";
import { CopyButton } from "../ui/parts";

interface QuestionProps {
  text: string;
  at: string;
  onEdit: ((text: string) => void) | null;
}

export const Question = memo(function Question({ text, at, onEdit }: QuestionProps) {
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
      <p class="bubble" dir="auto" title={moment(at)}>
        {text}
      </p>
      <div class="question-actions">
        <CopyButton text={text} label={t("chat.copy_question")} />
        {onEdit && <IconButton small icon="edit" data-edit="" label={t("chat.edit_question")} onClick={() => setDraft(text)} />}
      </div>
    </article>
  );
}, (a, b) => a.text === b.text && a.at === b.at && (a.onEdit === null) === (b.onEdit === null));
