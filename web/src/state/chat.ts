/** A conversation on the screen: questions, uploads and turns, in order. No markup, no network. */
import type { Wire } from "../api/wire";
import type { Json, JsonObject, Numbered, Spent, TurnEvent } from "./events";
import { addSpent, applyNumbered, foldTurn, newTurn, reopened, type Turn } from "./turn";

export type StoredMessage = Wire["MessageOut"];

/** The parts of a stored conversation that the screen is made from. */
export type StoredConversation = Pick<Wire["WholeConversation"], "id" | "title" | "agent" | "mode" | "status" | "turn_id" | "messages" | "share" | "shown">;

/** What was guessed, left out or odd: a code with named parts, put into words where it is shown. */
export interface Note {
  code: string;
  line: number | null;
  parts: Record<string, string | number>;
}

export interface DataColumn {
  name: string;
  type: string;
}

/** One table of a file: a workbook has one a sheet. */
export interface DataTable {
  name: string;
  sheet: string | null;
  rows: number | null;
  columns: DataColumn[];
  preview: Json[][];
  notes: Note[];
}

export interface Dataset {
  file: string;
  tables: DataTable[];
  /** Of the file as a whole. */
  notes: Note[];
  /** Sheets of the workbook that have no table. */
  unread: { name: string; hidden: boolean }[];
}

/** Where an upload stands among those of the same file. */
export interface Lineage {
  /** The one whose place it took. */
  before: Dataset | null;
  /** A newer one has taken its place: its rows are not there any more. */
  replaced: boolean;
  /** It is the newest of its name: what is sent to replace it replaces this one. */
  newest: boolean;
}

export type Entry =
  | {
      kind: "question";
      key: string;
      messageId: string | null;
      text: string;
      attachments: Wire["AttachmentOut"][];
      at: string;
      turnId: string | null;
      /** The turns in which it was asked, one way or another, oldest first; one that is new has no id yet. */
      versions: (string | null)[];
    }
  | { kind: "upload"; key: string; messageId: string | null; dataset: Dataset; at: string }
  | {
      kind: "turn";
      key: string;
      messageId: string | null;
      turn: Turn;
      at: string;
      feedback: -1 | 0 | 1;
      why: Why;
      /** The blocks as the model sees them again; for the developer view. */
      blocks: JsonObject[];
      metadata: JsonObject;
    };

/** What the person said was the matter with an answer. */
export interface Why {
  reasons: Reason[];
  comment: string;
}

export type Reason = NonNullable<Wire["FeedbackIn"]["reasons"]>[number];

export const REASONS: readonly Reason[] = ["wrong", "incomplete", "misunderstood", "unclear", "slow"];

export interface Chat {
  id: string;
  title: string;
  agent: { id: number; name: string };
  mode: "model" | "keyword";
  /** By which link colleagues read it, and how far. */
  share: Wire["ConversationShareOut"] | null;
  /** What can be attached to the next question. */
  shown: Wire["WholeConversation"]["shown"];
  entries: Entry[];
}

export const NO_REASON: Why = { reasons: [], comment: "" };

/** The stored conversation, folded exactly as when it was streamed. */
export function chatOf(stored: StoredConversation): Chat {
  const open = stored.status === "running" || stored.status === "waiting" ? (stored.turn_id ?? null) : null;
  const blocks = blocksByTurn(stored.messages);
  const entries: Entry[] = [];
  for (const message of stored.messages) {
    const turnId = asText(message.metadata["turn_id"]);
    const kind = message.metadata["kind"];
    if (message.role === "user" && kind !== "results") entries.push(...asked(message));
    // The open turn is read from its own event stream, from the start.
    if (open !== null && turnId === open) continue;
    const answer = answered(message, turnId === null ? [] : (blocks.get(turnId) ?? []));
    if (answer) entries.push(answer);
  }
  return { id: stored.id, title: stored.title, agent: stored.agent, mode: stored.mode, share: stored.share, shown: stored.shown, entries };
}

/** Everything a turn wrote, in the form the model sees it again. */
function blocksByTurn(messages: StoredMessage[]): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const message of messages) {
    const turnId = asText(message.metadata["turn_id"]);
    if (turnId === null) continue;
    found.set(turnId, [...(found.get(turnId) ?? []), ...message.content]);
  }
  return found;
}

function asked(message: StoredMessage): Entry[] {
  const metadata = message.metadata;
  const base = { key: `m${message.id}`, messageId: message.id, at: message.created_at };
  const dataset = datasetOf(metadata["dataset"], asText(metadata["file"]));
  if (dataset) return [{ kind: "upload", ...base, dataset }];
  const text = questionOf(message.content);
  if (text === null) return [];
  const turnId = asText(metadata["turn_id"]);
  const versions = metadata["versions"];
  const attachments = objects(metadata["attachments"]) as unknown as Wire["AttachmentOut"][];
  return [{ kind: "question", ...base, text, attachments, turnId, versions: Array.isArray(versions) ? versions.map(String) : [turnId] }];
}

