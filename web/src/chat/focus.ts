/** Where a person goes on after deciding: the next call that waits, else the place to write. */
export function focusNext(from: Element | null): void {
  const scope = from?.closest(".messages, .queue") ?? document;
  const waiting = [...scope.querySelectorAll<HTMLElement>(".approval:not(.resolved)")].filter((one) => !from || !one.contains(from));
  const within = waiting.map((one) => one.querySelector<HTMLElement>(".approval-actions button:not(:disabled)")).find(Boolean);
  const writing = matchMedia("(pointer: coarse)").matches ? null : document.querySelector<HTMLElement>(".composer textarea");
  (within ?? writing ?? document.getElementById("main"))?.focus();
}
