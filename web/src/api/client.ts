/** Requests to our own server, each checked against its OpenAPI: a token on each, and errors in words. */
import createClient, { defaultPathSerializer } from "openapi-fetch";
import type { Answer, Asked, Call, Form, Given, Method, PathOf, Uploads, With } from "./routes";
import type { paths } from "./schema";

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
function endOf(token: string): number {
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

/** What was not chosen is not asked for. */
function asked(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** The response of a request that succeeded; a token that ended meanwhile is renewed, and the request sent again. */
async function send(request: Request): Promise<Response> {
  const own = new URL(request.url).pathname.startsWith(AUTH);
  if (!own) await freshen();
  const again = own ? null : request.clone();
  let response = await once(request, own);
  if (response.status === 401 && again && tokens.get() && (await tokens.renew())) response = await once(again, own);
  if (!response.ok) {
    const problem = await problemOf(response);
    if (problem.status === 401 && !own && tokens.get()) tokens.rejected();
    throw problem;
  }
  return response;
}

async function once(request: Request, own: boolean): Promise<Response> {
  for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
  try {
    return await fetch(request, { credentials: own ? "same-origin" : "omit" });
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Unreachable();
  }
}

const client = createClient<paths>({ baseUrl: location.origin, fetch: send, querySerializer: asked, cache: "no-store" });

const ACCEPT = { json: "application/json", blob: "*/*", stream: "text/event-stream" } as const;
type As = keyof typeof ACCEPT;

interface Anything {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

/** The library lets through options that a route does not know; what may be asked is said by `Call`. */
const request = client.request as unknown as (method: Method, path: string, options: object) => Promise<{ data: unknown; response: Response }>;

function call(method: Method, path: string, as: As, { path: parts, query, header, body, signal }: Anything = {}) {
  return request(method, path, { params: { path: parts, query, header }, body, signal, parseAs: as, headers: { accept: ACCEPT[as] } });
}

const calling = <M extends Method>(method: M) =>
  (async (path: string, options?: Anything) => (await call(method, path, "json", options)).data) as Call<M>;

export const api = {
  get: calling("get"),
  post: calling("post"),
  put: calling("put"),
  patch: calling("patch"),
  delete: calling("delete"),
};

/** A file behind the token. */
export async function blobOf<M extends Method, P extends With<M>>(method: M, path: P, ...options: Given<Asked<paths[P][M]>>): Promise<Blob> {
  return (await call(method, path, "blob", options[0] as Anything)).data as Blob;
}

/** A stream of events, as it comes. */
export async function streamOf<M extends Method, P extends With<M>>(method: M, path: P, ...options: Given<Asked<paths[P][M]>>): Promise<Response> {
  return (await call(method, path, "stream", options[0] as Anything)).response;
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => "");
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return new Problem(response.status, String(body["title"] ?? ""), String(body["detail"] ?? ""), body);
  } catch {
    return new Problem(response.status, response.statusText, "");
  }
}

/** Upload files; `progress` hears the share sent so far. fetch cannot tell, so this is XMLHttpRequest. */
export async function upload<P extends Uploads>(
  path: P,
  parts: PathOf<paths[P]["post"]>,
  fields: Form<paths[P]["post"]>,
  progress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Answer<paths[P]["post"]>> {
  await freshen();
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", defaultPathSerializer(path, { ...parts }));
    for (const [name, value] of Object.entries({ accept: "application/json", ...authorization() })) {
      sending.setRequestHeader(name, value);
    }
    sending.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    sending.onerror = () => reject(new Unreachable());
    sending.onabort = () => reject(new DOMException("aborted", "AbortError"));
    sending.onload = async () => {
      if (sending.status >= 200 && sending.status < 300) return resolve(JSON.parse(sending.responseText) as Answer<paths[P]["post"]>);
      const problem = await problemOf(new Response(sending.responseText, { status: sending.status }));
      if (problem.status === 401) tokens.rejected();
      reject(problem);
    };
    signal?.addEventListener("abort", () => sending.abort());
    const form = new FormData();
    for (const [name, value] of Object.entries<File | string>(fields)) form.append(name, value);
    sending.send(form);
  });
}
