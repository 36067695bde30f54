// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../src/state/events";
import { segments } from "../src/state/parts";
import { applyNumbered, countRan, foldTurn, newTurn, openApprovals, textOf, type Part } from "../src/state/turn";

const direct = { type: "direct" };
const begin: TurnEvent = { type: "turn", turn_id: "t1", agent: "Qualidade", model: "m" };
const text = (content: string): TurnEvent => ({ type: "text", content });
const usage = (input: number, cost: number | null = 0.01): TurnEvent => ({
  type: "usage", input_tokens: input, output_tokens: 10, cache_read_tokens: 5, cache_write_tokens: 0, cost_usd: cost, estimated: false, context_limit: 200000, seen_from: null,
});
const start = (id: string, name = "contar_defeitos", caller: { type: string; tool_id?: string } = direct): TurnEvent => ({
  type: "tool_start", id, name, input: {}, caller,
});
const use = (id: string, over: Partial<Extract<TurnEvent, { type: "tool_use" }>> = {}): TurnEvent => ({
  type: "tool_use", id, name: "contar_defeitos", input: {}, result: { total: 200 }, is_error: false, duration_ms: 4, cached: false, caller: direct, ...over,
});
const done = (status: "done" | "waiting" | "stopped" | "failed"): TurnEvent => ({ type: "done", turn_id: "t1", status, iterations: 1 });
const kinds = (parts: Part[]) => parts.map((part) => part.kind);

