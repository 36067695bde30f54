/** How many calls wait for this person's word: shown beside the queue's name. */
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import { mayHaveMissed, onNews } from "../api/news";
import { createStore } from "./store";

export const pending = createStore(0);

export async function countPending(): Promise<void> {
  try {
    const list = await api.get("/confirmations");
    pending.set(list.filter((one) => one.status === "pending").length);
  } catch {
    // The number is a help, not a promise; the page itself says what went wrong.
  }
}

export function useWatchPending(): void {
  useEffect(() => {
    void countPending();
    return onNews((item) => {
      if (item.type === "approval" || mayHaveMissed(item)) void countPending();
    });
  }, []);
}
