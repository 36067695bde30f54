import { useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Button } from "./Button";
import type { Ready } from "./documents";
import { Frame, type FrameProps } from "./Frame";
import { Note } from "./parts";

interface WrittenProps extends Omit<FrameProps, "html" | "still"> {
  /** The server says that text from outside was in view when it was written. */
  outside: boolean;
  /** Whether who looks may let it run; by a link nobody may. */
  owner: boolean;
  document(still: boolean): Ready;
}

/** A page that a model wrote. One that may carry a stranger's words waits for its owner before its script runs. */
export function Written({ outside, owner, document, ...frame }: WrittenProps) {
  const { t } = useSpeech();
  const [trusted, setTrusted] = useState(false);
  const still = outside && !trusted;
  const { html, cut } = document(still);
  return (
    <>
      {still && cut && (
        <Note>
          <p>{t("artifact.still")}</p>
          {owner ? (
            <Button small onClick={() => setTrusted(true)}>
              {t("artifact.run")}
            </Button>
          ) : (
            <p>{t("artifact.still_shared")}</p>
          )}
        </Note>
      )}
      <Frame {...frame} html={html} still={still} />
    </>
  );
}
