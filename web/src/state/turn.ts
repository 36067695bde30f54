/**
 * A turn on the screen is a fold over the turn's events.
 *
 * Nothing here knows of markup or of the network: the same fold runs over a live stream, over a
 * stream that was cut and resumed, and over the events a stored message carries.
 */
import type { Caller, FileLink, Json, JsonObject, Spent, TurnEvent, TurnStatus, Verdict, WidgetKind } from "./events";

export interface Call {
  id: string;
  name: string;
  input: Json;
  caller: Caller;
  status: "running" | "waiting" | "done" | "error";
  /** Whether it passed the gate; one that was refused never began. */
  ran: boolean;
  result?: Json;
  duration_ms?: number;
  cached?: boolean;
}

export interface CodeRun {
  id: string;
  source: string;
  status: "running" | "done" | "error";
  calls: Call[];
  stdout: string;
  stderr: string;
  files: FileLink[];
  container?: string;
  return_code?: number;
  duration_ms?: number;
}

/** One thing a tool asks: a small form, or an address to visit. */
export interface Inquiry {
  key: string;
  message: string;
  schema: JsonObject;
  url: string | null;
}

export function inquiriesOf(approval: Approval): Inquiry[] {
  return (approval.question?.["inquiries"] ?? []) as unknown as Inquiry[];
}

export interface Approval {
  id: string;
  tool_use_id: string;
  name: string;
  input: Json;
  caller: Caller;
  reason: string;
  expires_at: string;
  /** What the tool asks in the middle of the call; absent where it is the call itself that is decided. */
  question?: JsonObject | null;
  verdict?: Verdict;
  by?: string;
  /** What the call will do, in words. */
  title?: string;
  /** The arguments it ran with, where whoever approved it changed them. */
  edited?: Json;
  /** Why it was rejected, in their words. */
  said?: string | null;
}

export type Part =
  | { kind: "text"; text: string; outside: boolean }
  | { kind: "thinking"; text: string; outside: boolean }
  | { kind: "call"; call: Call }
  | { kind: "code"; run: CodeRun }
  | { kind: "widget"; widget: WidgetKind; data: JsonObject; event: string | null }
  | { kind: "dashboard"; id: string; url: string; title: string }
  | { kind: "approval"; approval: Approval }
  | { kind: "instead"; content: string }
  | { kind: "error"; content: string; code: string; retryable: boolean };

export interface Turn {
  id: string | null;
  agent: string;
  model: string;
  status: TurnStatus;
  parts: Part[];
  spent: Spent | null;
  /** Text from outside is in what the model reads: what it writes may repeat it. */
  outside: boolean;
  /** What the last reply read: how full the model's window is. */
  context: number;
  /** How much of it there is; null when nobody knows. */
  contextLimit: number | null;
  /** Where what the model saw begins, if not at the start: a question's turn, or a file's message. */
  seenFrom: string | null;
  replies: number;
  iterations: number;
  /** The reply in progress begins at this part; `again` forgets its text from here. */
  replyStart: number;
  /** The number of the last event applied, for resuming and for ignoring repeats. */
  lastNumber: number;
  /** Why the reply was asked again, until new text comes. */
  again: string | null;
  /** The call that ended last: what it shows follows directly. */
  lastEnded: string | null;
}

export const CODE_TOOL = "code_execution";

export function newTurn(): Turn {
  return {
    id: null,
    agent: "",
    model: "",
    status: "running",
    parts: [],
    spent: null,
    outside: false,
    context: 0,
    contextLimit: null,
    seenFrom: null,
    replies: 0,
    iterations: 0,
    replyStart: 0,
    lastNumber: -1,
    again: null,
    lastEnded: null,
  };
}

/** The number in `<turn>-<n>`; -1 where an event has none. */
export function numberOf(id: string | null): number {
  if (id === null) return -1;
  const n = Number(id.slice(id.lastIndexOf("-") + 1));
  return Number.isFinite(n) ? n : -1;
}

/** Apply one event; one that was seen before changes nothing. */
export function applyNumbered(turn: Turn, id: string | null, event: TurnEvent): Turn {
  const n = numberOf(id);
  if (n >= 0 && n <= turn.lastNumber) return turn;
  const next = applyEvent(turn, event, id);
  return n >= 0 ? { ...next, lastNumber: n } : next;
}

