/** The list of conversations beside the chat. */
import { api } from "../api/client";
import { mayHaveMissed, onNews } from "../api/news";
import type { ConversationItem } from "../api/types";
import { createStore } from "./store";

export type Shelf = "current" | "archive";

interface List {
  items: ConversationItem[] | null;
  query: string;
  /** Which ones: those in use, or those put away. A search finds both. */
  shelf: Shelf;
  problem: unknown;
  more: boolean;
  /** When the last of the latest page was used: older ones come after it. */
  oldest: string | null;
}

const PAGE = 50;
const NOTHING: List = { items: null, query: "", shelf: "current", problem: null, more: false, oldest: null };

export const conversations = createStore<List>(NOTHING);
export interface Opening {
  question?: string;
  /** A table to upload. */
  file?: File;
  /** What goes with the question. */
  attachments?: File[];
}

/** Questions typed before their conversation existed. */
const first = new Map<string, Opening>();

let latest = 0;

export async function loadConversations(query = conversations.get().query, shelf = conversations.get().shelf): Promise<void> {
  const mine = (latest += 1);
  conversations.set((now) => ({ ...now, query, shelf }));
  try {
    const [pinned, page] = await Promise.all([
      query || shelf === "archive" ? [] : api.get("/conversations", { query: { pinned: true, archived: false, limit: 500 } }),
      pageOf(query, shelf),
    ]);
    if (mine === latest) conversations.set((now) => ({ ...now, items: joined(pinned, page), problem: null, ...endOf(page) }));
  } catch (problem) {
    if (mine === latest) conversations.set((now) => ({ ...now, problem }));
  }
}

const pageOf = (query: string, shelf: Shelf, before?: number): Promise<ConversationItem[]> =>
  api.get("/conversations", { query: { q: query, limit: PAGE, before, archived: shelf === "archive" ? true : undefined } });

const endOf = (page: ConversationItem[]) => ({ more: page.length === PAGE, oldest: page.at(-1)?.updated_at ?? null });

function joined(known: ConversationItem[], more: ConversationItem[]): ConversationItem[] {
  const ids = new Set(known.map((one) => one.id));
  return [...known, ...more.filter((one) => !ids.has(one.id))];
}

/** Look for these words, without reading them as the list shows it: for whoever wants to show it elsewhere. */
export const findConversations = (query: string): Promise<ConversationItem[]> => pageOf(query, "current");

onNews((item) => {
  const { items } = conversations.get();
  if (mayHaveMissed(item) && items) void loadConversations();
  if (item.type !== "turn" || !items) return;
  // One that was made, or gets its title, in another tab.
  if (!items.some((one) => one.id === item.conversation_id && one.title)) void loadConversations();
  const status = item.status;
  conversations.set((now) => ({
    ...now,
    items: now.items?.map((one) => (one.id === item.conversation_id ? { ...one, status } : one)) ?? null,
  }));
});

export async function loadMore(): Promise<void> {
  const { items, query, shelf, oldest } = conversations.get();
  if (!items || !oldest) return;
  const older = await pageOf(query, shelf, Date.parse(oldest) / 1000);
  conversations.set((now) => ({ ...now, items: joined(items, older), ...endOf(older) }));
}

export async function startConversation(agent: number | string, opening: Opening = {}): Promise<string> {
  const made = await api.post("/conversations", { body: { agent } });
  first.set(made.id, opening);
  void loadConversations();
  return made.id;
}

export function takeOpening(id: string): Opening | undefined {
  const opening = first.get(id);
  first.delete(id);
  return opening;
}

export async function renameConversation(id: string, title: string): Promise<void> {
  await changeConversation(id, { title });
}

export async function changeConversation(id: string, change: { title?: string; pinned?: boolean; archived?: boolean }): Promise<void> {
  await api.patch("/conversations/{id}", { path: { id }, body: change });
  await loadConversations();
}

export async function deleteConversation(id: string): Promise<void> {
  await api.delete("/conversations/{id}", { path: { id } });
  conversations.set((now) => ({ ...now, items: now.items?.filter((one) => one.id !== id) ?? null }));
}

export function forgetConversations(): void {
  latest += 1;
  first.clear();
  conversations.set(NOTHING);
}
