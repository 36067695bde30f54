import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Approval } from "../state/turn";
import { Icon } from "../ui/icons";
import { JsonView } from "../ui/JsonView";
import { Badge } from "../ui/parts";
import { useTitleOf } from "./ApprovalCard";
import { Edits } from "./Edits";

/** A call that was decided: what it was, what was said, by whom, and what they changed. */
export function Resolved({ approval, children }: { approval: Approval; children?: ComponentChildren }) {
  const { t } = useSpeech();
  const titleOf = useTitleOf();
  const [open, setOpen] = useState(false);
  const good = approval.verdict === "approve";
  const edited = approval.edited !== undefined && approval.edited !== null;
  return (
    <section class="approval resolved" aria-label={t("approval.title", { name: titleOf(approval) })}>
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="shield" size={16} />
        <span class="call-name">{titleOf(approval)}</span>
        <Badge kind={good ? "good" : "bad"}>{t(`approval.was_${approval.verdict ?? "expired"}`)}</Badge>
        {edited && <Badge>{t("approval.changed")}</Badge>}
        {approval.by && <span class="call-time">{t("approval.by", { name: approval.by })}</span>}
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {edited && <Edits before={approval.input} after={approval.edited ?? null} />}
      {approval.said && <p class="approval-said">{t("approval.said", { reason: approval.said })}</p>}
      {approval.verdict === "expired" && <p class="approval-said">{t("approval.expired_words")}</p>}
      {open && (
        <div class="call-detail">
          <p class="hint">
            <code>{approval.name}</code>
          </p>
          {approval.reason && <p>{approval.reason}</p>}
          <JsonView value={approval.input} label={t(edited ? "approval.before" : "approval.what")} />
          {children}
        </div>
      )}
    </section>
  );
}
