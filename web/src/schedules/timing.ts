/** When a schedule is due: cron's five words, and the few forms of them that have plain words. */
import type { Speech } from "../i18n";

export type Rhythm = "hourly" | "daily" | "weekdays" | "weekly" | "monthly" | "cron";
export const RHYTHMS: readonly Rhythm[] = ["hourly", "daily", "weekdays", "weekly", "monthly", "cron"];

export interface Timing {
  rhythm: Rhythm;
  /** Minutes past the hour, for what comes every hour. */
  minute: number;
  /** `HH:MM`, for what comes on a day. */
  time: string;
  /** 0 is Sunday. */
  weekday: number;
  day: number;
  cron: string;
}

const two = (n: number): string => String(n).padStart(2, "0");

export function timingOf(cron: string): Timing {
  const found: Timing = { rhythm: "cron", minute: 0, time: "08:00", weekday: 1, day: 1, cron };
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron.trim().split(/\s+/);
  const plain = (text: string, low: number, high: number): boolean => /^\d{1,2}$/.test(text) && Number(text) >= low && Number(text) <= high;
  if (rest.length > 0 || month !== "*" || !plain(minute, 0, 59)) return found;
  const every = day === "*" && weekday === "*";
  if (hour === "*" && every) return { ...found, rhythm: "hourly", minute: Number(minute) };
  if (!plain(hour, 0, 23)) return found;
  const time = `${two(Number(hour))}:${two(Number(minute))}`;
  if (every) return { ...found, rhythm: "daily", time };
  if (day === "*" && /^(mon-fri|1-5)$/i.test(weekday)) return { ...found, rhythm: "weekdays", time };
  if (day === "*" && plain(weekday, 0, 6)) return { ...found, rhythm: "weekly", time, weekday: Number(weekday) };
  if (weekday === "*" && plain(day, 1, 31)) return { ...found, rhythm: "monthly", time, day: Number(day) };
  return found;
}

export function cronOf({ rhythm, minute, time, weekday, day, cron }: Timing): string {
  const [hours = "0", minutes = "0"] = time.split(":");
  const at = `${Number(minutes)} ${Number(hours)}`;
  switch (rhythm) {
    case "hourly":
      return `${minute} * * * *`;
    case "daily":
      return `${at} * * *`;
    case "weekdays":
      return `${at} * * mon-fri`;
    case "weekly":
      return `${at} * * ${weekday}`;
    case "monthly":
      return `${at} ${day} * *`;
    case "cron":
      return cron;
  }
}

/** What the days of the week are called; 4 January 1970 was a Sunday. */
export function weekdayName(day: number, language: string): string {
  const date = new Date(Date.UTC(1970, 0, 4 + day));
  return new Intl.DateTimeFormat(language === "pt" ? "pt-PT" : "en-GB", { weekday: "long", timeZone: "UTC" }).format(date);
}

export function inWords(cron: string, { t, language }: Speech): string {
  const timing = timingOf(cron);
  const { rhythm, time, day } = timing;
  if (rhythm === "cron") return t("schedules.when_cron", { cron });
  return t(`schedules.when_${rhythm}`, { time, day, minute: two(timing.minute), weekday: weekdayName(timing.weekday, language) });
}

export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** A moment as the schedule's own clocks show it. */
export function momentIn(moment: string, zone: string, language: string): string {
  const tag = language === "pt" ? "pt-PT" : "en-GB";
  const options: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  try {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone: zone }).format(new Date(moment));
  } catch {
    // The server knows a zone that this browser does not.
    return new Intl.DateTimeFormat(tag, { ...options, timeZoneName: "short" }).format(new Date(moment));
  }
}
