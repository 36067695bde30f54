/** What is said aloud to people who do not see the screen change. */
import { createStore, useStore } from "../state/store";

const polite = createStore("");
const urgent = createStore("");

export function announce(words: string): void {
  // The same words twice are still two announcements.
  polite.set((now) => (now === words ? `${words}\u00a0` : words));
}

export function announceUrgent(words: string): void {
  urgent.set((now) => (now === words ? `${words}\u00a0` : words));
}

export function Announcer() {
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {useStore(polite)}
      </div>
      <div class="visually-hidden" role="alert" aria-live="assertive">
        {useStore(urgent)}
      </div>
    </>
  );
}
