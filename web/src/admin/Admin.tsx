export function Admin(_: { path: string[] }) {
  return null;
}
