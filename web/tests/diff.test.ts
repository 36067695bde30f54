import { describe, expect, it } from "vitest";
import { difference } from "../src/ui/diff";

const shown = (before: string, after: string) => difference(before, after).map(({ kind, text }) => `${{ same: " ", before: "-", after: "+" }[kind]}${text}`);

describe("what two texts differ in", () => {
  it("keeps what is shared, and shows what went before what came", () => {
    expect(shown("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  });
  it("shows a line that was added at the end", () => {
    expect(shown("a", "a\nand more")).toEqual([" a", "+and more"]);
  });
  it("loses no line of a text that is too long to compare", () => {
    const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join("\n");
    expect(difference(long, `${long}\nlast`)).toHaveLength(6001);
  });
});
