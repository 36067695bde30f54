import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { JsonView } from "../ui/JsonView";

type Trial = Wire["PolicyTrial"];
type Verdict = "stopped" | "asked" | "allowed";

/** What the choices on this page would have done to recorded calls, before they are saved. */
export function PolicyTrial({ tool, choices }: { tool: string; choices: Wire["ToolChoices"] }) {
  const { t } = useSpeech();
  const [trial, setTrial] = useState<Trial | null>(null);
  const [run, busy, problem] = useAction(async () => {
    setTrial(await api.post("/admin/policy/try", { body: { tool, since: "30d", ...choices } }));
  });
  return (
    <div class="span">
      <Button kind="quiet" icon="clock" busy={busy} onClick={() => void run()}>
        {t("tools.try_past")}
      </Button>
      <ErrorNote problem={problem} />
      {trial && (
        <section aria-label={t("tools.try_past")} aria-live="polite">
          <p>{t("tools.tried", { calls: trial.calls, stopped: trial.stopped, asked: trial.asked, allowed: trial.allowed, changed: trial.changed })}</p>
          {trial.is_cut && <p class="hint">{t("tools.tried_cut")}</p>}
          <ul>
            {trial.examples.slice(0, 10).map((call) => (
              <li key={String(call["audit_id"])}>
                {String(call["person"] ?? "—")}: {t(`tools.tried_${call["now"] as Verdict}`)} → {t(`tools.tried_${call["then"] as Verdict}`)}
                <JsonView value={call["arguments"] as Json} label={t("call.input")} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
