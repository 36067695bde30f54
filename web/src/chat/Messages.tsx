import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { lineage, totals, type Chat, type Entry, type Lineage } from "../state/chat";
import type { Conversation } from "../state/conversation";
import { Button } from "../ui/Button";
import { whenIdle } from "../ui/idle";
import { memo, shallow } from "../ui/memo";
import { Answer } from "./Answer";
import { DataCard } from "./DataCard";
import { Question } from "./Question";

const STEP = 60;
const SLICE = 20;
/** So many are drawn in the pauses after the last ones, for the browser's own search; printing draws them all. */
const MOST = 1000;
const NEAR = 80;

interface MessagesProps {
  chat: Chat;
  conversation: Conversation;
  busy: boolean;
  /** What somebody looked for: the view goes there. */
  sought: Sought | null;
}

export interface Sought {
  message: string;
  turn: string | null;
}

function placeOf(entries: Entry[], { message, turn }: Sought): number {
  const exact = entries.findIndex((entry) => entry.messageId === message);
  return exact >= 0 ? exact : entries.findIndex((entry) => entry.kind === "turn" && entry.turn.id === turn);
}

/**
 * The conversation itself. The last entries are drawn at once and those before them bit by bit, and
 * the view follows the answer only while its reader is at the end.
 */
export function Messages({ chat, conversation, busy, sought }: MessagesProps) {
  const { t } = useSpeech();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const at = useRef(0);
  const [away, setAway] = useState(false);
  const [drawn, setDrawn] = useState(STEP);
  const { entries } = chat;
  const { seenFrom } = totals(chat);
  const from = Math.max(0, entries.length - drawn);
  const questions = entries.filter((entry) => entry.kind === "question").length;

  const toEnd = () => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };

  useLayoutEffect(() => {
    following.current = true;
    toEnd();
  }, [questions]);

  // Before the view would follow the end: drawn first, then gone to, and it stays there while pictures come.
  useEffect(() => {
    const index = sought ? placeOf(entries, sought) : -1;
    if (index < 0) return;
    following.current = false;
    setDrawn((now) => Math.max(now, entries.length - index + 3));
    const timer = setTimeout(() => {
      const found = content.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(entries[index]?.key ?? "")}"]`);
      found?.scrollIntoView({ block: "start" });
      found?.classList.add("sought");
    }, 60);
    return () => clearTimeout(timer);
    // Once for each message sought: what arrives later must not take the reader back to it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [sought?.message]);

  useEffect(() => {
    if (!content.current) return;
    const observer = new ResizeObserver(() => following.current && toEnd());
    observer.observe(content.current);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);

  const earlier = (more = STEP) => {
    const box = scroller.current;
    const fromEnd = box ? box.scrollHeight - box.scrollTop : 0;
    setDrawn((now) => now + more);
    // Where the browser does not hold the place by itself, we do.
    requestAnimationFrame(() => {
      if (box && !following.current && Math.abs(box.scrollHeight - box.scrollTop - fromEnd) > 4) box.scrollTop = box.scrollHeight - fromEnd;
    });
  };

  useEffect(() => {
    const mark = top.current;
    if (!mark || from === 0) return;
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && !following.current && earlier(), {
      root: scroller.current,
      rootMargin: "600px 0px 0px 0px",
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, [from]);

  useEffect(() => (from > 0 && drawn < MOST ? whenIdle(() => earlier(SLICE)) : undefined), [from, drawn]);
  useEffect(() => {
    const all = () => setDrawn(Infinity);
    window.addEventListener("beforeprint", all);
    return () => window.removeEventListener("beforeprint", all);
  }, []);

  const waiting = chat.entries.some((entry) => entry.kind === "turn" && entry.turn.status === "waiting");
  return (
    <div
      class="messages"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={t("chat.messages")}
      onScroll={(event) => {
        const box = event.currentTarget;
        const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
        // Content that grows also moves the end away; only somebody who scrolls up stops following.
        if (near) following.current = true;
        else if (box.scrollTop < at.current - 4) following.current = false;
        at.current = box.scrollTop;
        setAway(!near && !following.current);
      }}
    >
      <div class="messages-inner" ref={content}>
        {from > 0 && (
          <div ref={top} class="earlier">
            <Button small kind="quiet" icon="up" onClick={() => earlier()}>
              {t("chat.earlier", { n: from })}
            </Button>
          </div>
        )}
        {entries.slice(from).map((entry, index) => (
          <Fragment key={entry.key}>
            {entry.key === seenFrom && <DroppedOut />}
            <OneEntry
              entry={entry}
              conversation={conversation}
              last={from + index === entries.length - 1}
              question={questionOf(entries, from + index)}
              line={lineage(entries, from + index)}
              free={!busy}
              settled={!busy && !waiting}
            />
          </Fragment>
        ))}
      </div>
      {away && (
        <Button class="to-end" small icon="down" onClick={() => { following.current = true; toEnd(); }}>
          {t("chat.to_end")}
        </Button>
      )}
    </div>
  );
}

/** Where older messages drop out of what the model sees. */
function DroppedOut() {
  const { t } = useSpeech();
  return (
    <p class="dropped-out" title={t("chat.dropped_hint")}>
      <span>{t("chat.dropped")}</span>
    </p>
  );
}

/** The key of the question that an answer belongs to. */
function questionOf(entries: Entry[], index: number): string | null {
  const before = entries[index - 1];
  return before?.kind === "question" ? before.key : null;
}

interface OneEntryProps {
  entry: Entry;
  conversation: Conversation;
  last: boolean;
  question: string | null;
  line: Lineage;
  /** Nothing runs: a question can be asked. */
  free: boolean;
  /** Nothing runs or waits: another branch can be shown. */
  settled: boolean;
}

/** While an answer is written, only its own entry is drawn again. */
const OneEntry = memo(
  function OneEntry({ entry, conversation, last, question, line, free, settled }: OneEntryProps) {
    return (
      <div class={last ? "entry last" : "entry"} data-entry={entry.key}>
        {entry.kind === "question" && <OneQuestion entry={entry} conversation={conversation} free={free} settled={settled} />}
        {entry.kind === "upload" && <DataCard dataset={entry.dataset} line={line} conversation={conversation} free={free} />}
        {entry.kind === "turn" && <Answer entry={entry} conversation={conversation} last={last} question={settled ? question : null} />}
      </div>
    );
  },
  ({ line: was, ...before }, { line, ...now }) => shallow(was, line) && shallow(before, now),
);

function OneQuestion({ entry, conversation, free, settled }: { entry: Extract<Entry, { kind: "question" }>; conversation: Conversation; free: boolean; settled: boolean }) {
  const at = entry.versions.indexOf(entry.turnId);
  const choose = (version: number) => {
    const id = entry.versions[version - 1];
    if (id) void conversation.choose(id);
  };
  return (
    <Question
      text={entry.text}
      attachments={entry.attachments}
      at={entry.at}
      onEdit={free ? (text) => void conversation.askAgain(entry.key, text) : null}
      version={at + 1}
      versions={entry.versions.length}
      onVersion={settled ? choose : null}
    />
  );
}
