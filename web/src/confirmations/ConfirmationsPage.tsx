import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api/client";
import { mayHaveMissed, onNews } from "../api/news";
import type { ConfirmationItem } from "../api/types";
import { ApprovalCard } from "../chat/ApprovalCard";
import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { href } from "../state/route";
import { useLoad, useTitle } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { Await, Badge, Empty, Note } from "../ui/parts";
import { Page } from "../ui/Page";
import { toast } from "../ui/toast";

const seen = new WeakSet<Element>();

/** Bring the card that a link led to into view: once, or the page would jump at every piece of news. */
function lookAt(element: Element | null): void {
  if (!element || seen.has(element)) return;
  seen.add(element);
  element.scrollIntoView({ block: "center" });
}

const isOpen = (item: ConfirmationItem) => item.status === "pending";

/** Calls that wait for this person's word, and those decided lately; `linked` is the one a notice led to. */
export function ConfirmationsPage({ linked }: { linked: string | null }) {
  const { t } = useSpeech();
  useTitle(t("nav.confirmations"));
  const loaded = useLoad((signal) => get<ConfirmationItem[]>("/confirmations", { signal }), []);
  useEffect(() => onNews((item) => (item.type === "approval" || mayHaveMissed(item)) && loaded.reload()), []);
  return (
    <Page title={t("nav.confirmations")} lead={t("queue.lead")}>
      <Await of={loaded}>
        {(list) => {
          const open = list.filter(isOpen);
          const decided = list.filter((item) => !isOpen(item));
          return (
            <>
              {linked && !list.some((item) => item.id === linked) && <Note>{t("queue.not_here")}</Note>}
              {open.length === 0 && (
                <Empty icon="shield" title={t("queue.none")}>
                  {t("queue.none_words")}
                </Empty>
              )}
              <ul class="queue">
                {open.map((item) => (
                  <li key={item.id} ref={item.id === linked ? lookAt : undefined} class={item.id === linked ? "linked" : undefined}>
                    <Waiting item={item} onDecided={loaded.reload} />
                  </li>
                ))}
              </ul>
              {decided.length > 0 && (
                <section>
                  <h2>{t("queue.decided")}</h2>
                  <ul class="queue">
                    {decided.map((item) => (
                      <li key={item.id} ref={item.id === linked ? lookAt : undefined} class={item.id === linked ? "linked" : undefined}>
                        <Decided item={item} opened={item.id === linked} />
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          );
        }}
      </Await>
    </Page>
  );
}

function Who({ item }: { item: ConfirmationItem }) {
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

function Waiting({ item, onDecided }: { item: ConfirmationItem; onDecided(): void }) {
  const { t } = useSpeech();
  return (
    <>
      <Who item={item} />
      <ApprovalCard
        approval={{ ...item, caller: { type: "direct", ...(item.caller as { type?: string; tool_id?: string }) }, reason: item.reason ?? "" }}
        decide={async (id, decision) => {
          try {
            await post(`/confirmations/${encodeURIComponent(id)}`, decision);
            toast(t(decision.decision === "approve" ? "queue.approved" : "queue.rejected"));
          } finally {
            onDecided();
          }
        }}
      />
    </>
  );
}

function Decided({ item, opened }: { item: ConfirmationItem; opened: boolean }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(opened);
  const good = item.status.startsWith("approve");
  return (
    <section class="panel compact">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <code class="call-name">{item.name}</code>
        <Badge kind={good ? "good" : "bad"}>{statusWords(item.status, t)}</Badge>
        <span class="call-time">{nameOf(item.decided_by)}</span>
      </button>
      <Who item={item} />
      {open && (
        <div class="call-detail">
          <JsonView value={item.input} label={t("approval.what")} />
          {item.result !== undefined && item.result !== null && <JsonView value={item.result} label={t("call.result")} />}
        </div>
      )}
    </section>
  );
}

function statusWords(status: string, t: ReturnType<typeof useSpeech>["t"]): string {
  if (status.startsWith("approve")) return t("approval.was_approve");
  if (status.startsWith("reject")) return t("approval.was_reject");
  return t("approval.was_expired");
}

function nameOf(by: Json | undefined): string {
  if (by && typeof by === "object" && !Array.isArray(by)) return String(by["name"] ?? "");
  return typeof by === "string" ? by : "";
}
