import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { IconButton } from "./Button";
import { CodeBlock } from "./CodeBlock";
import { artifactDocument } from "./documents";
import { FullScreen } from "./FullScreen";
import { useSeen } from "./hooks";
import { Icon } from "./icons";
import { Tabs } from "./parts";
import { Written } from "./Written";

/** A piece of HTML or SVG in an answer: shown in the frame, its source one click away. */
export function Artifact({ language, source, outside, owner }: { language: "html" | "svg"; source: string; outside: boolean; owner: boolean }) {
  const { t } = useSpeech();
  const [view, setView] = useState<"page" | "source">("page");
  const [problem, setProblem] = useState<string | null>(null);
  const [place, seen] = useSeen<HTMLDivElement>();
  const title = t("artifact.title");
  return (
    <FullScreen class="artifact">
      {(full, toggle) => (
        <>
          <header class="artifact-bar">
            <Icon name={language === "svg" ? "spark" : "screen"} size={16} />
            <span class="artifact-name">{title}</span>
            <Tabs<"page" | "source"> label={title} current={view} onPick={setView} tabs={[["page", t("artifact.view")], ["source", t("artifact.source")]]} />
            <IconButton small icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
          </header>
          <div ref={place} class="artifact-body" hidden={view !== "page"}>
            {seen ? (
              <Written outside={outside} owner={owner} document={(still) => artifactDocument(language, source, still)} title={title} fill={full} onError={setProblem} />
            ) : (
              <div class="frame-place" />
            )}
          </div>
          {view === "page" && problem && <p class="hint artifact-problem">{t("artifact.script_error", { message: problem })}</p>}
          {view === "source" && <CodeBlock text={source} language={language} />}
        </>
      )}
    </FullScreen>
  );
}
