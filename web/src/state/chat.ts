/** A conversation on the screen: questions, uploads and turns, in order. No markup, no network. */
import type { Json, JsonObject, Numbered, Spent, TurnEvent, TurnStatus } from "./events";
import { addSpent, applyNumbered, foldTurn, newTurn, reopened, type Turn } from "./turn";

export interface StoredMessage {
  id: string;
  role: "user" | "assistant";
  content: JsonObject[] | string;
  created_at: string;
  metadata?: JsonObject | null;
}

export interface StoredConversation {
  id: string;
  title: string;
  agent: { id: number; name: string };
  mode: "model" | "keyword";
  status?: TurnStatus | "idle" | null;
  turn_id?: string | null;
  messages: StoredMessage[];
  usage?: Partial<Spent> | null;
}

export interface Dataset {
  name: string;
  file: string;
  rows: number | null;
  columns: string[];
  summary: string;
}

export type Entry =
  | { kind: "question"; key: string; messageId: string | null; text: string; at: string; turnId: string | null }
  | { kind: "upload"; key: string; messageId: string | null; dataset: Dataset; at: string }
  | {
      kind: "turn";
      key: string;
      messageId: string | null;
      turn: Turn;
      at: string;
      feedback: -1 | 0 | 1;
      /** The blocks as the model sees them again; for the developer view. */
      blocks: Json;
      metadata: JsonObject;
    };

export interface Chat {
  id: string;
  title: string;
  agent: { id: number; name: string };
  mode: "model" | "keyword";
  entries: Entry[];
}

/** The stored conversation, folded exactly as when it was streamed. */
export function chatOf(stored: StoredConversation): Chat {
  const open = stored.status === "running" || stored.status === "waiting" ? (stored.turn_id ?? null) : null;
  const entries: Entry[] = [];
  for (const message of stored.messages) {
    const entry = entryOf(message);
    if (!entry) continue;
    // The open turn is read from its own event stream, from the start.
    if (entry.kind === "turn" && open !== null && entry.turn.id === open) continue;
    const last = entries.at(-1);
    if (entry.kind === "turn" && last?.kind === "turn" && last.turn.id !== null && last.turn.id === entry.turn.id) {
      entries[entries.length - 1] = entry.turn.parts.length >= last.turn.parts.length ? entry : last;
    } else {
      entries.push(entry);
    }
  }
  return { id: stored.id, title: stored.title, agent: stored.agent, mode: stored.mode, entries };
}

function entryOf(message: StoredMessage): Entry | null {
  const metadata = message.metadata ?? {};
  const base = { key: `m${message.id}`, messageId: message.id, at: message.created_at };
  if (message.role === "user") {
    const dataset = datasetOf(metadata["dataset"] ?? metadata["upload"] ?? null, textOfContent(message.content));
    if (dataset) return { kind: "upload", ...base, dataset };
    const text = questionOf(message.content, metadata);
    return text === null ? null : { kind: "question", ...base, text, turnId: asText(metadata["turn_id"]) };
  }
  const events = metadata["events"];
  const turnId = asText(metadata["turn_id"]);
  const turn = Array.isArray(events) && events.length ? foldStored(events) : foldTurn([{ type: "text", content: textOfContent(message.content) }]);
  const feedback = metadata["feedback"];
  return {
    kind: "turn",
    ...base,
    turn: { ...turn, id: turn.id ?? turnId, status: turn.status === "running" ? "done" : turn.status },
    feedback: feedback === 1 || feedback === -1 ? feedback : 0,
    blocks: message.content as Json,
    metadata,
  };
}

/** Stored events are bare, or carry their number as `id`/`n` beside `event`. */
function foldStored(events: Json[]): Turn {
  const bare = events.map((item) => {
    const wrapped = item as unknown as { event?: TurnEvent };
    return wrapped.event ?? (item as unknown as TurnEvent);
  });
  return foldTurn(bare);
}

export function textOfContent(content: StoredMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .filter((block) => block["type"] === "text")
    .map((block) => String(block["text"] ?? ""))
    .join("\n\n");
}

