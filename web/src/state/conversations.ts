/** The list of conversations beside the chat. */
import { get, patch, post, remove } from "../api/client";
import { mayHaveMissed, onNews } from "../api/news";
import type { ConversationItem } from "../api/types";
import { createStore } from "./store";

interface List {
  items: ConversationItem[] | null;
  query: string;
  problem: unknown;
  more: boolean;
}

const PAGE = 50;

export const conversations = createStore<List>({ items: null, query: "", problem: null, more: false });
/** Questions typed before their conversation existed. */
const first = new Map<string, { question?: string; file?: File }>();

let latest = 0;

export async function loadConversations(query = conversations.get().query): Promise<void> {
  const mine = (latest += 1);
  conversations.set((now) => ({ ...now, query }));
  try {
    const items = await get<ConversationItem[]>("/conversations", { query: { q: query, limit: PAGE } });
    if (mine === latest) conversations.set((now) => ({ ...now, items, problem: null, more: items.length === PAGE }));
  } catch (problem) {
    if (mine === latest) conversations.set((now) => ({ ...now, problem }));
  }
}

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
  const { items, query } = conversations.get();
  const last = items?.at(-1);
  if (!items || !last) return;
  const older = await get<ConversationItem[]>("/conversations", { query: { q: query, limit: PAGE, before: Date.parse(last.updated_at) / 1000 } });
  const known = new Set(items.map((one) => one.id));
  conversations.set((now) => ({ ...now, items: [...items, ...older.filter((one) => !known.has(one.id))], more: older.length === PAGE }));
}

export async function startConversation(agent: number | string, opening: { question?: string; file?: File } = {}): Promise<string> {
  const made = await post<{ id: string }>("/conversations", { agent });
  first.set(made.id, opening);
  void loadConversations();
  return made.id;
}

export function takeOpening(id: string): { question?: string; file?: File } | undefined {
  const opening = first.get(id);
  first.delete(id);
  return opening;
}

export async function renameConversation(id: string, title: string): Promise<void> {
  await patch(`/conversations/${encodeURIComponent(id)}`, { title });
  await loadConversations();
}

export async function deleteConversation(id: string): Promise<void> {
  await remove(`/conversations/${encodeURIComponent(id)}`);
  conversations.set((now) => ({ ...now, items: now.items?.filter((one) => one.id !== id) ?? null }));
}

export function forgetConversations(): void {
  latest += 1;
  first.clear();
  conversations.set({ items: null, query: "", problem: null, more: false });
}
