import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { ConfirmationItem } from "../api/types";
import { Resolved } from "../chat/Resolved";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { useLoad } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";
import { Await, SelectField } from "../ui/parts";
import { approvalOf, lookAt, Who } from "./ConfirmationsPage";

const PAGE = 50;
const OUTCOMES = ["", "approved", "rejected", "expired"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What this person asked for or decided before, with filters. */
export function History({ changes, linked }: { changes: number; linked: string | null }) {
  const { t, date } = useSpeech();
  const [outcome, setOutcome] = useState<Outcome>("");
  const [tool, setTool] = useState("");
  const [older, setOlder] = useState<ConfirmationItem[]>([]);
  const [more, setMore] = useState(true);
  const load = (before?: number) => api.get("/confirmations", { query: { show: "decided", limit: PAGE, before } });
  const loaded = useLoad(() => load(), [changes]);
  useEffect(() => {
    setOlder([]);
    setMore((loaded.data?.length ?? 0) === PAGE);
  }, [loaded.data]);
  const words = (one: Outcome) => t(one === "" ? "audit.any" : one === "approved" ? "approval.was_approve" : one === "rejected" ? "approval.was_reject" : "approval.was_expired");
  return (
    <Await of={loaded}>
      {(newest) => {
        const all = [...newest, ...older];
        if (all.length === 0) return null;
        const tools = new Map(all.map((one) => [one.name, one.tool_name]));
        const shown = all.filter((one) => (!outcome || one.status === outcome) && (!tool || one.name === tool));
        const further = async () => {
          // Several may be decided in one moment, which is told in whole milliseconds: those are asked for again.
          const next = await load((Date.parse(all.at(-1)?.decided_at ?? "") + 1) / 1000);
          const seen = new Set(all.map((one) => one.id));
          setOlder([...older, ...next.filter((one) => !seen.has(one.id))]);
          setMore(next.length === PAGE);
        };
        return (
          <section>
            <h2>{t("queue.decided")}</h2>
            <div class="form-grid">
              <SelectField<Outcome> label={t("queue.outcome")} value={outcome} onPick={setOutcome} options={OUTCOMES.map((one) => [one, words(one)] as const)} />
              <SelectField label={t("queue.tool")} value={tool} onPick={setTool} options={[["", t("audit.any_tool")], ...tools]} />
            </div>
            {shown.length === 0 && <p class="hint">{t("queue.none_found")}</p>}
            <ul class="queue">
              {shown.map((item) => (
                <li key={item.id} ref={item.id === linked ? lookAt : undefined} class={item.id === linked ? "linked" : undefined}>
                  <p class="hint">{item.decided_at && date(item.decided_at)}</p>
                  <Resolved approval={approvalOf(item)}>
                    <Who item={item} />
                    {item.result !== undefined && item.result !== null && <JsonView value={item.result} label={t("call.result")} />}
                  </Resolved>
                </li>
              ))}
            </ul>
            {more && (
              <Button small kind="quiet" icon="down" onClick={() => void further()}>
                {t("audit.older")}
              </Button>
            )}
          </section>
        );
      }}
    </Await>
  );
}
