/** Where to draw the nodes of a small graph: springs along edges, everything else pushes away. */

export interface Point {
  x: number;
  y: number;
}

export function layout(count: number, edges: [number, number][], width: number, height: number): Point[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  const points: Point[] = Array.from({ length: count }, (_, i) => {
    const r = Math.sqrt((i + 0.5) / Math.max(1, count)) * Math.min(width, height) * 0.42;
    return { x: width / 2 + r * Math.cos(i * golden), y: height / 2 + r * Math.sin(i * golden) };
  });
  if (count < 2) return points.map(() => ({ x: width / 2, y: height / 2 }));
  const ideal = Math.sqrt((width * height) / count) * 0.8;
  const rounds = count > 200 ? 60 : 160;
  for (let round = 0; round < rounds; round += 1) {
    const heat = (1 - round / rounds) * ideal * 0.35 + 1;
    const moves = points.map(() => ({ x: 0, y: 0 }));
    for (let a = 0; a < count; a += 1) {
      for (let b = a + 1; b < count; b += 1) push(points, moves, a, b, (distance) => (ideal * ideal) / distance);
    }
    for (const [a, b] of edges) if (a !== b) push(points, moves, a, b, (distance) => -(distance * distance) / ideal);
    points.forEach((point, i) => {
      const move = moves[i] as Point;
      move.x += (width / 2 - point.x) * 0.06;
      move.y += (height / 2 - point.y) * 0.1;
      const length = Math.hypot(move.x, move.y) || 1;
      point.x += (move.x / length) * Math.min(length, heat);
      point.y += (move.y / length) * Math.min(length, heat);
    });
  }
  return fitted(points, width, height);
}

function push(points: Point[], moves: Point[], a: number, b: number, force: (distance: number) => number): void {
  const p = points[a] as Point;
  const q = points[b] as Point;
  const dx = p.x - q.x || 0.01 * (a - b);
  const dy = p.y - q.y || 0.01;
  const distance = Math.max(1, Math.hypot(dx, dy));
  const f = force(distance) / distance;
  (moves[a] as Point).x += dx * f;
  (moves[a] as Point).y += dy * f;
  (moves[b] as Point).x -= dx * f;
  (moves[b] as Point).y -= dy * f;
}

function fitted(points: Point[], width: number, height: number): Point[] {
  const margin = Math.min(66, width / 6);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = (value: number, from: number, to: number, size: number, edge: number) =>
    to - from < 1 ? size / 2 : edge + ((value - from) / (to - from)) * (size - 2 * edge);
  return points.map((p) => ({ x: scale(p.x, left, right, width, margin), y: scale(p.y, top, bottom, height, 32) }));
}
