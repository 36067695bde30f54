import { useEffect, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { theme } from "../state/person";
import { useStore } from "../state/store";
import { CodeBlock } from "./CodeBlock";
import { IconButton } from "./Button";
import { Loading } from "./parts";

/**
 * A Mermaid diagram, drawn when it is seen. The drawing is shown as an image: whatever the model
 * wrote into it, an image runs nothing, follows no link and fetches nothing.
 */
export function Diagram({ source }: { source: string }) {
  const { t } = useSpeech();
  const chosen = useStore(theme);
  const [picture, setPicture] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [asText, setAsText] = useState(false);
  useEffect(() => {
    let gone = false;
    const dark = chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
    import("./mermaid")
      .then(({ drawn }) => drawn(source, dark))
      .then((svg) => !gone && setPicture(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`))
      .catch(() => !gone && setFailed(true));
    return () => {
      gone = true;
    };
  }, [source, chosen]);
  if (failed) return <CodeBlock text={source} language="mermaid" />;
  return (
    <figure class="diagram">
      <figcaption>
        <span>{t("ui.diagram")}</span>
        <IconButton small icon={asText ? "share" : "code"} label={t(asText ? "ui.diagram_show" : "ui.diagram_source")} aria-pressed={asText} onClick={() => setAsText(!asText)} />
      </figcaption>
      {asText ? <CodeBlock text={source} language="mermaid" /> : picture ? <img src={picture} alt={t("ui.diagram_alt", { source })} /> : <Loading />}
    </figure>
  );
}
