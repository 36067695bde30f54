import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Chat } from "../state/chat";
import type { Conversation } from "../state/conversation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { CopyButton, Field } from "../ui/parts";

/** Who may read this conversation beside its person: nobody, or colleagues with the link, up to a certain answer. */
export function ShareDialog({ chat, conversation, onClose }: { chat: Chat; conversation: Conversation; onClose(): void }) {
  const { t, moment } = useSpeech();
  const { share } = chat;
  const [ended, setEnded] = useState(false);
  const at = { path: { id: chat.id } };
  const [make, making, failed] = useAction(async () => {
    conversation.setShare(await api.post("/conversations/{id}/share", at));
    setEnded(false);
  });
  const [end, ending, problem] = useAction(async () => {
    await api.delete("/conversations/{id}/share", at);
    conversation.setShare(null);
    setEnded(true);
  });
  const later = share ? laterThan(chat, share.turn_id) : 0;
  return (
    <Dialog title={t("talk.share")} onClose={onClose}>
      <p>{t("talk.share_words")}</p>
      {share && (
        <>
          <Field label={t("talk.link")}>
            {(id) => (
              <div class="copy-line">
                <input id={id} readOnly value={`${location.origin}${share.url}`} onFocus={(event) => event.currentTarget.select()} />
                <CopyButton text={`${location.origin}${share.url}`} />
              </div>
            )}
          </Field>
          <p class="hint" role="status">
            {t("talk.shared_until", { when: moment(share.at) })} {later > 0 && t("talk.not_yet", { n: later })}
          </p>
        </>
      )}
      {ended && (
        <p class="hint" role="status">
          {t("talk.ended")}
        </p>
      )}
      <ErrorNote problem={failed ?? problem} />
      <div class="form-actions">
        {share && (
          <Button kind="danger" busy={ending} onClick={() => void end()}>
            {t("talk.end")}
          </Button>
        )}
        {(!share || later > 0) && (
          <Button kind="primary" icon="share" busy={making} onClick={() => void make()}>
            {t(share ? "talk.share_all" : "talk.make")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** How many questions of the branch on the screen came after the shared turn; all of them, when it is of another branch. */
function laterThan(chat: Chat, turnId: string): number {
  const turns = chat.entries.flatMap((entry) => (entry.kind === "turn" ? [entry.turn.id] : []));
  return turns.length - 1 - turns.indexOf(turnId);
}
