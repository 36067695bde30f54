import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | null;
  problem: unknown;
  loading: boolean;
  reload(): void;
  set(data: T): void;
}

/** Load something for as long as the component is there; `deps` say when to load it again. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, deps: unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; problem: unknown; loading: boolean }>({
    data: null,
    problem: null,
    loading: true,
  });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    setState((now) => ({ ...now, loading: true }));
    load(control.signal)
      .then((data) => !control.signal.aborted && setState({ data, problem: null, loading: false }))
      .catch((problem: unknown) => !control.signal.aborted && setState((now) => ({ ...now, problem, loading: false })));
    return () => control.abort();
    // Whoever calls says when: `load` is another function at each drawing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [...deps, times]);
  return {
    ...state,
    reload: useCallback(() => setTimes((n) => n + 1), []),
    set: useCallback((data: T) => setState({ data, problem: null, loading: false }), []),
  };
}

type Run<A extends unknown[]> = (...args: A) => Promise<boolean>;

/** Something the person does: whether it is under way, and what went wrong. One at a time. */
export function useAction<A extends unknown[]>(action: (...args: A) => Promise<unknown>): [Run<A>, boolean, unknown, () => void] {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const running = useRef(false);
  const run = async (...args: A): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await action(...args);
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return [run, busy, problem, () => setProblem(null)];
}

/** The page's name, in the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Bancada` : "Bancada";
  }, [title]);
}

/** The time, moving: for what is left until something expires. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Whether the element has come into view, once. */
export function useSeen<T extends Element>(margin = "300px"): [(element: T | null) => void, boolean] {
  const [ref, near] = useNear<T>(margin);
  const seen = useRef(false);
  seen.current ||= near;
  return [ref, seen.current];
}

/** Whether the element is in view, or this far from it. */
export function useNear<T extends Element>(margin: string): [(element: T | null) => void, boolean] {
  const [near, setNear] = useState(false);
  const observer = useRef<IntersectionObserver | null>(null);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (!element) return;
    // Inside a box that scrolls, only `scrollMargin` looks further than its edge.
    const margins = { rootMargin: margin, scrollMargin: margin };
    observer.current = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), margins);
    observer.current.observe(element);
  }, [margin]);
  return [ref, near];
}

/** How wide the element is drawn, in steps: small changes are not worth a new picture. */
export function useWidth<T extends Element>(first: number): [(element: T | null) => void, number] {
  const [width, setWidth] = useState(first);
  const observer = useRef<ResizeObserver | null>(null);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (!element) return;
    observer.current = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(280, Math.round(entry.contentRect.width / 40) * 40));
    });
    observer.current.observe(element);
  }, []);
  return [ref, width];
}

/** A value that follows another after a short rest: for searching while somebody types. */
export function useSettled<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
