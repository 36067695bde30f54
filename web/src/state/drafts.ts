/** What was written and not sent: it is there again after a reload, on this device, until somebody signs out. */
const PREFIX = "bancada.draft.";

export function draftOf(key: string | undefined): string {
  try {
    return key === undefined ? "" : (localStorage.getItem(PREFIX + key) ?? "");
  } catch {
    return "";
  }
}

export function keepDraft(key: string, text: string): void {
  try {
    if (text) localStorage.setItem(PREFIX + key, text);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // A closed or full storage only means that a reload forgets it.
  }
}

export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