/** The turn whose events this message carries; a message without any that is plain text shows its text. */
function answered(message: StoredMessage, blocks: JsonObject[]): Entry | null {
  const metadata = message.metadata;
  const events = metadata["events"];
  const plain = message.role === "assistant" && metadata["kind"] === undefined;
  if (!Array.isArray(events) && !plain) return null;
  const turn = Array.isArray(events)
    ? withSources(foldTurn(events as unknown as TurnEvent[]), blocks)
    : foldTurn([{ type: "outside" }, { type: "text", content: textOfContent(message.content) }]);
  const feedback = metadata["feedback"];
  return {
    kind: "turn",
    key: `a${message.id}`,
    messageId: message.id,
    at: message.created_at,
    turn: { ...turn, id: turn.id ?? asText(metadata["turn_id"]), status: turn.status === "running" ? "done" : turn.status },
    feedback: feedback === 1 || feedback === -1 ? feedback : 0,
    why: whyOf(metadata["feedback_why"]),
    blocks,
    metadata,
  };
}

function whyOf(said: Json | undefined): Why {
  if (!isObject(said)) return NO_REASON;
  return { reasons: (Array.isArray(said["reasons"]) ? said["reasons"] : []) as Reason[], comment: asText(said["comment"]) ?? "" };
}

/** What code a turn ran is in its blocks, not in its events. */
export function withSources(turn: Turn, blocks: JsonObject[]): Turn {
  const sources = new Map<string, string>();
  for (const block of blocks) {
    const input = block["input"];
    if (block["type"] !== "server_tool_use" || !input || typeof input !== "object" || Array.isArray(input)) continue;
    if (typeof input["code"] === "string") sources.set(String(block["id"]), input["code"]);
  }
  if (!sources.size) return turn;
  return {
    ...turn,
    parts: turn.parts.map((part) =>
      part.kind === "code" && !part.run.source ? { kind: "code", run: { ...part.run, source: sources.get(part.run.id) ?? "" } } : part,
    ),
  };
}

export function textOfContent(content: StoredMessage["content"]): string {
  return content
    .filter((block) => block["type"] === "text")
    .map((block) => String(block["text"] ?? ""))
    .join("\n\n");
}

/** What the person typed comes first; a note on data sets may follow it. */
function questionOf(content: StoredMessage["content"]): string | null {
  if (content.some((block) => block["type"] === "tool_result")) return null;
  const first = content.find((block) => block["type"] === "text");
  return first ? String(first["text"] ?? "") : null;
}

/** A data set as a message's metadata describes it; one of long ago has one table and no notes. */
export function datasetOf(shape: Json | undefined, file: string | null): Dataset | null {
  if (!isObject(shape)) return null;
  const tables = objects(shape["tables"]);
  return {
    file: file ?? String(shape["name"] ?? ""),
    tables: (tables.length ? tables : [shape]).map(tableOf),
    notes: tables.length ? notesOf(shape["notes"]) : [],
    unread: objects(shape["sheets"])
      .filter((sheet) => sheet["table"] === null)
      .map((sheet) => ({ name: String(sheet["name"]), hidden: sheet["hidden"] === true })),
  };
}

function tableOf(shape: JsonObject): DataTable {
  const preview = shape["preview"];
  return {
    name: String(shape["table"] ?? ""),
    sheet: asText(shape["sheet"]),
    rows: typeof shape["rows"] === "number" ? shape["rows"] : null,
    columns: objects(shape["columns"]).map((column) => ({ name: String(column["name"] ?? ""), type: String(column["type"] ?? "") })),
    preview: Array.isArray(preview) ? preview.filter(Array.isArray) : [],
    notes: notesOf(shape["notes"]),
  };
}

function notesOf(shape: Json | undefined): Note[] {
  return objects(shape).map((note) => ({
    code: String(note["code"]),
    line: typeof note["line"] === "number" ? note["line"] : null,
    parts: (note["parts"] ?? {}) as Note["parts"],
  }));
}

function isObject(shape: Json | undefined): shape is JsonObject {
  return Boolean(shape) && typeof shape === "object" && !Array.isArray(shape);
}

function objects(shape: Json | undefined): JsonObject[] {
  return Array.isArray(shape) ? shape.filter(isObject) : [];
}

/** The same conversation, its last turn's code known from what was stored. */
export function withStoredSources(chat: Chat, stored: StoredConversation): Chat {
  const last = chat.entries.at(-1);
  if (last?.kind !== "turn" || last.turn.id === null) return chat;
  const blocks = blocksByTurn(stored.messages).get(last.turn.id) ?? [];
  return { ...chat, entries: chat.entries.with(-1, { ...last, turn: withSources(last.turn, blocks) }) };
}

