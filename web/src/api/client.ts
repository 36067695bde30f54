/** Requests to our own server: a token on each, and errors in words. */

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(detail || title);
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {}

export interface Options {
  body?: unknown;
  query?: Record<string, string | number | boolean | null | undefined>;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

interface Tokens {
  get(): string | null;
  /** A new token, where the session still counts; whether there is one. */
  renew(): Promise<boolean>;
  rejected(): void;
}
let tokens: Tokens = { get: () => null, renew: async () => false, rejected: () => undefined };

const EARLY_MS = 30_000;

/** Who holds the token and renews it, and who is told when the server no longer takes it. */
export function holdTokens(holder: Tokens): void {
  tokens = holder;
}

function authorization(): Record<string, string> {
  const token = tokens.get();
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** When a token ends, in milliseconds; never for what cannot be read. */
export function endOf(token: string): number {
  try {
    const claims = JSON.parse(atob(token.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"))) as { exp?: unknown };
    return typeof claims.exp === "number" ? claims.exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}

/** A token that is about to end is renewed before it is used. */
async function freshen(): Promise<void> {
  const token = tokens.get();
  if (token && endOf(token) - EARLY_MS < Date.now()) await tokens.renew();
}

/** The one place that reads and writes the refresh cookie is under this path; nothing else sends cookies. */
const AUTH = "/auth/";

export function address(path: string, query: Options["query"] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (!given.length) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The raw response of a request that succeeded. */
export async function send(method: string, path: string, options: Options = {}): Promise<Response> {
  const own = path.startsWith(AUTH);
  if (!own) await freshen();
  let response = await once(method, path, options);
  if (response.status === 401 && !own && tokens.get() && (await tokens.renew())) response = await once(method, path, options);
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401 && !own && tokens.get()) tokens.rejected();
    throw problem;
  }
  return response;
}

async function once(method: string, path: string, options: Options): Promise<Response> {
  const form = options.body instanceof FormData;
  const headers: Record<string, string> = { accept: "application/json", ...authorization(), ...options.headers };
  if (options.body !== undefined && !form) headers["content-type"] = "application/json";
  try {
    return await fetch(address(path, options.query), {
      method,
      headers,
      body: options.body === undefined ? null : form ? (options.body as FormData) : JSON.stringify(options.body),
      signal: options.signal ?? null,
      credentials: path.startsWith(AUTH) ? "same-origin" : "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable();
  }
}

export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  const type = response.headers.get("content-type") ?? "";
  return (type.includes("json") ? await response.json() : await response.text()) as T;
}

export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => "");
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return new Problem(response.status, String(body["title"] ?? ""), String(body["detail"] ?? ""), body);
  } catch {
    return new Problem(response.status, response.statusText, "");
  }
}

export const get = <T>(path: string, options?: Options): Promise<T> => request<T>("GET", path, options);
export const post = <T>(path: string, body?: unknown, options?: Options): Promise<T> =>
  request<T>("POST", path, { ...options, body: body ?? {} });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>("PATCH", path, { body });
export const put = <T>(path: string, body: unknown): Promise<T> => request<T>("PUT", path, { body });
export const remove = <T = void>(path: string): Promise<T> => request<T>("DELETE", path);

/** Upload one file; `progress` hears the share sent so far. fetch cannot tell, so this is XMLHttpRequest. */
export async function upload<T>(path: string, fields: Record<string, File | string>, progress: (share: number) => void, signal?: AbortSignal): Promise<T> {
  await freshen();
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", path);
    for (const [name, value] of Object.entries({ accept: "application/json", ...authorization() })) {
      sending.setRequestHeader(name, value);
    }
    sending.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    sending.onerror = () => reject(new Unreachable());
    sending.onabort = () => reject(new DOMException("aborted", "AbortError"));
    sending.onload = async () => {
      if (sending.status >= 200 && sending.status < 300) return resolve(JSON.parse(sending.responseText) as T);
      const problem = await problemOf(new Response(sending.responseText, { status: sending.status }));
      if (problem.status === 401) tokens.rejected();
      reject(problem);
    };
    signal?.addEventListener("abort", () => sending.abort());
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    sending.send(form);
  });
}

/** A file that is made when it is asked for. */
export async function madeBlob(path: string): Promise<Blob> {
  return (await send("POST", path, { headers: { accept: "*/*" } })).blob();
}

/** A file behind the token, as a blob. */
export async function blobOf(path: string, options?: Options): Promise<Blob> {
  return (await send("GET", path, { ...options, headers: { accept: "*/*" } })).blob();
}
