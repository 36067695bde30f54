import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { type CodeRun, countRan } from "../state/turn";
import { Spinner } from "../ui/Button";
import { CodeBlock } from "../ui/CodeBlock";
import { Icon } from "../ui/icons";
import { memo } from "../ui/memo";
import { Badge } from "../ui/parts";
import { CallCard } from "./CallCards";
import { FileCard } from "./FileCard";

/** Code the model wrote: its source, the calls it makes as they happen, what it printed and made. */
export const CodeCard = memo(function CodeCard({ run }: { run: CodeRun }) {
  const { t, count, duration } = useSpeech();
  const [source, setSource] = useState(false);
  const running = run.status === "running";
  return (
    <section class={`code-card ${run.status}`} aria-label={t("code.title")}>
      <header>
        {running ? <Spinner /> : <Icon name="code" size={16} />}
        <span>{t(running ? "code.running" : run.status === "error" ? "code.failed" : "code.done")}</span>
        {run.calls.length > 0 && <Badge>{count("call.used", countRan(run.calls))}</Badge>}
        {run.duration_ms !== undefined && <span class="call-time">{duration(run.duration_ms)}</span>}
        {run.source && (
          <button type="button" class="link" aria-expanded={source} onClick={() => setSource(!source)}>
            {t(source ? "code.hide_source" : "code.show_source")}
          </button>
        )}
      </header>
      {source && <CodeBlock text={run.source} language="python" label="Python" />}
      {run.calls.length > 0 && (
        <ol class="timeline" aria-label={t("code.calls")}>
          {run.calls.map((call) => (
            <li key={call.id} class={call.status}>
              <CallCard call={call} />
            </li>
          ))}
        </ol>
      )}
      {run.stdout && <CodeBlock text={run.stdout} label={t("code.output")} />}
      {run.stderr && <CodeBlock text={run.stderr} label={t("code.errors")} />}
      {run.files.length > 0 && (
        <ul class="files" aria-label={t("code.files")}>
          {run.files.map((file) => (
            <li key={file.id}>
              <FileCard file={file} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});
