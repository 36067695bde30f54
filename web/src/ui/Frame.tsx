/**
 * HTML written by a model, shown where it can reach nothing.
 *
 * The page `/frame` has no origin and no way out; we hand it the document by message, and hear
 * back only its height and its script errors.
 */
import { useEffect, useRef, useState } from "preact/hooks";

export interface FrameProps {
  html: string;
  /** Run no script but ours. */
  still?: boolean;
  title: string;
  height?: number;
  /** Fill what is there instead of growing with the content. */
  fill?: boolean;
  onError?(message: string): void;
}

const SMALLEST = 60;
const LARGEST = 6000;
/** A page that grows whenever it is given room would grow for ever. */
const MOST_CHANGES = 40;

export function Frame({ html, still = false, title, height = 320, fill, onError }: FrameProps) {
  const ref = useRef<HTMLIFrameElement>(null);
  const failed = useRef(onError);
  failed.current = onError;
  const [grown, setGrown] = useState<number | null>(null);
  useEffect(() => {
    let changes = 0;
    const hear = (event: MessageEvent) => {
      const frame = ref.current;
      if (!frame || event.source !== frame.contentWindow) return;
      const message = event.data as { type?: string; height?: unknown; message?: unknown };
      if (message?.type === "bancada:ready") {
        frame.contentWindow?.postMessage({ type: "bancada:show", html }, "*");
      } else if (message?.type === "bancada:height" && typeof message.height === "number" && changes < MOST_CHANGES) {
        changes += 1;
        setGrown(Math.min(LARGEST, Math.max(SMALLEST, message.height)));
      } else if (message?.type === "bancada:error") {
        failed.current?.(String(message.message));
      }
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [html, still]);
  return (
    <iframe
      key={`${still}${html}`}
      ref={ref}
      class="frame"
      src={still ? "/frame?still" : "/frame"}
      title={title}
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      style={fill ? undefined : { height: `${grown ?? height}px` }}
    />
  );
}
