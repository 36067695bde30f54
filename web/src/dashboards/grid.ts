/** Where tiles stand on a board of twelve columns. Pure: the mouse and the keyboard move them by the same rules. */

export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Placed {
  id: string;
  place: Place;
}

export const COLUMNS = 12;
const TALLEST = 40;

const SIZES: Record<string, { w: number; h: number }> = {
  kpi: { w: 3, h: 2 },
  text: { w: 12, h: 2 },
};
const LARGE = { w: 6, h: 5 };

/** The smallest that still shows something. */
const LEAST = { w: 2, h: 1 };

function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function inOrder(tiles: readonly Placed[]): Placed[] {
  return [...tiles].sort((a, b) => a.place.y - b.place.y || a.place.x - b.place.x);
}

const free = (place: Place, taken: readonly Placed[]) => !taken.some((other) => overlap(place, other.place));

/** Inside the board, and neither too small nor too tall. */
export function fitted({ x, y, w, h }: Place): Place {
  const width = Math.min(COLUMNS, Math.max(LEAST.w, w));
  return { x: Math.min(COLUMNS - width, Math.max(0, x)), y: Math.max(0, y), w: width, h: Math.min(TALLEST, Math.max(LEAST.h, h)) };
}

/** As high as there is room, from the top. */
function dropped(tile: Placed, taken: readonly Placed[]): Placed {
  const place = { ...tile.place, y: 0 };
  while (!free(place, taken)) place.y += 1;
  return { ...tile, place };
}

/** Every tile as far up as it can rise without passing another. */
function risen(tiles: readonly Placed[]): Placed[] {
  const done: Placed[] = [];
  for (const tile of inOrder(tiles)) {
    const place = { ...tile.place };
    while (place.y > 0 && free({ ...place, y: place.y - 1 }, done)) place.y -= 1;
    done.push({ ...tile, place });
  }
  return done;
}

/** One tile put somewhere: the others make room, and none is left hanging in the air. */
export function moved(tiles: readonly Placed[], id: string, to: Place): Placed[] {
  const held: Placed = { id, place: fitted(to) };
  const taken = [held];
  for (const tile of inOrder(tiles)) if (tile.id !== id) taken.push(dropped(tile, taken));
  return risen(taken);
}

type Step = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";
const STEPS: Record<Step, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function isStep(key: string): key is Step {
  return key in STEPS;
}

/** One key: the tile goes, or grows, by as many steps as change anything. */
export function stepped(tiles: readonly Placed[], id: string, key: Step, resize: boolean): Placed[] {
  const tile = tiles.find((one) => one.id === id);
  if (!tile) return [...tiles];
  const [dx, dy] = STEPS[key];
  const most = dx ? 1 : bottom(tiles);
  for (let far = 1; far <= Math.max(1, resize ? 1 : most); far += 1) {
    const { x, y, w, h } = tile.place;
    const to = resize ? { x, y, w: Math.min(w + dx, COLUMNS - x), h: h + dy } : { x: x + dx * far, y: y + dy * far, w, h };
    if (!resize && to.y < 0) break;
    const next = moved(tiles, id, to);
    if (!same(next, tiles)) return next;
  }
  return [...tiles];
}

function same(a: readonly Placed[], b: readonly Placed[]): boolean {
  const known = new Map(b.map((one) => [one.id, one.place]));
  return a.every(({ id, place }) => {
    const other = known.get(id);
    return other && other.x === place.x && other.y === place.y && other.w === place.w && other.h === place.h;
  });
}

export function bottom(tiles: readonly Placed[]): number {
  return Math.max(0, ...tiles.map(({ place }) => place.y + place.h));
}

/** A place for each: its own, or the first that is free for what has none. */
export function placed(items: readonly { id: string; type: string; place?: Place | null }[]): Placed[] {
  const done: Placed[] = items.flatMap(({ id, place }) => (place ? [{ id, place: fitted(place) }] : []));
  for (const { id, type, place } of items) {
    if (place) continue;
    const size = SIZES[type] ?? LARGE;
    const spots = Array.from({ length: COLUMNS - size.w + 1 }, (_, x) => dropped({ id, place: { x, y: 0, ...size } }, done));
    done.push(spots.reduce((best, one) => (one.place.y < best.place.y ? one : best)));
  }
  return done;
}
