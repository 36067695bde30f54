/** A short word that something happened, gone by itself. */
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
  return (
    <div class="toasts" aria-hidden="true">
      {useStore(toasts).map((one) => (
        <p key={one.id} class="toast">
          <Icon name="check" size={16} /> {one.words}
        </p>
      ))}
    </div>
  );
}
