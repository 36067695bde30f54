/** What people call the tools, in their language: the server has the words, the page asks once. */
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import { language, person } from "./person";
import { createStore, useStore } from "./store";

const names = createStore<Record<string, string>>({});
let asked: string | null = null;

async function learn(): Promise<void> {
  const me = person.get();
  const key = me && `${me.id} ${me.language}`;
  if (!key || asked === key) return;
  asked = key;
  try {
    const tools = await api.get("/me/tools");
    names.set(Object.fromEntries(tools.map((one) => [one.name, one.shown])));
  } catch {
    asked = null; // a name is a help: without it the id is shown
  }
}

/** The name of a tool; its id where nobody gave it one. */
export function useToolName(): (id: string) => string {
  const known = useStore(names);
  const spoken = useStore(language);
  const me = useStore(person);
  useEffect(() => void learn(), [spoken, me?.language]);
  return (id) => known[id] ?? id;
}
