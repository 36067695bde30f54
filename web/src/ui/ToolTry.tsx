import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { href } from "../state/route";
import { Button } from "./Button";
import { ErrorNote } from "./ErrorNote";
import { useAction } from "./hooks";
import { JsonView } from "./JsonView";
import { Badge, Note } from "./parts";
import { startValue } from "./schema";
import { SchemaForm } from "./SchemaForm";

export type Ran = Wire["ToolRun"];

interface Trial {
  schema: JsonObject;
  effect: string;
  /** Makes the call, through the gate. */
  call(input: Json): Promise<Ran>;
  /** What is asked beside the arguments. */
  children?: ComponentChildren;
  /** What is shown of the call beside its result. */
  beside?: ComponentChildren;
}

/** A tool's arguments as a form, and what came of the call. */
export function ToolTry({ schema, effect, call, children, beside }: Trial) {
  const { t, duration } = useSpeech();
  const [input, setInput] = useState<Json>(() => startValue(schema));
  const [valid, setValid] = useState(true);
  const [ran, setRan] = useState<Ran | null>(null);
  const [run, busy, problem] = useAction(async () => {
    setRan(null);
    setRan(await call(input));
  });
  return (
    <>
      <p class="hint">{t(effect === "write" ? "test.words_write" : "test.words")}</p>
      <form
        class="test-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {children}
        <SchemaForm schema={schema} value={input} onChange={setInput} onValid={setValid} />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button kind="primary" type="submit" icon="right" busy={busy} disabled={!valid}>
            {t("test.run")}
          </Button>
        </div>
      </form>
      {ran && (
        <div class="test-result" aria-live="polite">
          <p class="badges">
            <Badge kind={ran.confirmation_id ? "warn" : ran.is_error ? "bad" : "good"}>{t(ran.is_error ? "test.refused" : "test.ran")}</Badge>
            <span class="hint">{duration(ran.duration_ms)}</span>
          </p>
          {ran.confirmation_id ? (
            <Note kind="warn">
              {t("test.waits")} <a href={href("confirmations")}>{t("nav.confirmations")}</a>
            </Note>
          ) : (
            <JsonView value={ran.result} label={t("call.result")} />
          )}
          {beside ?? (ran.audit_id !== null && <Note>{t("test.audit_number", { n: ran.audit_id })}</Note>)}
        </div>
      )}
    </>
  );
}
