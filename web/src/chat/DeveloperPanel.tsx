import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { Entry } from "../state/chat";
import { CodeBlock } from "../ui/CodeBlock";
import { useLoad } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Tabs } from "../ui/parts";
import { Rows } from "../widgets/Rows";

type Trace = Wire["Trace"];

const TABS = ["requests", "messages", "calls", "events"] as const;
type Tab = (typeof TABS)[number];

/** Behind the answer: the intent detected, the requests sent, the blocks that came back, and how long it took. */
export function DeveloperPanel({ entry }: { entry: Extract<Entry, { kind: "turn" }> }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <section class="developer">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="code" size={16} />
        <span class="call-name">{t("dev.title")}</span>
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {open && entry.turn.id && <Behind turn={entry.turn.id} />}
    </section>
  );
}

function Behind({ turn }: { turn: string }) {
  const { t, number, duration } = useSpeech();
  const loaded = useLoad((signal) => api.get("/admin/turns/{id}/trace", { path: { id: turn }, signal }), [turn]);
  const [tab, setTab] = useState<Tab>("requests");
  return (
    <Await of={loaded}>
      {(trace) => (
        <div class="trace">
          <dl class="pairs">
            <div>
              <dt>{t("dev.turn")}</dt>
              <dd>{`${turn} · ${trace.model} · ${trace.status} · ${took(trace, duration)}`}</dd>
            </div>
            <div>
              <dt>{t("dev.intent")}</dt>
              <dd>{trace.intent ? `${trace.intent.intent} (${number(trace.intent.confidence, { style: "percent" })}) ${JSON.stringify(trace.intent.parameters)}` : t("dev.no_intent")}</dd>
            </div>
          </dl>
          <Rows
            label={t("dev.replies")}
            columns={[t("usage.model"), t("dev.stop"), t("usage.input_tokens"), t("usage.output_tokens"), t("dev.time")]}
            rows={trace.replies.map((reply) => [reply.model, reply.stop_reason, reply.input_tokens, reply.output_tokens, reply.duration_ms === null ? null : duration(reply.duration_ms)])}
          />
          <Tabs<Tab> label={t("dev.title")} current={tab} onPick={setTab} tabs={TABS.map((one) => [one, t(`dev.${one}`)] as const)} />
          <CodeBlock text={JSON.stringify(trace[tab], null, 2)} language="json" label={t(`dev.${tab}`)} />
        </div>
      )}
    </Await>
  );
}

function took(trace: Trace, duration: (ms: number) => string): string {
  return trace.ended_at ? duration(Date.parse(trace.ended_at) - Date.parse(trace.started_at)) : "…";
}
