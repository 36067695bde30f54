import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Decision } from "../state/conversation";
import type { Json, JsonObject } from "../state/events";
import { useToolName } from "../state/toolNames";
import type { Approval, Inquiry } from "../state/turn";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useNow } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { JsonView } from "../ui/JsonView";
import { Properties } from "../ui/SchemaForm";

interface QuestionCardProps {
  approval: Approval;
  inquiries: Inquiry[];
  decide(id: string, decision: Decision): Promise<void>;
}

/** What a tool asks in the middle of a call: the answer lets it go on. Others wrote the words; they are shown as text. */
export function QuestionCard({ approval, inquiries, decide }: QuestionCardProps) {
  const { t, left } = useSpeech();
  const nameOf = useToolName();
  const now = useNow();
  const [answers, setAnswers] = useState<Record<string, JsonObject>>(() => Object.fromEntries(inquiries.map((one) => [one.key, defaults(one.schema)])));
  const [valid, setValid] = useState(true);
  const [run, busy, problem] = useAction((decision: Decision) => decide(approval.id, decision));
  const expired = new Date(approval.expires_at).getTime() <= now;
  return (
    <section class="approval question" aria-label={t("question.title", { name: nameOf(approval.name) })}>
      <header>
        <Icon name="info" />
        <h3>{t("question.title", { name: nameOf(approval.name) })}</h3>
        <span class="approval-time">
          <Icon name="clock" size={14} /> {expired ? t("approval.expired") : t("approval.left", { time: left(approval.expires_at, now) })}
        </span>
      </header>
      <p class="hint">{t("question.intro")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run({ decision: "approve", input: answers as unknown as JsonObject });
        }}
      >
        {inquiries.map((one) => (
          <fieldset key={one.key} class="question-part">
            <legend class="question-words">{one.message}</legend>
            {one.url ? (
              <Visit url={one.url} />
            ) : (
              <Properties schema={one.schema} root={one.schema} value={answers[one.key] ?? {}} onValid={setValid} onChange={(next) => setAnswers((all) => ({ ...all, [one.key]: next as JsonObject }))} />
            )}
          </fieldset>
        ))}
        <JsonView value={approval.input} label={t("approval.what")} />
        {expired ? (
          <p class="hint">{t("approval.expired_words")}</p>
        ) : (
          <div class="approval-actions">
            <Button type="submit" kind="primary" icon="check" busy={busy} disabled={!valid}>
              {t(inquiries.every((one) => one.url) ? "question.done" : "question.answer")}
            </Button>
            <Button icon="close" disabled={busy} onClick={() => void run({ decision: "reject" })}>
              {t("question.decline")}
            </Button>
          </div>
        )}
      </form>
      <ErrorNote problem={problem} />
    </section>
  );
}

const OWN = /^\/#\/connections\/([^/]+)\/sign-in$/;

/** Somewhere to go first. The address is written out: a name could say anything. */
function Visit({ url }: { url: string }) {
  const { t } = useSpeech();
  const own = OWN.exec(url)?.[1];
  const [begin, busy, problem] = useAction(async () => {
    const door = await api.post("/connections/{id}/sign-in", { path: { id: own ?? "" } });
    window.open(door.url, "_blank", "noopener");
  });
  if (own) {
    return (
      <>
        <Button icon="key" busy={busy} onClick={() => void begin()}>
          {t("question.sign_in")}
        </Button>
        <ErrorNote problem={problem} />
      </>
    );
  }
  return (
    <p>
      {t("question.visit")}{" "}
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {url}
      </a>
    </p>
  );
}

function defaults(schema: JsonObject): JsonObject {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  const given = Object.entries(properties).filter(([, one]) => one["default"] !== undefined);
  return Object.fromEntries(given.map(([name, one]) => [name, one["default"] as Json]));
}
