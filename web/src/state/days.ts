/** Conversations by when they were last used, the way people remember: today, yesterday, this week. */

export type Day = "today" | "yesterday" | "week" | "month" | `${number}-${number}`;

export interface DayGroup<T> {
  day: Day;
  items: T[];
}

/** In the order they come: the newest first. Weeks begin on Monday; older ones stand under year and month. */
export function byDay<T extends { updated_at: string }>(items: T[], now: Date): DayGroup<T>[] {
  const groups: DayGroup<T>[] = [];
  for (const item of items) {
    const day = dayOf(new Date(item.updated_at), now);
    const last = groups.at(-1);
    if (last?.day === day) last.items.push(item);
    else groups.push({ day, items: [item] });
  }
  return groups;
}

function dayOf(at: Date, now: Date): Day {
  const start = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  if (at >= start(0)) return "today";
  if (at >= start(1)) return "yesterday";
  if (at >= start((now.getDay() + 6) % 7)) return "week";
  if (at >= new Date(now.getFullYear(), now.getMonth(), 1)) return "month";
  return `${at.getFullYear()}-${at.getMonth()}`;
}
