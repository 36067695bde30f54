/** Whole days, in UTC, as usage is counted. */

export const PERIODS = ["7", "30", "90", "own"] as const;
export type Period = (typeof PERIODS)[number];

export interface Days {
  from: string;
  to: string;
}

const DAY = 86_400_000;
/** More would be no chart, and no browser's to draw. */
export const MOST_DAYS = 1100;

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Today and the days before it. */
export function lastDays(count: number, now: number): Days {
  return { from: day(now - (count - 1) * DAY), to: day(now) };
}

/** As many days again, before these. */
export function before({ from, to }: Days): Days {
  const length = Date.parse(to) - Date.parse(from);
  const end = Date.parse(from) - DAY;
  return { from: day(end - length), to: day(end) };
}

/** Every day of them in order; a day on which nothing happened is a day too. Empty where they are none, or too many. */
export function each({ from, to }: Days): string[] {
  const start = Date.parse(from);
  const count = (Date.parse(to) - start) / DAY + 1;
  return count >= 1 && count <= MOST_DAYS ? Array.from({ length: count }, (_, at) => day(start + at * DAY)) : [];
}

/** How much more than before, in hundredths; none where there was nothing before. */
export function change(now: number, earlier: number): number | null {
  return earlier > 0 ? Math.round((100 * (now - earlier)) / earlier) : null;
}
