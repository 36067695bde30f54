/** Where the person is: the part of the address after `#`. */
import { createStore } from "./store";

export interface Route {
  path: string[];
  query: URLSearchParams;
}

function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The server serves the app at a dashboard's own address too; inside the app it is one more page. */
function here(): Route {
  const kept = /^\/dashboards\/([^/]+)\/?$/.exec(location.pathname);
  if (kept && !location.hash) history.replaceState(null, "", `/#/dashboards/${kept[1]}`);
  const shared = /^\/d\/([^/]+)\/?$/.exec(location.pathname);
  if (shared?.[1] && !location.hash) return { path: ["shared", decode(shared[1])], query: new URLSearchParams() };
  return parse(location.hash);
}

export const route = createStore<Route>(here());
window.addEventListener("hashchange", () => route.set(here()));

export function href(...path: (string | number)[]): string {
  return `#/${path.map((segment) => encodeURIComponent(String(segment))).join("/")}`;
}

export function go(...path: (string | number)[]): void {
  location.hash = href(...path);
}

/** Go there without leaving a step to come back to. */
export function replace(...path: (string | number)[]): void {
  history.replaceState(null, "", href(...path));
  route.set(here());
}
