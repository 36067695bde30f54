import { useSpeech } from "../i18n";
import { useToolName } from "../state/toolNames";
import { Badge } from "../ui/parts";
import { fits, TEMPLATE_IDS, type TemplateId } from "./templates";
import type { AdminTool } from "./types";

/** What a new agent may begin as. One whose tools are not all here says which; without any of them it cannot be taken. */
export function TemplatePicker({ tools, chosen, onPick }: { tools: AdminTool[]; chosen: TemplateId | null; onPick(id: TemplateId): void }) {
  const { t } = useSpeech();
  const nameOf = useToolName();
  return (
    <section class="panel">
      <h2>{t("template.title")}</h2>
      <p class="hint">{t("template.hint")}</p>
      <ul class="templates">
        {TEMPLATE_IDS.map((id) => {
          const { here, missing } = fits(id, tools);
          const none = missing.length > 0 && here.length === 0;
          return (
            <li key={id}>
              <button type="button" aria-pressed={chosen === id} disabled={none} onClick={() => onPick(id)}>
                <strong>{t(`template.name_${id}`)}</strong>
                <span>{t(`template.about_${id}`)}</span>
              </button>
              {missing.length > 0 && (
                <p class="hint">
                  <Badge kind="warn">{t(none ? "template.none_here" : "template.some_missing")}</Badge> {missing.map(nameOf).join(", ")}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