/** `id` is the event's own, `<turn>-<n>`: what it showed is pinned by it. */
export function applyEvent(before: Turn, event: TurnEvent, id: string | null = null): Turn {
  const turn = goesOn(before, event) ? reopened(before) : before;
  switch (event.type) {
    case "turn":
      return { ...turn, id: event.turn_id, agent: event.agent, model: event.model, status: "running" };
    case "text":
      return { ...turn, again: null, parts: appended(turn, "text", event.content) };
    case "thinking":
      return { ...turn, again: null, parts: appended(turn, "thinking", event.content) };
    case "outside":
      return { ...turn, outside: true };
    case "tool_start":
      return { ...turn, status: "running", parts: started(turn.parts, event) };
    case "tool_use":
      return { ...turn, parts: ended(turn.parts, event), lastEnded: event.id };
    case "chart":
    case "table":
    case "kpi":
    case "graph":
      return {
        ...turn,
        parts: shown(turn, { kind: "widget", widget: event.type, data: event.data, event: id }),
      };
    case "dashboard":
      return {
        ...turn,
        parts: shown(turn, { kind: "dashboard", id: event.id, url: event.url, title: event.titulo }),
      };
    case "code":
      return { ...turn, parts: codeEnded(turn.parts, event) };
    case "confirmation":
      return { ...turn, parts: asked(turn.parts, event) };
    case "decision":
      return { ...turn, status: "running", parts: decided(turn.parts, event) };
    case "usage":
      return {
        ...turn,
        spent: addSpent(turn.spent, event),
        context: event.input_tokens + event.cache_read_tokens + event.cache_write_tokens + event.output_tokens,
        contextLimit: event.context_limit ?? null,
        seenFrom: event.seen_from ?? null,
        replies: turn.replies + 1,
        replyStart: turn.parts.length,
      };
    case "provider":
      return { ...turn, model: event.model, parts: [...turn.parts, { kind: "instead", content: event.content }] };
    case "again":
      return { ...turn, again: event.reason, parts: withoutReply(turn) };
    case "error":
      return {
        ...turn,
        parts: [
          ...turn.parts,
          { kind: "error", content: event.content, code: event.code, retryable: event.retryable },
        ],
      };
    case "done":
      return {
        ...turn,
        id: event.turn_id,
        status: event.status,
        iterations: event.iterations,
        again: null,
        parts: event.status === "waiting" ? turn.parts : settled(turn.parts),
      };
    default:
      return turn; // newer servers may send kinds we do not know
  }
}

/** Whether something comes after the end: the turn was continued. In the record its first end is gone, the error is not. */
function goesOn(turn: Turn, event: TurnEvent): boolean {
  const over = turn.status === "failed" || turn.status === "stopped";
  return over || (turn.parts.at(-1)?.kind === "error" && event.type !== "done");
}

/** A failed or stopped turn that goes on: what it has done stays, why it ended is history. */
export function reopened(turn: Turn): Turn {
  const parts = turn.parts.filter((part) => part.kind !== "error");
  return { ...turn, status: "running", parts, replyStart: Math.min(turn.replyStart, parts.length) };
}

/** Fold stored events, which carry their number as `n`. */
export function foldTurn(events: Iterable<TurnEvent & { n?: number }>, from: Turn = newTurn()): Turn {
  let turn = from;
  for (const event of events) {
    turn = applyEvent(turn, event, turn.id !== null && event.n !== undefined ? `${turn.id}-${event.n}` : null);
  }
  return turn;
}

/** What the person read, joined: for copying and for announcing. */
export function textOf(turn: Turn): string {
  return turn.parts
    .filter((part) => part.kind === "text")
    .map((part) => part.text)
    .join("\n\n");
}

export function openApprovals(turn: Turn): Approval[] {
  return turn.parts.flatMap((part) => (part.kind === "approval" && !part.approval.verdict ? [part.approval] : []));
}

export function addSpent(sum: Spent | null, more: Spent): Spent {
  return {
    input_tokens: (sum?.input_tokens ?? 0) + more.input_tokens,
    output_tokens: (sum?.output_tokens ?? 0) + more.output_tokens,
    cache_read_tokens: (sum?.cache_read_tokens ?? 0) + more.cache_read_tokens,
    cache_write_tokens: (sum?.cache_write_tokens ?? 0) + more.cache_write_tokens,
    cost_usd: more.cost_usd === null && !sum ? null : (sum?.cost_usd ?? 0) + (more.cost_usd ?? 0),
    estimated: Boolean(sum?.estimated || more.estimated),
  };
}

function appended(turn: Turn, kind: "text" | "thinking", content: string): Part[] {
  const { parts } = turn;
  const last = parts.at(-1);
  // A part that was complete before this reply began is never added to.
  if (last?.kind === kind && parts.length > turn.replyStart) {
    return [...parts.slice(0, -1), { kind, text: last.text + content, outside: turn.outside }];
  }
  return content === "" ? parts : [...parts, { kind, text: content, outside: turn.outside }];
}

function withoutReply(turn: Turn): Part[] {
  return turn.parts.filter(
    (part, index) => index < turn.replyStart || (part.kind !== "text" && part.kind !== "thinking"),
  );
}

type Started = Extract<TurnEvent, { type: "tool_start" }>;
type Ended = Extract<TurnEvent, { type: "tool_use" }>;

function started(parts: Part[], event: Started): Part[] {
  if (event.name === CODE_TOOL) {
    return upsertCode(parts, event.id, (run) => ({ ...run, source: sourceOf(event.input) || run.source }));
  }
  return upsertCall(parts, event.caller, { ...callOf(event), status: "running", ran: true });
}

