import { describe, expect, it } from "vitest";
import { bottom, COLUMNS, moved, type Placed, placed, stepped } from "../src/dashboards/grid";

const at = (tiles: Placed[]) => Object.fromEntries(tiles.map(({ id, place }) => [id, [place.x, place.y, place.w, place.h]]));
const tile = (id: string, x: number, y: number, w: number, h: number): Placed => ({ id, place: { x, y, w, h } });

function apart(tiles: Placed[]): boolean {
  const cells = tiles.flatMap(({ place: { x, y, w, h } }) => Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`));
  return new Set(cells).size === cells.length;
}

describe("a board", () => {
  it("gives what has no place the first that is free", () => {
    const items = [
      { id: "a", type: "kpi", place: { x: 0, y: 0, w: 3, h: 2 } },
      { id: "b", type: "kpi" },
      { id: "c", type: "chart" },
      { id: "d", type: "text" },
    ];
    expect(at(placed(items))).toEqual({ a: [0, 0, 3, 2], b: [3, 0, 3, 2], c: [6, 0, 6, 5], d: [0, 5, 12, 2] });
  });

  it("makes room for a tile that is put onto others, and lets none hang", () => {
    const tiles = [tile("a", 0, 0, 6, 2), tile("b", 6, 0, 6, 2), tile("c", 0, 2, 12, 2)];
    expect(at(moved(tiles, "b", { x: 0, y: 0, w: 6, h: 2 }))).toEqual({ a: [0, 2, 6, 2], b: [0, 0, 6, 2], c: [0, 4, 12, 2] });
    expect(at(moved(tiles, "a", { x: 0, y: 30, w: 6, h: 2 }))).toEqual({ a: [0, 4, 6, 2], b: [6, 0, 6, 2], c: [0, 2, 12, 2] });
  });

  it("changes places by one key, and stays at its edges", () => {
    const tiles = [tile("a", 0, 0, 6, 2), tile("b", 0, 2, 6, 3)];
    const down = stepped(tiles, "a", "ArrowDown", false);
    expect(at(down)).toEqual({ a: [0, 3, 6, 2], b: [0, 0, 6, 3] });
    expect(at(stepped(down, "a", "ArrowUp", false))).toEqual({ a: [0, 0, 6, 2], b: [0, 2, 6, 3] });
    expect(at(stepped(tiles, "a", "ArrowLeft", false))).toEqual(at(tiles));
    expect(at(stepped(tiles, "a", "ArrowRight", true))["a"]).toEqual([0, 0, 7, 2]);
    expect(at(stepped([tile("a", 6, 0, 6, 2)], "a", "ArrowRight", true))).toEqual({ a: [6, 0, 6, 2] });
  });

  it("never lays one tile over another, whatever is done", () => {
    let tiles = placed(Array.from({ length: 9 }, (_, n) => ({ id: String(n), type: ["kpi", "chart", "text"][n % 3] ?? "kpi" })));
    let seed = 7;
    const random = (most: number) => (seed = (seed * 16807) % 2147483647) % most;
    for (let n = 0; n < 300; n += 1) {
      tiles = moved(tiles, String(random(9)), { x: random(14) - 1, y: random(20), w: random(14), h: random(8) });
      expect(apart(tiles)).toBe(true);
      expect(tiles.every(({ place }) => place.x >= 0 && place.x + place.w <= COLUMNS)).toBe(true);
    }
    expect(bottom(tiles)).toBeLessThan(72);
  });
});
