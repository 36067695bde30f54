// @vitest-environment node
import { describe, expect, it } from "vitest";
import { asking, askingAgain, chatOf, lastTurn, received, totals, turnOf, type StoredConversation, type StoredMessage } from "../src/state/chat";
import { textOf } from "../src/state/turn";

const stored: StoredConversation = {
  id: "c1",
  title: "Defeitos",
  agent: { id: 1, name: "Qualidade" },
  mode: "model",
  status: "done",
  share: null,
  shown: [],
  turn_id: "t1",
  messages: [
    { id: "1", role: "user", content: [{ type: "text", text: "[FICHEIRO CARREGADO: produção.csv]" }], created_at: "2026-01-01T10:00:00Z", metadata: { kind: "upload", file: "produção.csv", dataset: { table: "producao", name: "produção.csv", rows: 3, columns: [{ name: "id", type: "BIGINT" }, { name: "data", type: "DATE" }] } } },
    { id: "2", role: "user", content: [{ type: "text", text: "quantos?" }, { type: "text", text: "producao (3 linhas)" }], created_at: "2026-01-01T10:01:00Z", metadata: { kind: "question", turn_id: "t1" } },
    { id: "2a", role: "assistant", content: [{ type: "server_tool_use", id: "srv", name: "code_execution", input: { code: "print(3)" } }], created_at: "2026-01-01T10:01:01Z", metadata: { kind: "reply", turn_id: "t1" } },
    { id: "2b", role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "1" }], created_at: "2026-01-01T10:01:01Z", metadata: { kind: "results", turn_id: "t1" } },
    {
      id: "3", role: "assistant", content: [{ type: "text", text: "3" }], created_at: "2026-01-01T10:01:02Z",
      metadata: { kind: "reply", turn_id: "t1", feedback: 1, events: [{ type: "turn", turn_id: "t1", agent: "Qualidade", model: "m" }, { type: "code", id: "srv", container: "c", stdout: "3", stderr: "", return_code: 0, files: [] }, { type: "text", content: "São 3." }, { type: "usage", input_tokens: 10, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd: 0.5 }, { type: "done", turn_id: "t1", status: "done", iterations: 1 }] },
    },
  ],
};

describe("a stored conversation", () => {
  it("is folded as it was streamed: an upload, a question, an answer", () => {
    const chat = chatOf(stored);
    expect(chat.entries).toMatchObject([
      { kind: "upload", dataset: { file: "produção.csv", tables: [{ name: "producao", rows: 3, columns: [{ name: "id" }, { name: "data" }] }] } },
      { kind: "question", text: "quantos?" },
      { kind: "turn", feedback: 1, turn: { status: "done", id: "t1" } },
    ]);
    expect(totals(chat).spent?.cost_usd).toBe(0.5);
    expect(lastTurn(chat)?.parts[0]).toMatchObject({ kind: "code", run: { source: "print(3)", stdout: "3" } });
  });

  it("knows how full the window was, and where what the model saw begins", () => {
    const used = (seen_from: string | null) => ({ type: "usage", input_tokens: 900, output_tokens: 100, cache_read_tokens: 0, cache_write_tokens: 0, cost_usd: 0, estimated: false, context_limit: 200000, seen_from });
    const turn = (id: string, seen: string | null): StoredMessage[] => [
      { ...stored.messages[1]!, id: `q${id}`, metadata: { kind: "question", turn_id: id } },
      { ...stored.messages[1]!, id: `r${id}`, role: "assistant", metadata: { kind: "reply", turn_id: id, events: [{ type: "turn", turn_id: id, agent: "A", model: "m" }, used(seen), { type: "done", turn_id: id, status: "done", iterations: 1 }] } },
    ];
    const messages = [stored.messages[0]!, ...turn("t1", null), ...turn("t2", null)];
    expect(totals(chatOf({ ...stored, messages }))).toMatchObject({ context: 1000, limit: 200000, seenFrom: null });
    expect(totals(chatOf({ ...stored, messages: [...messages, ...turn("t3", "t2")] })).seenFrom).toBe("mqt2");
    expect(totals(chatOf({ ...stored, messages: [...messages, ...turn("t3", "1")] })).seenFrom).toBe("m1");
  });

  it("leaves the open turn to its own stream", () => {
    const chat = chatOf({ ...stored, status: "waiting", turn_id: "t1" });
    expect(chat.entries.map((entry) => entry.kind)).toEqual(["upload", "question"]);
  });

  it("shows a turn that failed before its first reply, whose events the question carries", () => {
    const question: StoredMessage = { ...stored.messages[1]!, metadata: { kind: "question", turn_id: "t9", events: [{ type: "turn", turn_id: "t9", agent: "A", model: "m" }, { type: "error", content: "no", code: "overloaded", retryable: true }, { type: "done", turn_id: "t9", status: "failed", iterations: 0 }] } };
    const chat = chatOf({ ...stored, messages: [question] });
    expect(chat.entries).toMatchObject([{ kind: "question", text: "quantos?" }, { kind: "turn", turn: { status: "failed" } }]);
  });

  it("shows text where a message carries no events", () => {
    const messages = stored.messages.map((message) => (message.id === "3" ? { ...message, metadata: {} } : message));
    const turn = lastTurn(chatOf({ ...stored, messages }));
    expect(turn && textOf(turn)).toBe("3");
  });
});

describe("asking", () => {
  it("adds the question and the turn that will answer it", () => {
    const chat = received(asking(chatOf(stored), "e por turno?", "now"), [
      { id: "t2-1", event: { type: "turn", turn_id: "t2", agent: "Qualidade", model: "m" } },
      { id: "t2-2", event: { type: "text", content: "73" } },
    ]);
    expect(chat.entries).toHaveLength(5);
    expect(lastTurn(chat)).toMatchObject({ id: "t2", status: "running" });
  });

  it("puts another version in the place of a question that is edited, and of what followed it", () => {
    const before = asking(chatOf(stored), "e por turno?", "then");
    const first = before.entries.find((entry) => entry.kind === "question");
    const chat = askingAgain(before, first?.key ?? "", "quantas linhas?", "now");
    expect(chat.entries.map((entry) => entry.kind)).toEqual(["upload", "question", "turn"]);
    expect(chat.entries[1]).toMatchObject({ text: "quantas linhas?", turnId: null, versions: [turnOf(before, first?.key ?? ""), null] });
    expect(turnOf(before, first?.key ?? "")).not.toBeNull();
    expect(lastTurn(chat)?.parts).toEqual([]);
  });

  it("starts over when events of another turn come", () => {
    let chat = received(asking(chatOf(stored), "x", "now"), [
      { id: "t2-9", event: { type: "turn", turn_id: "t2", agent: "A", model: "m" } },
      { id: "t2-10", event: { type: "text", content: "old" } },
    ]);
    chat = received(chat, [
      { id: "t3-1", event: { type: "turn", turn_id: "t3", agent: "A", model: "m" } },
      { id: "t3-2", event: { type: "text", content: "new" } },
    ]);
    const turn = lastTurn(chat);
    expect(turn && textOf(turn)).toBe("new");
  });
});