/** What the person typed: notes the server stored beside the question are not theirs. */
function questionOf(content: StoredMessage["content"], metadata: JsonObject): string | null {
  const question = metadata["question"];
  if (typeof question === "string") return question;
  if (typeof content === "string") return content;
  if (content.some((block) => block["type"] === "tool_result")) return null;
  const texts = content.filter((block) => block["type"] === "text");
  return texts.length ? String(texts.at(-1)?.["text"] ?? "") : null;
}

/** A data set as an upload's answer or a message's metadata describes it. */
export function datasetOf(shape: Json | undefined, summary: string): Dataset | null {
  if (!shape || typeof shape !== "object" || Array.isArray(shape)) return null;
  const columns = shape["columns"];
  return {
    name: String(shape["table"] ?? shape["name"] ?? ""),
    file: String(shape["file"] ?? shape["filename"] ?? shape["name"] ?? ""),
    rows: typeof shape["rows"] === "number" ? shape["rows"] : null,
    columns: Array.isArray(columns) ? columns.map((column) => columnName(column)) : [],
    summary,
  };
}

function columnName(column: Json): string {
  if (column && typeof column === "object" && !Array.isArray(column)) return String(column["name"] ?? "");
  return String(column);
}

function asText(value: Json | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** A new question, and the turn that will answer it. */
export function asking(chat: Chat, text: string, at: string): Chat {
  const n = chat.entries.length;
  return {
    ...chat,
    title: chat.title,
    entries: [
      ...chat.entries,
      { kind: "question", key: `q${n}-${at}`, messageId: null, text, at, turnId: null },
      liveTurn(`t${n}-${at}`, at),
    ],
  };
}

function liveTurn(key: string, at: string, turn: Turn = newTurn()): Entry {
  return { kind: "turn", key, messageId: null, turn, at, feedback: 0, blocks: null, metadata: {} };
}

/** The turn that events now go to; opened where the last entry is not one. */
export function opened(chat: Chat, at: string): Chat {
  const last = chat.entries.at(-1);
  if (last?.kind === "turn" && (last.turn.status === "running" || last.turn.status === "waiting")) return chat;
  return { ...chat, entries: [...chat.entries, liveTurn(`t${chat.entries.length}-${at}`, at)] };
}

/** Ask again: the last turn goes, and where the question was edited it is replaced. */
export function askingAgain(chat: Chat, text: string | null, at: string): Chat {
  const entries = [...chat.entries];
  const last = entries.at(-1);
  if (last?.kind === "turn") {
    if (text === null) {
      entries[entries.length - 1] = { ...last, turn: reopened(last.turn) };
      return { ...chat, entries };
    }
    entries.pop();
  }
  const question = entries.at(-1);
  if (question?.kind === "question" && text !== null) entries[entries.length - 1] = { ...question, text, at };
  return { ...chat, entries: [...entries, liveTurn(`t${entries.length}-${at}`, at)] };
}

export function received(chat: Chat, items: Numbered[]): Chat {
  const last = chat.entries.at(-1);
  if (last?.kind !== "turn") return chat;
  let { turn } = last;
  for (const item of items) turn = applyNumbered(begins(turn, item) ? newTurn() : turn, item.id, item.event);
  if (turn === last.turn) return chat;
  return { ...chat, entries: chat.entries.with(-1, { ...last, turn }) };
}

/** A `turn` event with another id is another turn: numbers start over. */
function begins(turn: Turn, item: Numbered): boolean {
  return item.event.type === "turn" && turn.id !== null && item.event.turn_id !== turn.id;
}

export function lastTurn(chat: Chat): Turn | null {
  const last = chat.entries.at(-1);
  return last?.kind === "turn" ? last.turn : null;
}

/** What the conversation has cost so far, and how full the model's window was at the last reply. */
export function totals(chat: Chat): { spent: Spent | null; context: number } {
  let spent: Spent | null = null;
  let context = 0;
  for (const entry of chat.entries) {
    if (entry.kind !== "turn" || !entry.turn.spent) continue;
    spent = addSpent(spent, entry.turn.spent);
    if (entry.turn.context) context = entry.turn.context;
  }
  return { spent, context };
}

export function changeEntry(chat: Chat, key: string, change: (entry: Entry) => Entry): Chat {
  return { ...chat, entries: chat.entries.map((entry) => (entry.key === key ? change(entry) : entry)) };
}
