import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Entry } from "../state/chat";
import type { Conversation } from "../state/conversation";
import { type Segment, segments } from "../state/parts";
import { developer, person } from "../state/person";
import { useStore } from "../state/store";
import { textOf } from "../state/turn";
import { Button, IconButton, Spinner } from "../ui/Button";
import { Icon } from "../ui/icons";
import { Markdown } from "../ui/Markdown";
import { memo } from "../ui/memo";
import { ASK } from "../ui/sanitise";
import { CopyButton } from "../ui/parts";
import { Widget } from "../widgets/Widget";
import { ApprovalBatch, ApprovalCard, type Decide } from "./ApprovalCard";
import { CallCards } from "./CallCards";
import { CodeCard } from "./CodeCard";
import { DashboardCard } from "./DashboardCard";
import { DeveloperPanel } from "./DeveloperPanel";
import { PinButton } from "./PinButton";
import { TurnError } from "./TurnError";
import { WhyBad } from "./WhyBad";

type TurnEntry = Extract<Entry, { kind: "turn" }>;

interface AnswerProps {
  entry: TurnEntry;
  conversation: Conversation;
  last: boolean;
  /** The question that can be asked again from here. */
  question: string | null;
}

/** One turn's answer: text, what was called, what it showed, what it asks, what it cost. */
export const Answer = memo(function Answer({ entry, conversation, last, question }: AnswerProps) {
  const { t } = useSpeech();
  const { turn } = entry;
  const me = useStore(person);
  const dev = useStore(developer) && me?.role === "admin";
  const running = turn.status === "running";
  const shown = segments(turn.parts);
  const lastSegment = shown.at(-1);
  return (
    <article class="answer" aria-label={t("chat.answer")} aria-busy={running} onClick={(event) => askLinked(event, conversation)}>
      {shown.map((segment) => (
        <OneSegment
          key={segment.key}
          segment={segment}
          growing={running && segment === lastSegment}
          conversation={conversation}
          last={last}
        />
      ))}
      {running && !isWriting(lastSegment) && (
        <p class="thinking-dots">
          <Spinner /> {turn.again ?? t("chat.working")}
        </p>
      )}
      {turn.status === "stopped" && (
        <p class="turn-note">
          <Icon name="stop" size={16} /> {t("chat.stopped")}
          {last && (
            <Button small icon="retry" onClick={() => void conversation.retry()}>
              {t("chat.continue")}
            </Button>
          )}
        </p>
      )}
      {!running && <TurnFooter entry={entry} conversation={conversation} question={question} />}
      {dev && turn.id && !running && <DeveloperPanel entry={entry} />}
    </article>
  );
});

/** A question that an answer offers is asked, word for word, when it is clicked. */
function askLinked(event: MouseEvent, conversation: Conversation): void {
  const link = (event.target as Element | null)?.closest?.(`a[href="${ASK}"]`);
  if (!link) return;
  event.preventDefault();
  const question = link.textContent?.trim();
  if (question) void conversation.ask(question);
}

function isWriting(segment: Segment | undefined): boolean {
  if (!segment) return false;
  // Thinking has a spinner of its own while it grows.
  if (segment.kind === "part") return !["approval", "instead"].includes(segment.part.kind);
  return segment.kind === "calls" && segment.calls.some((call) => call.status === "running");
}

interface SegmentProps {
  segment: Segment;
  growing: boolean;
  conversation: Conversation;
  last: boolean;
}

function OneSegment({ segment, growing, conversation, last }: SegmentProps) {
  if (segment.kind === "calls") return <CallCards calls={segment.calls} />;
  if (segment.kind === "waiting") {
    const decide: Decide = (id, decision) => conversation.decide(id, decision);
    const [only, another] = segment.approvals;
    if (only && !another) return <ApprovalCard key={only.id} approval={only} decide={decide} />;
    return <ApprovalBatch approvals={segment.approvals} decide={decide} />;
  }
  if (segment.kind === "cards") {
    return (
      <div class="cards">
        {segment.cards.map((card, index) =>
          card.kind === "dashboard" ? (
            <DashboardCard key={index} id={card.id} title={card.title} />
          ) : (
            <Widget
              key={index}
              kind={card.widget}
              data={card.data}
              actions={<PinButton card={card} />}
            />
          ),
        )}
      </div>
    );
  }
  const { part } = segment;
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} outside={part.outside} growing={growing} />;
    case "thinking":
      return <Thinking text={part.text} outside={part.outside} growing={growing} />;
    case "code":
      return <CodeCard run={part.run} />;
    case "approval":
      return <ApprovalCard approval={part.approval} decide={(id, decision) => conversation.decide(id, decision)} />;
    case "instead":
      return (
        <p class="turn-note">
          <Icon name="alert" size={16} /> <span>{part.content}</span>
        </p>
      );
    case "error":
      return <TurnError error={part} conversation={conversation} last={last} />;
  }
}

function Thinking({ text, outside, growing }: { text: string; outside: boolean; growing: boolean }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <div class="thinking">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        {growing ? <Spinner /> : <Icon name="spark" size={16} />}
        <span class="call-name">{t(growing ? "chat.thinking" : "chat.thought")}</span>
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {open && <Markdown text={text} outside={outside} growing={growing} />}
    </div>
  );
}

function TurnFooter({ entry, conversation, question }: { entry: TurnEntry; conversation: Conversation; question: string | null }) {
  const { t, number, money } = useSpeech();
  const { turn, feedback } = entry;
  const text = textOf(turn);
  const spent = turn.spent;
  const tokens = spent ? spent.input_tokens + spent.cache_read_tokens + spent.cache_write_tokens + spent.output_tokens : 0;
  const detail = spent
    ? t("cost.detail", {
        input: number(spent.input_tokens),
        output: number(spent.output_tokens),
        read: number(spent.cache_read_tokens),
        write: number(spent.cache_write_tokens),
      })
    : "";
  const [asking, setAsking] = useState(false);
  const rate = (value: 1 | -1) => {
    setAsking(value === -1 && feedback !== -1);
    void conversation.feedback(entry.key, feedback === value ? 0 : value);
  };
  if (turn.status === "waiting") return null;
  return (
    <>
      <footer class="turn-footer">
        {text && <CopyButton text={text} label={t("chat.copy_answer")} />}
        <IconButton small icon="thumbUp" label={t("chat.good")} aria-pressed={feedback === 1} onClick={() => rate(1)} />
        <IconButton small icon="thumbDown" label={t("chat.bad")} aria-pressed={feedback === -1} onClick={() => rate(-1)} />
        {question && <IconButton small icon="retry" label={t("chat.try_again")} onClick={() => void conversation.askAgain(question)} />}
        {spent && tokens > 0 && (
          <span class="cost" title={detail}>
            {t("cost.tokens", { n: number(tokens, { notation: "compact" }) })}
            {spent.cost_usd !== null && spent.cost_usd > 0 && ` · ${spent.estimated ? "≈ " : ""}${money(spent.cost_usd)}`}
          </span>
        )}
      </footer>
      {feedback === -1 && (
        <WhyBad
          why={entry.why}
          open={asking}
          onOpen={setAsking}
          onSay={(why) => conversation.feedback(entry.key, -1, why)}
        />
      )}
    </>
  );
}
