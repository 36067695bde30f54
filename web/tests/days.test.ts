import { expect, test } from "vitest";
import { byDay } from "../src/state/days";

const at = (text: string) => ({ updated_at: new Date(text).toISOString() });
const days = (now: string, ...used: string[]) => byDay(used.map(at), new Date(now)).map((group) => [group.day, group.items.length]);

test("conversations stand under the day they were last used", () => {
  // The 18th of November 2026 is a Wednesday.
  expect(
    days("2026-11-18T10:00", "2026-11-18T09:00", "2026-11-18T00:00", "2026-11-17T23:59", "2026-11-16T08:00", "2026-11-15T23:00", "2026-10-31T23:00", "2025-10-02T12:00"),
  ).toEqual([
    ["today", 2],
    ["yesterday", 1],
    ["week", 1],
    ["month", 1],
    ["2026-9", 1],
    ["2025-9", 1],
  ]);
});

test("on the first of a month and on a Monday yesterday is still yesterday", () => {
  expect(days("2027-03-01T08:00", "2027-02-28T20:00", "2027-02-27T20:00")).toEqual([
    ["yesterday", 1],
    ["2027-1", 1],
  ]);
});
