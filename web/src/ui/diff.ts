/** What two texts share and where they part, line by line. */
export interface DiffLine {
  kind: "same" | "before" | "after";
  text: string;
}

const MOST_LINES = 2000;

/** The shortest way from one to the other; very long texts are shown one after the other. */
export function difference(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  if (a.length > MOST_LINES || b.length > MOST_LINES) {
    return [...a.map((text) => ({ kind: "before" as const, text })), ...b.map((text) => ({ kind: "after" as const, text }))];
  }
  const shared = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      shared[i]![j] = a[i] === b[j] ? shared[i + 1]![j + 1]! + 1 : Math.max(shared[i + 1]![j]!, shared[i]![j + 1]!);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]! });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || shared[i + 1]![j]! >= shared[i]![j + 1]!)) {
      lines.push({ kind: "before", text: a[i++]! });
    } else {
      lines.push({ kind: "after", text: b[j++]! });
    }
  }
  return lines;
}
