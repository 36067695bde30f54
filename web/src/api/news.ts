/**
 * What the server tells this person, wherever they are: one stream for all their tabs.
 *
 * One tab reads and passes on; when it closes, another takes over. A stream for each tab would use
 * up the few connections that a browser opens to one server.
 */
import { Problem, streamOf } from "./client";
import { FIRST_WAIT, LONGEST_WAIT, pause } from "./follow";
import { framesOf } from "./sse";

export type News =
  | { type: "here"; complete: boolean }
  | { type: "approval"; id: string; status: "asked" | "approved" | "rejected" | "expired" }
  | { type: "turn"; turn_id: string; conversation_id: string; status: "running" | "waiting" | "done" | "stopped" | "failed" }
  | { type: "notice"; about: string; id: string };

const listeners = new Set<(item: News) => void>();

/** Hear what is told from now on; returns how to stop. */
export function onNews(listener: (item: News) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether what is on the screen may be out of date without this having been told. */
export const mayHaveMissed = (item: News): boolean => item.type === "here" && !item.complete;

function tell(item: News): void {
  // A copy: who begins to listen meanwhile has not missed it.
  for (const listener of Array.from(listeners)) listener(item);
}

/** Keep the listeners told until the signal ends it. */
export function followNews(person: number, signal: AbortSignal): void {
  const name = `bancada.news.${person}`;
  const tabs = new BroadcastChannel(name);
  tabs.onmessage = (event: MessageEvent<News>) => tell(event.data);
  signal.addEventListener("abort", () => tabs.close());
  const lead = () =>
    readNews((item) => {
      tabs.postMessage(item);
      tell(item);
    }, signal);
  if (navigator.locks) void navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  else void lead();
}

/** Read the stream, and go on where it broke; ends when the server says that we may not. */
export async function readNews(heard: (item: News) => void, signal: AbortSignal): Promise<void> {
  let last: string | null = null;
  let wait = FIRST_WAIT;
  while (!signal.aborted) {
    try {
      const response: Response = await streamOf("get", "/me/events", { header: { "last-event-id": last || null }, signal });
      if (response.body) {
        for await (const frame of framesOf(response.body)) {
          if (signal.aborted) return;
          last = frame.id ?? last;
          wait = FIRST_WAIT;
          heard(JSON.parse(frame.data) as News);
        }
      }
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return;
    }
    if (signal.aborted) return;
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}
