import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { IconButton } from "./Button";
import { memo } from "./memo";
import { highlight } from "./highlight";
import { CopyButton } from "./parts";

/** Code scrolls, with a bar that is seen, or wraps: whoever reads it chooses. */
export const CodeBlock = memo(function CodeBlock({ text, language = "", label }: { text: string; language?: string; label?: string }) {
  const { t } = useSpeech();
  const [wrap, setWrap] = useState(false);
  const long = text.split("\n").some((line) => line.length > 80);
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label ?? language}</span>
        {long && <IconButton small icon="wrap" label={t("ui.wrap")} aria-pressed={wrap} onClick={() => setWrap(!wrap)} />}
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0} class={wrap ? "wrap" : ""} aria-label={label ?? language ?? undefined}>
        <code>{highlight(text, language)}</code>
      </pre>
    </figure>
  );
});
