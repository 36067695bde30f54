import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { useToolName } from "../state/toolNames";
import { type Call, countRan } from "../state/turn";
import { Spinner } from "../ui/Button";
import { Icon } from "../ui/icons";
import { JsonView } from "../ui/JsonView";
import { memo } from "../ui/memo";
import { Badge } from "../ui/parts";

/** The calls between two pieces of text: one quiet line, folded when there are several. */
export const CallCards = memo(
  function CallCards({ calls }: { calls: Call[] }) {
    const { t, count, duration } = useSpeech();
    const nameOf = useToolName();
    const [open, setOpen] = useState(false);
    const only = calls[0];
    if (calls.length === 1 && only) return <CallCard call={only} />;
    const running = calls.find((call) => call.status === "running");
    const failed = calls.filter((call) => call.ran && call.status === "error").length;
    const refused = calls.length - countRan(calls);
    const longest = Math.max(...calls.map((call) => call.duration_ms ?? 0));
    return (
      <div class="calls">
        <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
          {running ? <Spinner /> : <Icon name="tool" size={16} />}
          <span class="call-name">{running ? t("call.using", { name: nameOf(running.name) }) : count("call.used", calls.length - refused)}</span>
          {failed > 0 && <Badge kind="bad">{count("call.failed", failed)}</Badge>}
          {refused > 0 && <Badge kind="warn">{count("call.refused", refused)}</Badge>}
          {!running && longest > 0 && <span class="call-time">{duration(longest)}</span>}
          <Icon name={open ? "up" : "down"} size={16} />
        </button>
        {open && (
          <ol class="call-list">
            {calls.map((call) => (
              <li key={call.id}>
                <CallCard call={call} />
              </li>
            ))}
          </ol>
        )}
      </div>
    );
  },
  (a, b) => a.calls.length === b.calls.length && a.calls.every((call, index) => call === b.calls[index]),
);

export function CallCard({ call }: { call: Call }) {
  const { t, duration } = useSpeech();
  const nameOf = useToolName();
  const [open, setOpen] = useState(false);
  return (
    <div class={`call ${call.status}`}>
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        {call.status === "running" ? <Spinner /> : <Icon name={call.status === "error" ? "alert" : "tool"} size={16} />}
        <span class="call-name">{nameOf(call.name)}</span>
        {call.cached && <Badge>{t("call.cached")}</Badge>}
        {call.status === "error" && <Badge kind={call.ran ? "bad" : "warn"}>{t(call.ran ? "call.error" : "call.not_run")}</Badge>}
        <span class="call-time">
          {call.status === "running" ? t("call.running") : call.duration_ms !== undefined ? duration(call.duration_ms) : ""}
        </span>
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {picturesOf(call.result).map((source, number) => (
        <img key={number} class="call-picture" src={source} alt={t("call.picture", { name: nameOf(call.name) })} />
      ))}
      {open && (
        <div class="call-detail">
          <p class="hint">
            <code>{call.name}</code>
          </p>
          <h4>{t("call.input")}</h4>
          <JsonView value={call.input} label={t("call.input")} />
          {call.result !== undefined && (
            <>
              <h4>{t("call.result")}</h4>
              <JsonView value={call.result} label={t("call.result")} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** The images among a result's blocks, as addresses that hold all of themselves. */
export function picturesOf(result: unknown): string[] {
  if (!Array.isArray(result)) return [];
  return result.flatMap((block) => {
    const source = block?.type === "image" ? block.source : null;
    const shown = source?.type === "base64" && typeof source.data === "string" && PICTURE.test(source.media_type);
    return shown ? [`data:${source.media_type};base64,${source.data}`] : [];
  });
}
