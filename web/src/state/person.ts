/** Who is signed in, and how they like to see things. */
import { api, holdTokens, Problem } from "../api/client";
import type { Wire } from "../api/wire";
import { forgetDrafts } from "./drafts";
import { createStore } from "./store";

export type Role = "operador" | "responsavel" | "admin";
export const ROLES: Role[] = ["operador", "responsavel", "admin"];

export type Person = Wire["Me"];

export type Language = "pt" | "en";
export type Theme = "system" | "light" | "dark";

const TOKEN = "bancada.token";

function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A closed storage only means that the choice lasts as long as this page.
  }
}

export const token = createStore<string | null>(kept(TOKEN));
export const person = createStore<Person | null>(null);
/** Set when the server ended the session, so that the sign-in page can say why it is there. */
export const sessionEnded = createStore(false);

export const language = createStore<Language>(firstLanguage());
export const theme = createStore<Theme>((kept("bancada.theme") as Theme | null) ?? "system");
/** The developer view: raw blocks, requests and timings. Offered to administrators. */
export const developer = createStore(kept("bancada.developer") === "1");

let chosenAtTheDoor: Language | null = null;

function firstLanguage(): Language {
  const chosen = kept("bancada.language");
  if (chosen === "pt" || chosen === "en") return chosen;
  return browserLanguage();
}

function browserLanguage(): Language {
  return navigator.language.toLowerCase().startsWith("pt") ? "pt" : "en";
}

holdTokens({
  get: token.get,
  renew,
  rejected() {
    sessionEnded.set(true);
    forget();
  },
});

export async function signIn(email: string, password: string): Promise<void> {
  const answer = await api.post("/auth/login", { body: { email, password, cookie: true } });
  await begin(answer.token);
}

/** A provider led back here with a session: its cookie is exchanged for the first token. */
export async function arrive(): Promise<void> {
  const answer = await api.post("/auth/refresh");
  await begin(answer.token);
}

let renewing: Promise<boolean> | null = null;

/** The next token for the refresh cookie; asked at once from several places or tabs, it is asked for once. */
function renew(): Promise<boolean> {
  renewing ??= inTurn(exchange).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** One tab after the other: a cookie that was exchanged already would end the session. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request("bancada.refresh", work) as Promise<T>) : work();
}

async function exchange(): Promise<boolean> {
  const stored = kept(TOKEN);
  if (stored && stored !== token.get()) {
    token.set(stored); // another tab was here first
    return true;
  }
  try {
    const answer = await api.post("/auth/refresh");
    keep(TOKEN, answer.token);
    token.set(answer.token);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

export async function begin(newToken: string): Promise<void> {
  keep(TOKEN, newToken);
  token.set(newToken);
  sessionEnded.set(false);
  await loadPerson();
}

let loading: Promise<void> | null = null;

/** Who is signed in; asked at once from several places, it is asked of the server once. */
export function loadPerson(): Promise<void> {
  loading ??= load().finally(() => {
    loading = null;
  });
  return loading;
}

async function load(): Promise<void> {
  const me = await api.get("/me");
  person.set(me);
  // A language chosen at the door is kept, and so is the browser's until somebody chooses; then the account's is shown.
  const wanted = chosenAtTheDoor ?? (me.language_chosen ? null : browserLanguage());
  if (wanted && wanted !== me.language) await chooseLanguage(wanted).catch(() => undefined);
  else showLanguage(me.language === "en" ? "en" : "pt");
  chosenAtTheDoor = null;
}

/** The session ends on the server too, and at the provider that was signed in with; without a server, at least here. */
export async function signOut(): Promise<void> {
  const out = await api.post("/auth/logout").catch(() => null);
  sessionEnded.set(false);
  forget();
  if (out?.provider) location.assign(out.provider);
}

function forget(): void {
  forgetDrafts();
  keep(TOKEN, null);
  token.set(null);
  person.set(null);
}

// Signing in or out in one tab holds for the others.
window.addEventListener("storage", (event) => {
  if (event.key !== TOKEN) return;
  token.set(event.newValue);
  if (event.newValue === null) person.set(null);
  else if (!person.get()) void loadPerson().catch(() => undefined);
});

function showLanguage(chosen: Language): void {
  keep("bancada.language", chosen);
  document.documentElement.lang = chosen;
  language.set(chosen);
}

/** Show this language at once; the server's own sentences follow from the next request on. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  showLanguage(chosen);
  const me = person.get();
  if (!me) {
    chosenAtTheDoor = chosen;
    return;
  }
  person.set({ ...me, language: chosen });
  await api.patch("/me", { body: { language: chosen } });
}

export function chooseTheme(chosen: Theme): void {
  keep("bancada.theme", chosen === "system" ? null : chosen);
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
  theme.set(chosen);
}

export function chooseDeveloper(on: boolean): void {
  keep("bancada.developer", on ? "1" : null);
  developer.set(on);
}

export function reaches(role: Role, level: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(level);
}
