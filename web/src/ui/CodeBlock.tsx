import { memo } from "./memo";
import { highlight } from "./highlight";
import { CopyButton } from "./parts";

export const CodeBlock = memo(function CodeBlock({ text, language = "", label }: { text: string; language?: string; label?: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label ?? language}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0} aria-label={label ?? language ?? undefined}>
        <code>{highlight(text, language)}</code>
      </pre>
    </figure>
  );
});
