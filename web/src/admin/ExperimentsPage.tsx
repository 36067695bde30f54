export function ExperimentsPage(_: object) {
  return null;
}
