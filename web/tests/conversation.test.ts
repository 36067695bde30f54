import { afterEach, expect, it, vi } from "vitest";
import { lastTurn } from "../src/state/chat";
import { Conversation } from "../src/state/conversation";

const STORED = { id: "c", title: "", agent: { id: 1, name: "A" }, mode: "model", turn_id: "t1", messages: [], share: null };
const frame = (n: number, event: object) => `id: t1-${n}\ndata: ${JSON.stringify(event)}\n\n`;
const begun = frame(0, { type: "turn", turn_id: "t1", agent: "A", model: "m" });

afterEach(() => {
  vi.unstubAllGlobals();
});

it("knows that a turn waits though the server ended before it could say so", async () => {
  const streams = [new Response(begun, { headers: { "content-type": "text/event-stream" } }), new Response(null, { status: 204 })];
  let looked = 0;
  vi.stubGlobal("document", { visibilityState: "hidden" });
  vi.stubGlobal("fetch", async ({ url }: Request) =>
    url.endsWith("/events") ? streams.shift() : Response.json({ ...STORED, status: looked++ === 0 ? "running" : "waiting" }),
  );
  const open = new Conversation("c");
  await open.load();
  await vi.waitFor(() => expect(lastTurn(open.store.get().chat!)?.status).toBe("waiting"), { timeout: 4000 });
  open.close();
});
