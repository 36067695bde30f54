import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A box that can take the whole screen; where the browser refuses, the whole window. */
export function FullScreen({ class: name, children }: { class: string; children(full: boolean, toggle: () => void): ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement === ref.current);
    const escape = (event: KeyboardEvent) => event.key === "Escape" && !document.fullscreenElement && setFull(false);
    document.addEventListener("fullscreenchange", follow);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("fullscreenchange", follow);
      document.removeEventListener("keydown", escape);
    };
  }, []);
  const toggle = () => {
    if (document.fullscreenElement === ref.current && full) void document.exitFullscreen();
    else if (full) setFull(false);
    else void ref.current?.requestFullscreen?.().catch(() => setFull(true));
  };
  return (
    <div ref={ref} class={full ? `${name} full` : name}>
      {children(full, toggle)}
    </div>
  );
}
