import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { Icon } from "../ui/icons";

/** Drop files anywhere in the conversation. */
export function DropZone({ onFiles, any, children, class: name }: { onFiles(files: File[]): void; /** Images and documents too, not tables alone. */ any: boolean; children: ComponentChildren; class: string }) {
  const { t } = useSpeech();
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const hasFile = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  return (
    <div
      class={name}
      onDragEnter={(event) => {
        if (!hasFile(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => hasFile(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {children}
      {over && (
        <div class="drop-hint" aria-hidden="true">
          <Icon name="clip" size={28} /> {t(any ? "attach.drop" : "upload.drop")}
        </div>
      )}
    </div>
  );
}
