import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem } from "../api/client";
import type { ConfirmationItem } from "../api/types";
import { useSpeech } from "../i18n";
import type { Decision } from "../state/conversation";
import type { Json, JsonObject } from "../state/events";
import { type Approval, inquiriesOf } from "../state/turn";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useNow } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { JsonView } from "../ui/JsonView";
import { mayDecide } from "../state/deciding";
import { person } from "../state/person";
import { useToolName } from "../state/toolNames";
import { useStore } from "../state/store";
import { AreaField, Check } from "../ui/parts";
import { SchemaForm } from "../ui/SchemaForm";
import { focusNext } from "./focus";
import { QuestionCard } from "./QuestionCard";
import { Resolved } from "./Resolved";

export type Decide = (id: string, decision: Decision) => Promise<void>;

interface ApprovalCardProps {
  approval: Approval;
  decide: Decide;
}

/** What the call will do, in words: the tool's own, else its name. */
export function useTitleOf(): (approval: Approval) => string {
  const nameOf = useToolName();
  return (approval) => (approval.title && approval.title !== approval.name ? approval.title : nameOf(approval.name));
}

interface Known {
  item: ConfirmationItem | null;
  /** Not this person's to see: somebody else decides. */
  notMine: boolean;
}

function useKnown(approval: Approval): Known {
  const [item, setItem] = useState<ConfirmationItem | null>(null);
  const [hidden, setHidden] = useState(false);
  const me = useStore(person);
  useEffect(() => {
    if (approval.verdict) return;
    const control = new AbortController();
    api.get("/confirmations/{id}", { path: { id: approval.id }, signal: control.signal })
      .then(setItem)
      .catch((error: unknown) => setHidden(error instanceof Problem && error.status === 404));
    return () => control.abort();
  }, [approval.id, approval.verdict]);
  return { item, notMine: hidden || (item !== null && me !== null && !mayDecide(me, item)) };
}

/** A call that waits for a person: what will be done, to what, why it asks, and how long it can wait. */
export function ApprovalCard({ approval, decide }: ApprovalCardProps) {
  const { t } = useSpeech();
  const titleOf = useTitleOf();
  const known = useKnown(approval);
  if (approval.verdict) return <Resolved approval={approval} />;
  if (approval.question && !known.notMine) return <QuestionCard approval={approval} inquiries={inquiriesOf(approval)} decide={decide} />;
  return (
    <section class="approval" aria-label={t("approval.title", { name: titleOf(approval) })}>
      <header>
        <Icon name="shield" />
        <h3>{titleOf(approval)}</h3>
        <TimeLeft approval={approval} />
      </header>
      <Deciding approval={approval} known={known} decide={decide} />
    </section>
  );
}

/** Several calls of one reply: a tick each, and one word for all that are ticked. */
export function ApprovalBatch({ approvals, decide }: { approvals: Approval[]; decide: Decide }) {
  const { t, count } = useSpeech();
  const titleOf = useTitleOf();
  const section = useRef<HTMLElement>(null);
  const [left, setLeft] = useState<Set<string>>(new Set());
  const ticked = approvals.filter((one) => !left.has(one.id));
  const [approve, busy, problem] = useAction(async () => {
    let failed: unknown = null;
    // One that somebody decided meanwhile does not hold the others up.
    for (const one of ticked) await decide(one.id, { decision: "approve" }).catch((error: unknown) => (failed = error));
    if (failed) throw failed;
    focusNext(section.current);
  });
  const shared = approvals.every((one) => one.reason === approvals[0]?.reason) ? approvals[0]?.reason : null;
  const tick = (id: string, on: boolean) =>
    setLeft((now) => {
      const next = new Set(now);
      if (on) next.delete(id);
      else next.add(id);
      return next;
    });
  return (
    <section class="approval batch" ref={section} aria-label={count("approval.several", approvals.length)}>
      <header>
        <Icon name="shield" />
        <h3>{count("approval.several", approvals.length)}</h3>
        {approvals[0] && <TimeLeft approval={approvals[0]} />}
      </header>
      {shared && <Reason words={shared} />}
      <ul class="approval-items">
        {approvals.map((one) => (
          <li key={one.id} class="approval-item">
            <Check label={titleOf(one)} checked={!left.has(one.id)} onChange={(on) => tick(one.id, on)} />
            <BatchItem approval={shared ? { ...one, reason: "" } : one} decide={decide} />
          </li>
        ))}
      </ul>
      <div class="approval-actions all">
        <Button kind="primary" icon="check" busy={busy} disabled={ticked.length === 0} onClick={() => void approve()}>
          {ticked.length === approvals.length ? t("approval.all") : count("approval.ticked", ticked.length)}
        </Button>
      </div>
      <ErrorNote problem={problem} />
    </section>
  );
}

function BatchItem({ approval, decide }: { approval: Approval; decide: Decide }) {
  const known = useKnown(approval);
  return <Deciding approval={approval} known={known} decide={decide} small />;
}

function TimeLeft({ approval }: { approval: Approval }) {
  const { t, left, moment } = useSpeech();
  const now = useNow();
  const expired = new Date(approval.expires_at).getTime() <= now;
  return (
    <span class="approval-time" title={moment(approval.expires_at)}>
      <Icon name="clock" size={14} /> {expired ? t("approval.expired") : t("approval.left", { time: left(approval.expires_at, now) })}
    </span>
  );
}

