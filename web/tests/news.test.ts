import { afterEach, describe, expect, it, vi } from "vitest";
import { readNews, type News } from "../src/api/news";

const stream = (...frames: [number, News][]) =>
  new Response(frames.map(([n, item]) => `id: ${n}\ndata: ${JSON.stringify(item)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const turn = (status: "running" | "done"): News => ({ type: "turn", turn_id: "t1", conversation_id: "c", status });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a person's stream", () => {
  it("goes on where it broke, and ends when the server says that we may not read", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    const asked: (string | null)[] = [];
    const answers: (Response | Error)[] = [
      stream([7, { type: "here", complete: false }], [8, turn("running")]),
      new TypeError("the network is gone"),
      stream([8, { type: "here", complete: true }], [9, turn("done")]),
      new Response(JSON.stringify({ title: "Forbidden", status: 403, detail: "no" }), { status: 403 }),
    ];
    vi.stubGlobal("fetch", async ({ headers }: Request) => {
      asked.push(headers.get("last-event-id"));
      const answer = answers.shift();
      if (!answer || answer instanceof Error) throw answer ?? new TypeError("no more answers");
      return answer;
    });
    const heard: News[] = [];
    await readNews((item) => heard.push(item), new AbortController().signal);
    expect(asked).toEqual([null, "8", "8", "9"]);
    expect(heard.filter((item) => item.type === "turn")).toEqual([turn("running"), turn("done")]);
  });
});
