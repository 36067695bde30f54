import { useCallback, useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import { mayHaveMissed, onNews } from "../api/news";
import type { ConfirmationItem } from "../api/types";
import { ApprovalBatch, ApprovalCard, type Decide } from "../chat/ApprovalCard";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import type { Approval } from "../state/turn";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Empty, Note } from "../ui/parts";
import { Page } from "../ui/Page";
import { toast } from "../ui/toast";
import { History } from "./History";

const seen = new WeakSet<Element>();

/** Bring the card that a link led to into view: once, or the page would jump at every piece of news. */
export function lookAt(element: Element | null): void {
  if (!element || seen.has(element)) return;
  seen.add(element);
  element.scrollIntoView({ block: "center" });
}

/** Calls that wait for this person's word, and what became of those before; `linked` is the one a notice led to. */
export function ConfirmationsPage({ linked }: { linked: string | null }) {
  const { t } = useSpeech();
  useTitle(t("nav.confirmations"));
  const waiting = useLoad((signal) => api.get("/confirmations", { signal }), []);
  const [changes, setChanges] = useState(0);
  const { reload } = waiting;
  const again = useCallback(() => {
    reload();
    setChanges((n) => n + 1);
  }, [reload]);
  useEffect(() => onNews((item) => (item.type === "approval" || mayHaveMissed(item)) && again()), [again]);
  const decide: Decide = async (id, decision) => {
    try {
      await api.post("/confirmations/{id}", { path: { id }, body: decision });
      toast(t(decision.decision === "approve" ? "queue.approved" : "queue.rejected"));
    } finally {
      again();
    }
  };
  return (
    <Page title={t("nav.confirmations")} lead={t("queue.lead")}>
      <Await of={waiting}>
        {(list) => (
          <>
            {linked && !list.some((item) => item.id === linked) && <Note>{t("queue.not_here")}</Note>}
            {list.length === 0 && (
              <Empty icon="shield" title={t("queue.none")}>
                {t("queue.none_words")}
              </Empty>
            )}
            <ul class="queue">
              {byTurn(list).map((items) => {
                const here = items.some((item) => item.id === linked);
                return (
                  <li key={items[0]?.turn_id ?? items[0]?.id} ref={here ? lookAt : undefined} class={here ? "linked" : undefined}>
                    <Waiting items={items} decide={decide} />
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Await>
      <History changes={changes} linked={linked} />
    </Page>
  );
}

/** Calls of one reply stand together; a question to the person stands alone. */
export function byTurn(list: ConfirmationItem[]): ConfirmationItem[][] {
  const groups = new Map<string, ConfirmationItem[]>();
  for (const item of list) {
    const key = item.turn_id && !item.question ? item.turn_id : item.id;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/** A stored confirmation as the chat's cards know it. */
export function approvalOf(item: ConfirmationItem): Approval {
  const verdict = { pending: undefined, approved: "approve", rejected: "reject", expired: "expired" } as const;
  const shown = verdict[item.status];
  return {
    ...item,
    caller: { type: "direct", ...(item.caller as { type?: string; tool_id?: string }) },
    reason: item.reason ?? "",
    edited: item.question ? null : item.edited_input,
    said: item.decision_reason,
    ...(shown && { verdict: shown, by: item.decided_by?.name ?? "" }),
  };
}

export function Who({ item }: { item: ConfirmationItem }) {
  const { t, ago } = useSpeech();
  return (
    <p class="hint">
      {item.person && t("queue.asked_by", { name: item.person.name })} {ago(item.created_at)}
      {item.conversation_id && (
        <>
          {" · "}
          <a href={href("c", item.conversation_id)}>{t("queue.conversation")}</a>
        </>
      )}
    </p>
  );
}

function Waiting({ items, decide }: { items: ConfirmationItem[]; decide: Decide }) {
  const [first, second] = items;
  if (!first) return null;
  return (
    <>
      <Who item={first} />
      {second ? <ApprovalBatch approvals={items.map(approvalOf)} decide={decide} /> : <ApprovalCard approval={approvalOf(first)} decide={decide} />}
    </>
  );
}