/** The reason, the arguments, and what can be said to them. */
function Deciding({ approval, known: { item, notMine }, decide, small = false }: { approval: Approval; known: Known; decide: Decide; small?: boolean }) {
  const { t, ago, moment } = useSpeech();
  const now = useNow();
  const [mode, setMode] = useState<"ask" | "edit" | "reject">("ask");
  const [input, setInput] = useState<Json>(approval.input);
  const [valid, setValid] = useState(true);
  const [reason, setReason] = useState("");
  const [remember, setRemember] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [run, busy, problem] = useAction(async (decision: Decision) => {
    await decide(approval.id, decision);
    focusNext(place.current);
  });
  const expired = new Date(approval.expires_at).getTime() <= now;
  const to = (next: "ask" | "edit" | "reject") => {
    setMode(next);
    const field = next === "ask" ? "button" : "input, textarea, select";
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>(`.approval-change :is(${field}), .approval-actions ${field}`)?.focus());
  };
  const approve = () => {
    const decision: Decision = { decision: "approve" };
    if (mode === "edit") decision.input = input as JsonObject;
    if (remember) decision.remember = "conversation";
    void run(decision);
  };

  return (
    <div class="approval-body" ref={place}>
      {approval.reason && <Reason words={approval.reason} />}
      {mode === "edit" ? (
        <div class="approval-change">
          <SchemaForm schema={(item?.input_schema ?? {}) as JsonObject} value={input} onChange={setInput} onValid={setValid} />
        </div>
      ) : (
        <JsonView value={approval.input} label={t("approval.what")} />
      )}
      {item && item.steps.length > 0 && <Steps steps={item.steps} />}
      <p class="hint">
        <code>{approval.name}</code>
        {approval.caller?.tool_id ? ` ${t("approval.from_code")}` : ""} · {t("approval.decides", { who: useDecider(item) })} · {t("approval.until", { time: moment(approval.expires_at) })}
        {item?.reminded_at && ` · ${t("approval.reminded", { time: ago(item.reminded_at) })}`}
      </p>
      {mode === "reject" && (
        <div class="approval-change">
          <AreaField label={t("approval.reason")} hint={t("approval.reason_hint")} value={reason} onText={setReason} rows={2} />
        </div>
      )}
      {notMine ? (
        <p class="hint">{t("approval.not_yours")}</p>
      ) : expired ? (
        <p class="hint">{t("approval.expired_words")}</p>
      ) : (
        <>
          {mode !== "reject" && item?.conversation_id && <Check label={t("approval.remember")} checked={remember} onChange={setRemember} />}
          <div class="approval-actions">
            {mode === "reject" ? (
              <>
                <Button small={small} kind="danger" busy={busy} onClick={() => void run(reason.trim() ? { decision: "reject", reason: reason.trim() } : { decision: "reject" })}>
                  {t("approval.reject")}
                </Button>
                <Button small={small} disabled={busy} onClick={() => to("ask")}>
                  {t("ui.back")}
                </Button>
              </>
            ) : (
              <>
                <Button small={small} kind={small ? "plain" : "primary"} icon="check" busy={busy} disabled={!valid} onClick={approve}>
                  {t(mode === "edit" ? "approval.approve_edited" : "approval.approve")}
                </Button>
                <Button small={small} icon="close" disabled={busy} onClick={() => to("reject")}>
                  {t("approval.reject")}
                </Button>
                {mode === "ask" ? (
                  <Button small={small} kind="quiet" icon="edit" disabled={busy || !item} onClick={() => to("edit")}>
                    {t("approval.edit")}
                  </Button>
                ) : (
                  <Button
                    small={small}
                    kind="quiet"
                    disabled={busy}
                    onClick={() => {
                      setInput(approval.input);
                      setValid(true);
                      to("ask");
                    }}
                  >
                    {t("approval.undo_edit")}
                  </Button>
                )}
              </>
            )}
          </div>
        </>
      )}
      <ErrorNote problem={problem} />
    </div>
  );
}

function Reason({ words }: { words: string }) {
  const { t } = useSpeech();
  return (
    <p class="approval-reason">
      <strong>{t("approval.why")}</strong> {words}
    </p>
  );
}

/** Who may say yes: a role, somebody other than who asked, or who asked. */
function useDecider(item: ConfirmationItem | null): string {
  const { t } = useSpeech();
  if (!item) return "…";
  const role = item.approver_role ? t(`role.${item.approver_role as "admin"}`) : null;
  if (item.approver === "other") return role ? t("approval.other_role", { role }) : t("approval.other");
  return role ?? item.person?.name ?? "";
}

/** Everything that a chain will do, step by step; what is known only when it runs says so. */
function Steps({ steps }: { steps: ConfirmationItem["steps"] }) {
  const { t } = useSpeech();
  const nameOf = useToolName();
  return (
    <section class="approval-steps" aria-label={t("approval.steps")}>
      <h4>{t("approval.steps")}</h4>
      <ol>
        {steps.map((step, place) => (
          <li key={place} style={{ marginInlineStart: `${(Number(step["depth"]) - 1) * 16}px` }}>
            {nameOf(String(step["tool"]))} <code>{String(step["tool"])}</code>
            {step["input"] === null ? <p class="hint">{t("approval.step_unknown")}</p> : <JsonView value={step["input"] as Json} label={t("call.input")} />}
          </li>
        ))}
      </ol>
    </section>
  );
}
