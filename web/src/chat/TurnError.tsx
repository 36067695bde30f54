import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Conversation } from "../state/conversation";
import type { Part } from "../state/turn";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { Icon } from "../ui/icons";

/** Failures of the provider or the budget, which the offline planner does not share. */
const OFFERS_KEYWORDS = new Set(["invalid_api_key", "rate_limited", "overloaded", "budget_exceeded", "internal"]);

interface TurnErrorProps {
  error: Extract<Part, { kind: "error" }>;
  conversation: Conversation;
  last: boolean;
}

export function TurnError({ error, conversation, last }: TurnErrorProps) {
  const { t } = useSpeech();
  const [offline, busy, problem] = useAction(async () => {
    await api.patch("/conversations/{id}", { path: { id: conversation.id }, body: { mode: "keyword" } });
    conversation.setMode("keyword");
    await conversation.retry();
  });
  return (
    <div class="note error" role="alert">
      <Icon name="alert" />
      <div>
        <p>{error.content}</p>
        {last && (
          <div class="note-actions">
            <Button small icon="retry" onClick={() => void conversation.retry()}>
              {t("ui.try_again")}
            </Button>
            {OFFERS_KEYWORDS.has(error.code) && (
              <Button small busy={busy} onClick={() => void offline()}>
                {t("chat.use_keywords")}
              </Button>
            )}
          </div>
        )}
        <ErrorNote problem={problem} />
      </div>
    </div>
  );
}
