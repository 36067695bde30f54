/** Sentences in the person's language, and numbers and dates the way they write them. */
import { language, type Language } from "../state/person";
import { createStore, useStore } from "../state/store";
import type en from "./en.json";

export type Key = keyof typeof en;
type Counted = Key extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;
export type Values = Record<string, string | number>;

type Sentences = Record<string, string>;

/** Each language is a file of its own: a person waits for one, and the other comes when it is chosen. */
const FILES: Record<Language, () => Promise<{ default: Sentences }>> = {
  en: () => import("./en.json"),
  pt: () => import("./pt.json"),
};
const learnt: Partial<Record<Language, Sentences>> = {};
/** The chosen language, as soon as its sentences are here. */
const spoken = createStore<Language>(language.get());

/** Fetch a language's sentences, once; what is shown changes when they are here and still wanted. */
export async function learn(which: Language = language.get()): Promise<void> {
  learnt[which] ??= (await FILES[which]()).default;
  if (language.get() === which) spoken.set(which);
}
language.watch(() => void learn().catch(() => undefined));

export interface Speech {
  language: Language;
  t(key: Key, values?: Values): string;
  /** The sentence for this many: `key_one` or `key_other`. */
  count(key: Counted, n: number, values?: Values): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  money(usd: number): string;
  bytes(size: number): string;
  duration(ms: number): string;
  date(value: string | number | Date): string;
  time(value: string | number | Date): string;
  moment(value: string | number | Date): string;
  /** “October 2026”; months count from 0. */
  month(year: number, month: number): string;
  ago(value: string | number | Date, now?: number): string;
  left(until: string | number | Date, now?: number): string;
}

const TAGS: Record<Language, string> = { pt: "pt-PT", en: "en-GB" };

function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

function speechOf(which: Language): Speech {
  const tag = TAGS[which];
  const plural = new Intl.PluralRules(tag);
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  const sentence = (key: string, values: Values = {}) => fill(learnt[which]?.[key] ?? key, values);
  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(tag, options).format(value);
  const shown = (value: string | number | Date, options: Intl.DateTimeFormatOptions) => {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? String(value) : new Intl.DateTimeFormat(tag, options).format(date);
  };

  return {
    language: which,
    t: sentence,
    count: (key, n, values) =>
      sentence(`${key}_${plural.select(n) === "one" ? "one" : "other"}`, { n: number(n), ...values }),
    number,
    money: (usd) =>
      number(usd, { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2 }),
    bytes(size) {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
      let value = size;
      let unit = 0;
      while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
      }
      return number(value, { style: "unit", unit: units[unit] ?? "byte", unitDisplay: "short", maximumFractionDigits: value < 10 ? 1 : 0 });
    },
    duration(ms) {
      if (ms < 1) return number(ms, { style: "unit", unit: "millisecond", maximumFractionDigits: 2 });
      if (ms < 1000) return number(ms, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 });
      if (ms < 60_000) return number(ms / 1000, { style: "unit", unit: "second", maximumFractionDigits: 1 });
      return number(ms / 60_000, { style: "unit", unit: "minute", maximumFractionDigits: 1 });
    },
    date: (value) => shown(value, { day: "numeric", month: "short", year: "numeric" }),
    time: (value) => shown(value, { hour: "2-digit", minute: "2-digit" }),
    moment: (value) => shown(value, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }),
    month: (year, month) => capital(shown(new Date(year, month, 1), { month: "long", year: "numeric" })),
    ago(value, now = Date.now()) {
      const [amount, unit] = largestUnit(new Date(value).getTime() - now);
      return Number.isNaN(amount) ? String(value) : relative.format(amount, unit);
    },
    left(until, now = Date.now()) {
      const ms = new Date(until).getTime() - now;
      if (Number.isNaN(ms)) return "";
      const [amount, unit] = largestUnit(ms, Math.round);
      return number(Math.max(0, amount), { style: "unit", unit: unit as string, unitDisplay: "long" });
    },
  };
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function largestUnit(ms: number, whole: (n: number) => number = Math.trunc): [number, Intl.RelativeTimeFormatUnit] {
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
  ];
  for (const [unit, size] of steps) if (Math.abs(ms) >= size) return [whole(ms / size), unit];
  return [whole(ms / 1000), "second"];
}

const speeches: Record<Language, Speech> = { pt: speechOf("pt"), en: speechOf("en") };

export function useSpeech(): Speech {
  return speeches[useStore(spoken)];
}

/** For code outside components: errors, file names. */
export function speech(): Speech {
  return speeches[spoken.get()];
}
