/**
 * Follow a turn to its end, whatever the network does.
 *
 * The turn does not live in our request: when a stream breaks, the server goes on, and we ask for
 * the rest with the id of the last event seen.
 */
import type { Numbered, TurnEvent } from "../state/events";
import { Problem, streamOf, Unreachable } from "./client";
import { framesOf } from "./sse";

export interface Follower {
  onEvent(item: Numbered): void;
  /** Told when the connection is lost and when it is back. */
  onConnection?(state: "lost" | "back"): void;
}

export interface Start {
  /** A request that starts a turn (or none: read the running or last one). */
  begin?(signal: AbortSignal): Promise<Response>;
  lastEventId?: string | null;
}

export const FIRST_WAIT = 400;
export const LONGEST_WAIT = 10_000;

/** Resolves when the turn is done or waits for a person; rejects with a Problem the person can read. */
export async function followTurn(conversation: string, start: Start, follower: Follower, signal: AbortSignal): Promise<void> {
  let last = start.lastEventId ?? null;
  let over = false;
  let wait = FIRST_WAIT;
  let lost = false;

  async function read(response: Response): Promise<void> {
    if (!response.body) return;
    for await (const frame of framesOf(response.body)) {
      if (signal.aborted) return;
      const event = parse(frame.data);
      if (frame.id) last = frame.id;
      wait = FIRST_WAIT;
      if (lost) {
        lost = false;
        follower.onConnection?.("back");
      }
      if (!event) continue;
      follower.onEvent({ id: frame.id, event });
      if (event.type === "done") {
        over = true;
        return;
      }
    }
  }

  if (start.begin) {
    await read(await start.begin(signal)).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  }

  while (!over && !signal.aborted) {
    try {
      const response = await streamOf("get", "/conversations/{id}/events", { path: { id: conversation }, header: { "last-event-id": last || null }, signal });
      if (response.status === 204) {
        if (lost) follower.onConnection?.("back");
        return;
      }
      await read(response);
      if (over) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
    }
    if (!lost && !over) {
      lost = true;
      follower.onConnection?.("lost");
    }
    await pause(wait * (0.75 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

export const isUnreachable = (error: unknown): boolean => error instanceof Unreachable;

function parse(data: string): TurnEvent | null {
  try {
    return JSON.parse(data) as TurnEvent;
  } catch {
    return null;
  }
}

/** Wait, but not longer than until the network is back or nobody listens any more. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
