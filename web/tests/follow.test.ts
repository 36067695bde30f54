import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem, streamOf } from "../src/api/client";
import { followTurn } from "../src/api/follow";
import type { Numbered } from "../src/state/events";

interface Asked {
  url: string;
  lastEventId: string | null;
}

/** A server that answers each request with the next of these bodies, and notes what was asked. */
function serve(...answers: (Response | Error)[]): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async ({ url, headers }: Request) => {
    asked.push({ url: new URL(url).pathname, lastEventId: headers.get("last-event-id") });
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new TypeError("no more answers");
    return answer;
  });
  return asked;
}

const frame = (n: number, event: object) => `id: t1-${n}\ndata: ${JSON.stringify(event)}\n\n`;
const stream = (...frames: string[]) => new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
const text = (content: string) => ({ type: "text", content });
const done = (status: string) => ({ type: "done", turn_id: "t1", status, iterations: 1 });
const begin = (signal: AbortSignal) => streamOf("post", "/conversations/{id}/messages", { path: { id: "c" }, body: { content: "?" }, signal });

async function follow(start: Parameters<typeof followTurn>[1]): Promise<{ said: string; states: string[] }> {
  const events: Numbered[] = [];
  const states: string[] = [];
  await followTurn("c", start, { onEvent: (item) => events.push(item), onConnection: (state) => states.push(state) }, new AbortController().signal);
  return { said: events.map(({ event }) => (event.type === "text" ? event.content : event.type)).join(" "), states };
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("following a turn", () => {
  it("ends with the turn, without asking again", async () => {
    const asked = serve(stream(frame(0, text("a")), frame(1, done("done"))));
    expect((await follow({ begin })).said).toBe("a done");
    expect(asked).toHaveLength(1);
  });

  it("asks for the rest with the id of the last event seen when the stream is cut", async () => {
    const asked = serve(stream(frame(0, text("a")), frame(1, text("b"))), stream(frame(2, text("c")), frame(3, done("done"))));
    const { said, states } = await follow({ begin });
    expect(said).toBe("a b c done");
    expect(asked[1]).toEqual({ url: "/conversations/c/events", lastEventId: "t1-1" });
    expect(states).toEqual([]);
  });

  it("keeps trying while the server cannot be reached, and says so once", async () => {
    const down = new TypeError("network");
    serve(stream(frame(0, text("a"))), down, down, stream(frame(1, text("b")), frame(2, done("done"))));
    const { said, states } = await follow({ begin });
    expect(said).toBe("a b done");
    expect(states).toEqual(["lost", "back"]);
  });

  it("stops where the turn waits for a person", async () => {
    const asked = serve(stream(frame(0, text("a")), `data: ${JSON.stringify(done("waiting"))}\n\n`));
    expect((await follow({ begin })).said).toBe("a done");
    expect(asked).toHaveLength(1);
  });

  it("ends quietly when nothing is left to tell", async () => {
    serve(new Response(null, { status: 204 }));
    expect((await follow({ lastEventId: "t1-9" })).said).toBe("");
  });

  it("tells what the server refuses in the server's words", async () => {
    serve(new Response(JSON.stringify({ title: "Conflict", detail: "A turn is still running." }), { status: 409, headers: { "content-type": "application/problem+json" } }));
    await expect(follow({ begin })).rejects.toMatchObject({ status: 409, detail: "A turn is still running." });
    serve(new Response("{}", { status: 404 }));
    await expect(follow({})).rejects.toBeInstanceOf(Problem);
  });
});
