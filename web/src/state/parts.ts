/** How a turn's parts are laid out: calls that follow each other are one group, and so are small cards. */
import type { Approval, Call, Part } from "./turn";

type Shown = Exclude<Part, { kind: "call" | "widget" | "dashboard" }>;
export type WidgetPart = Extract<Part, { kind: "widget" }>;
export type DashboardPart = Extract<Part, { kind: "dashboard" }>;

export type Segment =
  | { kind: "part"; key: string; part: Shown }
  | { kind: "calls"; key: string; calls: Call[] }
  | { kind: "waiting"; key: string; approvals: Approval[] }
  | { kind: "cards"; key: string; cards: (WidgetPart | DashboardPart)[] };

/** Between two pieces of text: first what was called, then what it showed. */
export function segments(parts: Part[]): Segment[] {
  const out: Segment[] = [];
  let calls: Extract<Segment, { kind: "calls" }> | null = null;
  let cards: Extract<Segment, { kind: "cards" }> | null = null;
  parts.forEach((part, index) => {
    const key = String(index);
    if (part.kind === "call") {
      if (calls) {
        calls.calls.push(part.call);
      } else {
        calls = { kind: "calls", key, calls: [part.call] };
        // Cards already shown stay where they are; a first call goes above those of its own run.
        out.push(calls);
        cards = null;
      }
    } else if (part.kind === "widget" || part.kind === "dashboard") {
      if (cards) {
        cards.cards.push(part);
      } else {
        cards = { kind: "cards", key, cards: [part] };
        out.push(cards);
      }
    } else {
      calls = null;
      cards = null;
      // What waits belongs to one reply, whatever of it was decided already: it is one card.
      const before = out.find((one) => one.kind === "waiting");
      const waits = part.kind === "approval" && !part.approval.verdict && !part.approval.question;
      if (waits && before) before.approvals.push(part.approval);
      else if (waits) out.push({ kind: "waiting", key: "waiting", approvals: [part.approval] });
      else out.push({ kind: "part", key, part });
    }
  });
  return out;
}
