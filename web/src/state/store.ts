/** A value that can be watched. The whole of our state management. */
import { useLayoutEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  watch(watcher: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const changed = typeof next === "function" ? (next as (now: T) => T)(value) : next;
      if (Object.is(changed, value)) return;
      value = changed;
      // A copy: who begins to watch meanwhile has seen this value.
      for (const watcher of Array.from(watchers)) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

/** The store's value, or the part of it that `pick` names; renders again only when that changes. */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, pick: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, pick?: (value: T) => S): T | S {
  const read = () => (pick ? pick(store.get()) : store.get());
  const [, render] = useState(0);
  const current = read();
  useLayoutEffect(() => {
    let seen = current;
    const check = () => {
      const now = read();
      if (Object.is(now, seen)) return;
      seen = now;
      render((n) => n + 1);
    };
    check();
    return store.watch(check);
  });
  return current;
}