function ended(parts: Part[], event: Ended): Part[] {
  if (event.name === CODE_TOOL) {
    return upsertCode(parts, event.id, (run) => ({
      ...run,
      source: sourceOf(event.input) || run.source,
      status: event.is_error ? "error" : run.status === "error" ? "error" : "done",
      stderr: event.is_error && !run.stderr ? textOfResult(event.result) : run.stderr,
      duration_ms: event.duration_ms,
    }));
  }
  return upsertCall(parts, event.caller, {
    ...callOf(event),
    status: event.is_error ? "error" : "done",
    ran: !event.is_error,
    result: event.result,
    duration_ms: event.duration_ms,
    cached: event.cached,
  });
}

function callOf(event: Started | Ended): Omit<Call, "status" | "ran"> {
  return { id: event.id, name: event.name, input: event.input, caller: event.caller };
}

function upsertCall(parts: Part[], caller: Caller | undefined, call: Call): Part[] {
  const owner = caller?.tool_id;
  if (owner) {
    return upsertCode(parts, owner, (run) => ({ ...run, calls: upsert(run.calls, call) }));
  }
  const index = parts.findIndex((part) => part.kind === "call" && part.call.id === call.id);
  const known = parts[index];
  if (known?.kind === "call") return parts.with(index, { kind: "call", call: again(known.call, call) });
  // A call that a person let through stands where it was asked for, not where it came to run.
  const card = parts.findIndex((part) => part.kind === "approval" && part.approval.tool_use_id === call.id);
  return parts.toSpliced(card < 0 ? parts.length : card + 1, 0, { kind: "call", call });
}

/** A card stands by the call that shows it: calls end in any order, and are shown in the order asked. */
function shown(turn: Turn, card: Extract<Part, { kind: "widget" | "dashboard" }>): Part[] {
  const { parts, lastEnded } = turn;
  let at = parts.findIndex((part) => part.kind === "call" && part.call.id === lastEnded);
  if (at < 0) return [...parts, card];
  do at++;
  while (parts[at]?.kind === "widget" || parts[at]?.kind === "dashboard");
  return parts.toSpliced(at, 0, card);
}

function upsert(calls: Call[], call: Call): Call[] {
  const index = calls.findIndex((known) => known.id === call.id);
  const known = calls[index];
  return known ? calls.with(index, again(known, call)) : [...calls, call];
}

/** What is known of a call now; that it began stays true when it fails. */
function again(known: Call, call: Call): Call {
  return { ...call, ran: known.ran || call.ran };
}

/** How many calls really ran. */
export function countRan(calls: Call[]): number {
  return calls.filter((call) => call.ran).length;
}

function upsertCode(parts: Part[], id: string, change: (run: CodeRun) => CodeRun): Part[] {
  const index = parts.findIndex((part) => part.kind === "code" && part.run.id === id);
  const known = parts[index];
  if (known?.kind === "code") return parts.with(index, { kind: "code", run: change(known.run) });
  const run: CodeRun = { id, source: "", status: "running", calls: [], stdout: "", stderr: "", files: [] };
  return [...parts, { kind: "code", run: change(run) }];
}

function codeEnded(parts: Part[], event: Extract<TurnEvent, { type: "code" }>): Part[] {
  return upsertCode(parts, event.id, (run) => ({
    ...run,
    status: event.return_code === 0 ? "done" : "error",
    stdout: event.stdout,
    stderr: event.stderr,
    return_code: event.return_code,
    container: event.container,
    files: event.files ?? [],
  }));
}

function asked(parts: Part[], event: Extract<TurnEvent, { type: "confirmation" }>): Part[] {
  const { type: _, ...approval } = event;
  const index = parts.findIndex((part) => part.kind === "approval" && part.approval.id === event.id);
  if (index >= 0) return parts;
  return [...parts, { kind: "approval", approval }];
}

function decided(parts: Part[], event: Extract<TurnEvent, { type: "decision" }>): Part[] {
  return parts.map((part) =>
    part.kind === "approval" && part.approval.id === event.id
      ? { kind: "approval", approval: { ...part.approval, verdict: event.decision, by: event.by, edited: event.input ?? null, said: event.reason ?? null } }
      : part,
  );
}

/** A turn that is over has nothing running in it, whatever its last events said. */
function settled(parts: Part[]): Part[] {
  return parts.map((part) => {
    if (part.kind === "call" && part.call.status === "running") {
      return { kind: "call", call: { ...part.call, status: "error" } };
    }
    if (part.kind === "code" && part.run.status === "running") {
      const calls = part.run.calls.map((call): Call => (call.status === "running" ? { ...call, status: "error" } : call));
      return { kind: "code", run: { ...part.run, calls, status: part.run.return_code === 0 ? "done" : "error" } };
    }
    return part;
  });
}

function sourceOf(input: Json): string {
  if (input && typeof input === "object" && !Array.isArray(input)) {
    const code = input["code"] ?? input["codigo"];
    if (typeof code === "string") return code;
  }
  return "";
}

function textOfResult(result: Json): string {
  return typeof result === "string" ? result : JSON.stringify(result, null, 2);
}
