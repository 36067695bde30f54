import { afterEach, describe, expect, it, vi } from "vitest";
import { api, blobOf, holdTokens, Problem, streamOf, Unreachable } from "../src/api/client";

interface Sent {
  method: string;
  path: string;
  query: string;
  token: string | null;
  accept: string | null;
  body: string;
  credentials: string | undefined;
}

/** A server that answers each request with the next of these, and notes what was sent. */
function serve(...answers: (Response | Error)[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (request: Request, init?: RequestInit) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    sent.push({ method, path: pathname, query: search, token: headers.get("authorization"), accept: headers.get("accept"), body: await request.text(), credentials: init?.credentials });
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new TypeError("no more answers");
    return answer;
  });
  return sent;
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** Who is signed in, and the token they get when theirs is renewed. */
function signedIn(renewed: string | null) {
  const rejected = vi.fn();
  let token = "old";
  holdTokens({ get: () => token, renew: async () => renewed !== null && !!(token = renewed), rejected });
  return rejected;
}

afterEach(() => {
  vi.unstubAllGlobals();
  holdTokens({ get: () => null, renew: async () => false, rejected: () => undefined });
});

describe("a request", () => {
  it.each(["a/b", "50%", "%2F", "ação à noite", "日本", "$&", "{id}", "?#"])("keeps the id %s whole in the address", async (id) => {
    const sent = serve(json({}), json([]));
    await api.get("/conversations/{id}", { path: { id } });
    await api.get("/admin/tools/{name}/settings", { path: { name: id } });
    expect(sent.map(({ path }) => path)).toEqual([`/conversations/${encodeURIComponent(id)}`, `/admin/tools/${encodeURIComponent(id)}/settings`]);
  });

  it("asks only for what was chosen", async () => {
    const sent = serve(json([]));
    await api.get("/conversations", { query: { q: "a b&c", limit: 30, before: undefined, pinned: false, archived: null } });
    expect(sent[0]?.query).toBe("?q=a+b%26c&limit=30&pinned=false");
  });

  it("is sent again, whole, with the token that took the place of one that ended", async () => {
    const rejected = signedIn("new");
    const sent = serve(json({}, 401), json({ id: "c" }, 201));
    expect(await api.post("/conversations", { body: { agent: 1 } })).toEqual({ id: "c" });
    expect(sent.map(({ token, body }) => [token, body])).toEqual([
      ["Bearer old", '{"agent":1}'],
      ["Bearer new", '{"agent":1}'],
    ]);
    expect(rejected).not.toHaveBeenCalled();
  });

  it("says that nobody is signed in any more where the token cannot be renewed", async () => {
    const rejected = signedIn(null);
    serve(json({ title: "Unauthorized", detail: "Sign in again." }, 401));
    await expect(api.get("/me")).rejects.toMatchObject({ status: 401, detail: "Sign in again." });
    expect(rejected).toHaveBeenCalledOnce();
  });

  it("sends cookies to where the session is kept, and nowhere else", async () => {
    const sent = serve(json({ token: "t" }), json({}));
    await api.post("/auth/refresh");
    await api.get("/me");
    expect(sent.map(({ credentials }) => credentials)).toEqual(["same-origin", "omit"]);
  });

  it("tells a server that refuses from one that cannot be reached, and from a person who left", async () => {
    serve(json({ title: "Conflict", detail: "A turn is still running.", code: "busy" }, 409));
    await expect(api.get("/me")).rejects.toMatchObject({ status: 409, detail: "A turn is still running.", body: { code: "busy" } });
    serve(new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
    await expect(api.get("/me")).rejects.toBeInstanceOf(Problem);
    serve(new TypeError("network"));
    await expect(api.get("/me")).rejects.toBeInstanceOf(Unreachable);
    const control = new AbortController();
    control.abort();
    serve(Object.assign(new Error("aborted"), { name: "AbortError" }));
    await expect(api.get("/me", { signal: control.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("answers with nothing, a file or a stream where that is what comes", async () => {
    const sent = serve(new Response(null, { status: 204 }), new Response("a,b"), new Response("data: 1\n\n"), new Response(null, { status: 204 }));
    expect(await api.delete("/me/stand-in")).toBeUndefined();
    expect(await (await blobOf("get", "/admin/usage", { query: { format: "csv" } })).text()).toBe("a,b");
    expect(await (await streamOf("get", "/me/events")).text()).toBe("data: 1\n\n");
    expect((await streamOf("get", "/conversations/{id}/events", { path: { id: "c" } })).status).toBe(204);
    expect(sent.map(({ accept }) => accept)).toEqual(["application/json", "*/*", "text/event-stream", "text/event-stream"]);
  });
});

/** Never run: what the checker must refuse. */
export async function refused(): Promise<unknown> {
  // @ts-expect-error: no such path
  await api.get("/conversation");
  // @ts-expect-error: no such method there
  await api.put("/conversations");
  // @ts-expect-error: whose?
  await api.get("/conversations/{id}");
  // @ts-expect-error: a part that the path has not
  await api.get("/conversations/{id}", { path: { name: "c" } });
  // @ts-expect-error: a filter that the route has not
  await api.get("/admin/audit", { query: { tools: "x" } });
  // @ts-expect-error: a field that the route does not take
  await api.post("/conversations", { body: { agent: 1, agents: 2 } });
  // @ts-expect-error: a field is missing
  await api.post("/auth/login", { body: { email: "a@b" } });
  // @ts-expect-error: not what it answers with
  return (await api.get("/me")).organization;
}
