import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Dataset } from "../state/chat";
import { CodeBlock } from "../ui/CodeBlock";
import { Icon } from "../ui/icons";

/** A file that was uploaded: what is in it, and what to ask of it. */
export function DataCard({ dataset }: { dataset: Dataset }) {
  const { t, count } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <section class="data-card" aria-label={t("data.title", { name: dataset.file })}>
      <header>
        <Icon name="table" />
        <div>
          <h3>{dataset.file}</h3>
          <p class="hint">
            {[dataset.rows !== null ? count("data.rows", dataset.rows) : "", dataset.columns.length ? count("data.columns", dataset.columns.length) : ""]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </header>
      {dataset.columns.length > 0 && (
        <ul class="chips">
          {dataset.columns.slice(0, 24).map((column) => (
            <li key={column}>{column}</li>
          ))}
        </ul>
      )}
      {dataset.summary && (
        <>
          <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? "data.hide_summary" : "data.show_summary")}
          </button>
          {open && <CodeBlock text={dataset.summary} label={t("data.summary")} />}
        </>
      )}
      <p class="hint">{t("data.ask", { name: dataset.name })}</p>
    </section>
  );
}
