/** Work that can wait for a pause: one piece a pause, so that no frame waits for two. */
const LEAST_MS = 6;
const LATEST_MS = 400;

const waiting = new Set<() => void>();
let asked = false;

/** Do this when nothing is to be drawn or answered; what is handed back takes it back. */
export function whenIdle(work: () => void): () => void {
  waiting.add(work);
  ask();
  return () => void waiting.delete(work);
}

function ask(): void {
  if (asked || !waiting.size) return;
  asked = true;
  if (typeof requestIdleCallback === "function") requestIdleCallback(pause, { timeout: LATEST_MS });
  else setTimeout(pause, 50); // Safari
}

function pause(deadline?: IdleDeadline): void {
  asked = false;
  const [work] = waiting;
  const enough = !deadline || deadline.didTimeout || deadline.timeRemaining() >= LEAST_MS;
  if (work && enough) {
    waiting.delete(work);
    work();
  }
  ask();
}
