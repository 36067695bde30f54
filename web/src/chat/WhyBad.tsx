import { useEffect, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { REASONS, type Reason, type Why } from "../state/chat";
import { announce } from "../ui/announce";
import { Badge, Check, Field } from "../ui/parts";
import { Button } from "../ui/Button";

const LONGEST = 2000;

interface WhyBadProps {
  why: Why;
  open: boolean;
  onOpen(open: boolean): void;
  onSay(why: Why): Promise<void>;
}

/** After a thumb down: what was the matter, in a few ticks and words. The thumb counts without it. */
export function WhyBad({ why, open, onOpen, onSay }: WhyBadProps) {
  const { t } = useSpeech();
  const said = why.reasons.length > 0 || why.comment !== "";
  useEffect(() => {
    if (open) announce(t("why.title"));
  }, [open, t]);
  if (open) return <WhyForm why={why} onClose={() => onOpen(false)} onSay={onSay} />;
  return (
    <div class="why-said">
      {why.reasons.map((reason) => (
        <Badge key={reason}>{t(`why.${reason}`)}</Badge>
      ))}
      {why.comment && <q dir="auto">{why.comment}</q>}
      <Button small kind="quiet" onClick={() => onOpen(true)}>
        {t(said ? "why.change" : "why.say")}
      </Button>
    </div>
  );
}

function WhyForm({ why, onClose, onSay }: { why: Why; onClose(): void; onSay(why: Why): Promise<void> }) {
  const { t } = useSpeech();
  const [reasons, setReasons] = useState(why.reasons);
  const [comment, setComment] = useState(why.comment);
  const tick = (reason: Reason, on: boolean) => setReasons((now) => REASONS.filter((one) => (one === reason ? on : now.includes(one))));
  return (
    <form
      class="why"
      aria-label={t("why.title")}
      onSubmit={(event) => {
        event.preventDefault();
        announce(t("why.thanks"));
        onClose();
        void onSay({ reasons, comment: comment.trim() });
      }}
    >
      <fieldset>
        <legend>{t("why.title")}</legend>
        {REASONS.map((reason) => (
          <Check key={reason} label={t(`why.${reason}`)} checked={reasons.includes(reason)} onChange={(on) => tick(reason, on)} />
        ))}
      </fieldset>
      <Field label={t("why.comment")} hint={t("why.read_by")}>
        {(id, described) => (
          <textarea id={id} rows={2} maxLength={LONGEST} value={comment} aria-describedby={described} onInput={(event) => setComment(event.currentTarget.value)} />
        )}
      </Field>
      <div class="why-actions">
        <Button small kind="primary" type="submit" disabled={!reasons.length && !comment.trim()}>
          {t("why.send")}
        </Button>
        <Button small kind="quiet" onClick={onClose}>
          {t("ui.cancel")}
        </Button>
      </div>
    </form>
  );
}
