import { useState } from "preact/hooks";
import { get } from "../api/client";
import { useSpeech } from "../i18n";
import type { Entry } from "../state/chat";
import type { Json, JsonObject } from "../state/events";
import { CodeBlock } from "../ui/CodeBlock";
import { useLoad } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Tabs } from "../ui/parts";

/** Behind the answer: what was sent to the model, what came back, what was detected, and how long it took. */
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
      {open && entry.turn.id && <Trace turn={entry.turn.id} />}
    </section>
  );
}

function Trace({ turn }: { turn: string }) {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => get<JsonObject>(`/admin/turns/${encodeURIComponent(turn)}/trace`, { signal }), [turn]);
  const [tab, setTab] = useState<string | null>(null);
  return (
    <Await of={loaded}>
      {(trace) => {
        const parts = Object.entries(trace).filter(([, value]) => value !== null && typeof value === "object" && Object.keys(value).length > 0);
        const facts = Object.entries(trace).filter(([, value]) => value !== null && typeof value !== "object");
        const current = tab ?? parts[0]?.[0] ?? "";
        return (
          <div class="trace">
            <dl class="pairs inline">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{String(value)}</dd>
                </div>
              ))}
            </dl>
            <Tabs label={t("dev.title")} current={current} onPick={setTab} tabs={parts.map(([name]) => [name, name] as const)} />
            {parts.map(([name, value]) => (name === current ? <CodeBlock key={name} text={pretty(value)} language="json" label={name} /> : null))}
          </div>
        );
      }}
    </Await>
  );
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}
