/** Notices of the browser itself, for who looks elsewhere: something waits for them, an answer is there. On this device only. */
import { onNews, type News } from "../api/news";
import { speech } from "../i18n";
import { conversations } from "./conversations";
import { go } from "./route";
import { createStore } from "./store";

const KEY = "bancada.notify";
const SEEN = "bancada.seen";

export type Notifying = "impossible" | "blocked" | "off" | "on";

export const notifying = createStore<Notifying>(standing());

function standing(): Notifying {
  if (!("Notification" in window) || !window.isSecureContext) return "impossible";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && wished() ? "on" : "off";
}

function wished(): boolean {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

/** Only ever called by a click: browsers ask once, and people who were asked unprompted say no. */
export async function chooseNotifying(on: boolean): Promise<void> {
  if (on) await Notification.requestPermission();
  try {
    if (on) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without a storage it cannot be remembered: it stays off.
  }
  notifying.set(standing());
}

/** Notify until the returned function is called. */
export function notifyWhileAway(): () => void {
  const control = new AbortController();
  const watch = () => document.visibilityState === "visible" && holdWhileSeen(control.signal);
  document.addEventListener("visibilitychange", watch, { signal: control.signal });
  watch();
  const deaf = onNews((item) => void notify(item));
  return () => {
    deaf();
    control.abort();
  };
}

/** As long as this page is looked at it holds a lock: a hidden tab beside it then keeps quiet. */
function holdWhileSeen(signal: AbortSignal): void {
  const hidden = () =>
    new Promise<void>((resolve) => {
      const check = () => document.visibilityState === "hidden" && resolve();
      document.addEventListener("visibilitychange", check, { signal });
      signal.addEventListener("abort", () => resolve());
      check();
    });
  void navigator.locks?.request(SEEN, { mode: "shared", signal }, hidden).catch(() => undefined);
}

async function notify(item: News): Promise<void> {
  const told = inWords(item);
  if (!told || standing() !== "on" || document.visibilityState === "visible") return;
  const held = (await navigator.locks?.query())?.held ?? [];
  if (held.some((lock) => lock.name === SEEN)) return;
  // Other hidden tabs say the same under the same tag: it is shown once.
  const shown = new Notification(told.title, { body: told.body, tag: told.tag });
  shown.onclick = () => {
    window.focus();
    go(...told.path);
    shown.close();
  };
}

function inWords(item: News): { title: string; body: string; tag: string; path: string[] } | null {
  const { t } = speech();
  if (item.type === "approval" && item.status === "asked") {
    return { title: t("notify.approval"), body: t("notify.approval_words"), tag: `approval-${item.id}`, path: ["confirmations", item.id] };
  }
  if (item.type === "turn" && (item.status === "done" || item.status === "failed")) {
    const title = conversations.get().items?.find((one) => one.id === item.conversation_id)?.title ?? "";
    return { title: t(item.status === "done" ? "notify.done" : "notify.failed"), body: title, tag: `turn-${item.turn_id}`, path: ["c", item.conversation_id] };
  }
  return null;
}
