import { useEffect, useState } from "preact/hooks";
import { get, Problem } from "../api/client";
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
import { useStore } from "../state/store";
import { AreaField, Badge, Check } from "../ui/parts";
import { SchemaForm } from "../ui/SchemaForm";
import { QuestionCard } from "./QuestionCard";

interface ApprovalCardProps {
  approval: Approval;
  decide(id: string, decision: Decision): Promise<void>;
}

/** A call that waits for a person: what will be done, to what, why it asks, and how long it can wait. */
export function ApprovalCard({ approval, decide }: ApprovalCardProps) {
  const { t, left, ago } = useSpeech();
  const now = useNow();
  const [mode, setMode] = useState<"ask" | "edit" | "reject">("ask");
  const [input, setInput] = useState<Json>(approval.input);
  const [valid, setValid] = useState(true);
  const [reason, setReason] = useState("");
  const [remember, setRemember] = useState(false);
  const [known, setKnown] = useState<ConfirmationItem | null>(null);
  const [hidden, setHidden] = useState(false);
  const me = useStore(person);
  const [run, busy, problem] = useAction((decision: Decision) => decide(approval.id, decision));
  const expired = new Date(approval.expires_at).getTime() <= now;

  useEffect(() => {
    if (approval.verdict) return;
    const control = new AbortController();
    get<ConfirmationItem>(`/confirmations/${encodeURIComponent(approval.id)}`, { signal: control.signal })
      .then(setKnown)
      .catch((error: unknown) => setHidden(error instanceof Problem && error.status === 404));
    return () => control.abort();
  }, [approval.id, approval.verdict]);

  const notMine = hidden || (known !== null && me !== null && !mayDecide(me, known));
  if (approval.verdict) return <Resolved approval={approval} />;
  if (approval.question && !notMine) return <QuestionCard approval={approval} inquiries={inquiriesOf(approval)} decide={decide} />;

  const approve = () => {
    const decision: Decision = { decision: "approve" };
    if (mode === "edit") decision.input = input;
    if (remember) decision.remember = "conversation";
    void run(decision);
  };

  return (
    <section class="approval" aria-label={t("approval.title", { name: approval.name })}>
      <header>
        <Icon name="shield" />
        <h3>{t("approval.title", { name: approval.name })}</h3>
        <span class="approval-time">
          <Icon name="clock" size={14} /> {expired ? t("approval.expired") : t("approval.left", { time: left(approval.expires_at, now) })}
        </span>
      </header>
      <p>
        {t("approval.intro")} <code>{approval.name}</code>
        {approval.caller?.tool_id ? ` ${t("approval.from_code")}` : ""}
      </p>
      {approval.reason && (
        <p class="approval-reason">
          <strong>{t("approval.why")}</strong> {approval.reason}
        </p>
      )}
      {mode === "edit" ? (
        <SchemaForm schema={(known?.input_schema ?? {}) as JsonObject} value={input} onChange={setInput} onValid={setValid} />
      ) : (
        <JsonView value={approval.input} label={t("approval.what")} />
      )}
      {known && known.steps.length > 0 && <Steps steps={known.steps} />}
      {known?.reminded_at && <p class="hint">{t("approval.reminded", { time: ago(known.reminded_at) })}</p>}
      {mode === "reject" && <AreaField label={t("approval.reason")} hint={t("approval.reason_hint")} value={reason} onText={setReason} rows={2} />}
      {notMine ? (
        <p class="hint">{t("approval.not_yours")}</p>
      ) : expired ? (
        <p class="hint">{t("approval.expired_words")}</p>
      ) : (
        <>
          {mode !== "reject" && known?.conversation_id && (
            <Check label={t("approval.remember")} checked={remember} onChange={setRemember} />
          )}
          <div class="approval-actions">
            {mode === "reject" ? (
              <>
                <Button kind="danger" busy={busy} onClick={() => void run(reason.trim() ? { decision: "reject", reason: reason.trim() } : { decision: "reject" })}>
                  {t("approval.reject")}
                </Button>
                <Button disabled={busy} onClick={() => setMode("ask")}>
                  {t("ui.back")}
                </Button>
              </>
            ) : (
              <>
                <Button kind="primary" icon="check" busy={busy} disabled={!valid} onClick={approve}>
                  {t(mode === "edit" ? "approval.approve_edited" : "approval.approve")}
                </Button>
                <Button icon="close" disabled={busy} onClick={() => setMode("reject")}>
                  {t("approval.reject")}
                </Button>
                {mode === "ask" ? (
                  <Button kind="quiet" icon="edit" disabled={busy || !known} onClick={() => setMode("edit")}>
                    {t("approval.edit")}
                  </Button>
                ) : (
                  <Button
                    kind="quiet"
                    disabled={busy}
                    onClick={() => {
                      setInput(approval.input);
                      setValid(true);
                      setMode("ask");
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
    </section>
  );
}

/** Everything that a chain will do, step by step; what is known only when it runs says so. */
function Steps({ steps }: { steps: ConfirmationItem["steps"] }) {
  const { t } = useSpeech();
  return (
    <section class="approval-steps" aria-label={t("approval.steps")}>
      <h4>{t("approval.steps")}</h4>
      <ol>
        {steps.map((step, place) => (
          <li key={place} style={{ marginInlineStart: `${(Number(step["depth"]) - 1) * 16}px` }}>
            <code>{String(step["tool"])}</code>
            {step["input"] === null ? <p class="hint">{t("approval.step_unknown")}</p> : <JsonView value={step["input"] as Json} label={t("call.input")} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Resolved({ approval }: { approval: Approval }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  const [after, setAfter] = useState<Json>(null);
  const good = approval.verdict === "approve";

  useEffect(() => {
    if (!good) return;
    const control = new AbortController();
    get<ConfirmationItem>(`/confirmations/${encodeURIComponent(approval.id)}`, { signal: control.signal })
      .then((found) => setAfter((found.edited_input ?? null) as Json))
      .catch(() => undefined); // not theirs to see any more: the call's own card says what ran
    return () => control.abort();
  }, [approval.id, good]);

  return (
    <section class="approval resolved" aria-label={t("approval.title", { name: approval.name })}>
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="shield" size={16} />
        <code class="call-name">{approval.name}</code>
        <Badge kind={good ? "good" : "bad"}>{t(`approval.was_${approval.verdict ?? "expired"}`)}</Badge>
        {after !== null && <Badge>{t("approval.changed")}</Badge>}
        {approval.by && <span class="call-time">{t("approval.by", { name: approval.by })}</span>}
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {open && (
        <div class="call-detail">
          {approval.reason && <p>{approval.reason}</p>}
          <JsonView value={approval.input} label={t(after === null ? "approval.what" : "approval.before")} />
          {after !== null && <JsonView value={after} label={t("approval.after")} />}
        </div>
      )}
    </section>
  );
}
