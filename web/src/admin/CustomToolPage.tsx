export function CustomToolPage(_: { name: string | null }) {
  return null;
}
