/** A short word that something happened, gone by itself. */
import { useEffect, useRef } from "preact/hooks";
import { createStore, useStore } from "../state/store";
import { announce } from "./announce";
import { Icon } from "./icons";

const toasts = createStore<{ id: number; words: string }[]>([]);
let next = 0;

export function toast(words: string): void {
  const id = next++;
  toasts.set((now) => [...now.slice(-2), { id, words }]);
  announce(words);
  setTimeout(() => toasts.set((now) => now.filter((one) => one.id !== id)), 4500);
}

export function Toasts() {
  const shown = useStore(toasts);
  const place = useRef<HTMLDivElement>(null);
  // In the top layer, and the last to come into it: a full screen or a dialog would cover it.
  useEffect(() => {
    const list = place.current;
    if (!shown.length || !list) return;
    list.showPopover?.();
    return () => list.hidePopover?.();
  }, [shown]);
  return (
    <div class="toasts" popover="manual" ref={place} aria-hidden="true">
      {shown.map((one) => (
        <p key={one.id} class="toast">
          <Icon name="check" size={16} /> {one.words}
        </p>
      ))}
    </div>
  );
}
