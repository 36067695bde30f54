// @vitest-environment node
import { describe, expect, it } from "vitest";
import { before, change, each, lastDays } from "../src/admin/period";

describe("a period of usage", () => {
  it("is today and the days before it, in UTC", () => {
    expect(lastDays(7, Date.parse("2026-03-02T23:59:59Z"))).toEqual({ from: "2026-02-24", to: "2026-03-02" });
  });

  it("follows one of as many days", () => {
    expect(before({ from: "2026-03-01", to: "2026-03-31" })).toEqual({ from: "2026-01-29", to: "2026-02-28" });
  });

  it("holds every day, with those on which nothing happened", () => {
    expect(each({ from: "2028-02-28", to: "2028-03-01" })).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(each({ from: "2026-03-02", to: "2026-03-01" })).toEqual([]);
    expect(each({ from: "", to: "2026-03-01" })).toEqual([]);
    expect(each({ from: "0001-01-01", to: "9999-12-31" })).toEqual([]);
  });

  it("is compared only with something", () => {
    expect(change(15, 10)).toBe(50);
    expect(change(15, 0)).toBeNull();
  });
});