describe("a turn is a fold over its events", () => {
  it("joins pieces of text and keeps what happened between them in order", () => {
    const turn = foldTurn([begin, text("Vou "), text("ver."), usage(100), start("a"), use("a"), text("São 200."), usage(200), done("done")]);
    expect(kinds(turn.parts)).toEqual(["text", "call", "text"]);
    expect(textOf(turn)).toBe("Vou ver.\n\nSão 200.");
    expect(turn.status).toBe("done");
    expect(turn.spent).toMatchObject({ input_tokens: 300, output_tokens: 20, cost_usd: 0.02 });
    expect(turn.context).toBe(215);
  });

  it("forgets only the unfinished reply when the reply starts over", () => {
    const turn = foldTurn([
      begin, text("First reply."), usage(1), start("a"), use("a"),
      { type: "thinking", content: "hm" }, text("half a rep"), { type: "again", reason: "cut" }, text("The whole reply."),
    ]);
    expect(kinds(turn.parts)).toEqual(["text", "call", "text"]);
    expect(textOf(turn)).toBe("First reply.\n\nThe whole reply.");
    expect(turn.again).toBeNull();
  });

  it("shows a refused call, which has no start", () => {
    const turn = foldTurn([begin, use("x", { is_error: true, result: "You may not." })]);
    expect(turn.parts).toMatchObject([{ kind: "call", call: { status: "error", result: "You may not." } }]);
  });

  it("shows calls and what they drew in the order asked, whichever ended first", () => {
    const chart = (titulo: string): TurnEvent => ({ type: "chart", data: { titulo } });
    const turn = foldTurn([
      begin, usage(1), start("a"), start("b"), use("b"), chart("B1"), chart("B2"), use("a"), chart("A"), text("Look."), usage(1), done("done"),
    ]);
    expect(kinds(turn.parts)).toEqual(["call", "widget", "call", "widget", "widget", "text"]);
    const [calls, cards] = segments(turn.parts);
    expect(calls?.kind === "calls" && calls.calls.map((call) => call.id)).toEqual(["a", "b"]);
    expect(cards?.kind === "cards" && cards.cards.map((card) => card.kind === "widget" && card.data["titulo"])).toEqual(["A", "B1", "B2"]);
  });

  it("shows a call that a person let through where it was asked for", () => {
    const turn = foldTurn([
      begin, usage(1),
      { type: "confirmation", id: "k", tool_use_id: "a", name: "createTask", input: {}, caller: direct, reason: "asks", expires_at: "", title: "", question: null },
      start("b"), use("b"),
      { type: "decision", id: "k", tool_use_id: "a", decision: "approve", by: "Rui", input: null, reason: null },
      start("a"), use("a"),
    ]);
    expect(turn.parts.map((part) => (part.kind === "call" ? part.call.id : part.kind))).toEqual(["approval", "a", "b"]);
  });

  it("knows which calls ran: one that was refused never began, one that failed did", () => {
    const turn = foldTurn([begin, use("refused", { is_error: true }), start("failed"), use("failed", { is_error: true }), start("a"), use("a")]);
    const calls = turn.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
    expect(calls.map((call) => call.ran)).toEqual([false, true, true]);
    expect(countRan(calls)).toBe(2);
  });

  it("goes on with the text there is when a stopped answer is continued", () => {
    const turn = foldTurn([begin, text("one "), done("stopped"), text("two"), usage(1), done("done")]);
    expect(textOf(turn)).toBe("one two");
  });

  it("keeps calls made by code inside the code's card", () => {
    const inner = { type: "code_execution_20260120", tool_id: "srv" };
    const turn = foldTurn([
      begin,
      { type: "tool_start", id: "srv", name: "code_execution", input: { code: "print(1)" }, caller: direct },
      start("i1", "consultar_dados", inner),
      use("i1", { name: "consultar_dados", caller: inner }),
      start("i2", "consultar_dados", inner),
      { type: "code", id: "srv", container: "c", stdout: "1\n", stderr: "", return_code: 0, files: [] },
    ]);
    expect(turn.parts).toMatchObject([
      { kind: "code", run: { source: "print(1)", status: "done", stdout: "1\n", calls: [{ id: "i1", status: "done" }, { id: "i2", status: "running" }] } },
    ]);
  });

  it("shows code whose source never came, from its first inner call on", () => {
    const turn = foldTurn([begin, start("i1", "x", { type: "code_execution_20260120", tool_id: "srv" })]);
    expect(turn.parts).toMatchObject([{ kind: "code", run: { id: "srv", status: "running", calls: [{ id: "i1" }] } }]);
  });

  it("knows a widget by the event that showed it, live and from the record", () => {
    const chart = { type: "chart", data: { widget: "chart" } } as const;
    const live = applyNumbered(applyNumbered(newTurn(), "t1-0", begin), "t1-7", chart);
    const stored = foldTurn([{ ...begin, n: 0 }, { ...chart, n: 7 }]);
    for (const turn of [live, stored]) {
      expect(turn.parts).toMatchObject([{ kind: "widget", widget: "chart", event: "t1-7" }]);
    }
    expect(foldTurn([begin, chart]).parts).toMatchObject([{ kind: "widget", event: null }]);
  });

  it("holds each confirmation open until its own decision", () => {
    const ask = (id: string): TurnEvent => ({
      type: "confirmation", id, tool_use_id: `u${id}`, name: "createTask", input: {}, caller: direct, reason: "writes", expires_at: "2026-01-01T00:00:00Z", title: "", question: null,
    });
    const waiting = foldTurn([begin, ask("1"), ask("2"), done("waiting")]);
    expect(waiting.status).toBe("waiting");
    expect(openApprovals(waiting).map((one) => one.id)).toEqual(["1", "2"]);
    const decided = foldTurn([{ type: "decision", id: "1", tool_use_id: "u1", decision: "reject", by: "Ana", input: null, reason: null }], waiting);
    expect(openApprovals(decided).map((one) => one.id)).toEqual(["2"]);
    expect(decided.parts[0]).toMatchObject({ approval: { verdict: "reject", by: "Ana" } });
  });

  it("goes on after a failure with what was done and without the error", () => {
    const failed = foldTurn([begin, text("Half"), usage(1), { type: "error", content: "overloaded", code: "overloaded", retryable: true }, done("failed")]);
    expect(kinds(failed.parts)).toEqual(["text", "error"]);
    const again = foldTurn([text("Rest"), done("done")], failed);
    expect(kinds(again.parts)).toEqual(["text", "text"]);
    expect(again.status).toBe("done");
  });

  it("shows a continued turn without the error when it is read from the record", () => {
    const error: TurnEvent = { type: "error", content: "overloaded", code: "overloaded", retryable: true };
    const turn = foldTurn([begin, text("Half"), usage(1), error, { type: "again", reason: "retry" }, text("Rest"), done("done")]);
    expect(kinds(turn.parts)).toEqual(["text", "text"]);
    expect(turn.status).toBe("done");
  });

  it("leaves nothing running once it is over", () => {
    const turn = foldTurn([begin, start("a"), done("stopped")]);
    expect(turn.parts).toMatchObject([{ call: { status: "error" } }]);
  });

  it("ignores events it has seen before and kinds it does not know", () => {
    let turn = newTurn();
    const stream: [string, TurnEvent][] = [["t1-1", begin], ["t1-2", text("a")], ["t1-3", text("b")]];
    for (const [id, event] of [...stream, ...stream]) turn = applyNumbered(turn, id, event);
    turn = applyNumbered(turn, "t1-4", { type: "novelty" } as unknown as TurnEvent);
    expect(textOf(turn)).toBe("ab");
    expect(turn.lastNumber).toBe(4);
  });

  it("gives the same screen however the stream was cut and resumed", () => {
    const events: TurnEvent[] = [begin, text("Vou "), text("ver."), usage(1), start("a"), use("a"), { type: "kpi", data: { widget: "kpi" } }, text("Fim."), usage(2), done("done")];
    const numbered = events.map((event, index) => [`t1-${index + 1}`, event] as const);
    const whole = numbered.reduce((turn, [id, event]) => applyNumbered(turn, id, event), newTurn());
    for (let cut = 0; cut <= numbered.length; cut += 1) {
      // A reader that comes back may be sent a little of what it already has.
      const resumed = [...numbered.slice(0, cut), ...numbered.slice(Math.max(0, cut - 2))];
      expect(resumed.reduce((turn, [id, event]) => applyNumbered(turn, id, event), newTurn())).toEqual(whole);
    }
  });
});

describe("parts on the screen", () => {
  it("folds consecutive calls together and puts what they showed under them", () => {
    const turn = foldTurn([
      begin, text("a"), start("1"), use("1"), { type: "kpi", data: {} }, start("2"), use("2"), { type: "chart", data: {} }, text("b"), start("3"), use("3"),
    ]);
    const shown = segments(turn.parts);
    expect(shown.map((one) => one.kind)).toEqual(["part", "calls", "cards", "part", "calls"]);
    expect(shown[1]).toMatchObject({ calls: [{ id: "1" }, { id: "2" }] });
  });
});