function asText(value: Json | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** A new question, and the turn that will answer it. */
export function asking(chat: Chat, text: string, at: string, attachments: Wire["AttachmentOut"][] = []): Chat {
  const n = chat.entries.length;
  return {
    ...chat,
    title: chat.title,
    entries: [
      ...chat.entries,
      { kind: "question", key: `q${n}-${at}`, messageId: null, text, attachments, at, turnId: null, versions: [null] },
      liveTurn(`t${n}-${at}`, at),
    ],
  };
}

function liveTurn(key: string, at: string, turn: Turn = newTurn()): Entry {
  return { kind: "turn", key, messageId: null, turn, at, feedback: 0, why: NO_REASON, blocks: [], metadata: {} };
}

/** The turn that events now go to; opened where the last entry is not one. */
export function opened(chat: Chat, at: string): Chat {
  const last = chat.entries.at(-1);
  if (last?.kind === "turn" && (last.turn.status === "running" || last.turn.status === "waiting")) return chat;
  return { ...chat, entries: [...chat.entries, liveTurn(`t${chat.entries.length}-${at}`, at)] };
}

/** Go on with the last turn, which failed or was stopped. */
export function goingOn(chat: Chat): Chat {
  const last = chat.entries.at(-1);
  return last?.kind === "turn" ? { ...chat, entries: chat.entries.with(-1, { ...last, turn: reopened(last.turn) }) } : chat;
}

/** The turn that answers this question: one that was streamed here knows its own. */
export function turnOf(chat: Chat, key: string): string | null {
  return turnAt(chat, chat.entries.findIndex((entry) => entry.key === key));
}

function turnAt(chat: Chat, index: number): string | null {
  const question = chat.entries[index];
  const answer = chat.entries[index + 1];
  if (question?.kind !== "question") return null;
  return question.turnId ?? (answer?.kind === "turn" ? answer.turn.id : null);
}

/** Ask a question again, in these words: what followed it stands in another branch, but files stay. */
export function askingAgain(chat: Chat, key: string, text: string, at: string): Chat {
  const index = chat.entries.findIndex((entry) => entry.key === key);
  const question = chat.entries[index];
  if (question?.kind !== "question") return chat;
  const versions = [...question.versions.map((id) => id ?? turnOf(chat, key)), null];
  return {
    ...chat,
    entries: [
      ...chat.entries.slice(0, index),
      ...chat.entries.slice(index).filter((entry) => entry.kind === "upload"),
      { ...question, key: `q${index}-${at}`, messageId: null, turnId: null, text, at, versions },
      liveTurn(`t${index}-${at}`, at),
    ],
  };
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

export interface Totals {
  spent: Spent | null;
  /** How full the model's window was at the last reply, and how large it is, if anybody knows. */
  context: number;
  limit: number | null;
  /** The key of the first entry that the model saw then; null: all of them. */
  seenFrom: string | null;
}

/** What the conversation has cost so far, and what the model saw of it at the last reply. */
export function totals(chat: Chat): Totals {
  let spent: Spent | null = null;
  let last: Turn | null = null;
  for (const entry of chat.entries) {
    if (entry.kind !== "turn" || !entry.turn.spent) continue;
    spent = addSpent(spent, entry.turn.spent);
    if (entry.turn.context) last = entry.turn;
  }
  return { spent, context: last?.context ?? 0, limit: last?.contextLimit ?? null, seenFrom: entryOf(chat, last?.seenFrom ?? null) };
}

function entryOf(chat: Chat, seen: string | null): string | null {
  const found = seen && chat.entries.find((entry, index) => (entry.kind === "question" ? turnAt(chat, index) === seen : entry.kind === "upload" && entry.messageId === seen));
  return found ? found.key : null;
}

export function changeEntry(chat: Chat, key: string, change: (entry: Entry) => Entry): Chat {
  return { ...chat, entries: chat.entries.map((entry) => (entry.key === key ? change(entry) : entry)) };
}

/** A data set takes another's place by having the same file's and the same table's name; otherwise it has another table. */
export function lineage(entries: Entry[], index: number): Lineage {
  const entry = entries[index];
  if (entry?.kind !== "upload") return { before: null, replaced: false, newest: false };
  const same = (one: Entry): one is Extract<Entry, { kind: "upload" }> => one.kind === "upload" && one.dataset.file === entry.dataset.file;
  const names = new Set(entry.dataset.tables.map((table) => table.name));
  const shares = (one: Extract<Entry, { kind: "upload" }>) => one.dataset.tables.some((table) => names.has(table.name));
  const later = entries.slice(index + 1).filter(same);
  return {
    before: entries.slice(0, index).filter(same).findLast(shares)?.dataset ?? null,
    replaced: later.some(shares),
    newest: later.length === 0,
  };
}
