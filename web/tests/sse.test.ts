// @vitest-environment node
import { describe, expect, it } from "vitest";
import { FrameParser } from "../src/api/sse";

const stream = 'id: t-1\ndata: {"type":"text","content":"olá"}\n\n: keep-alive\n\ndata: {"a":1}\r\n\r\nid: t-3\ndata: one\ndata: two\n\n';

describe("reading an event stream", () => {
  it("gives the same frames wherever the bytes are cut", () => {
    const whole = new FrameParser().push(stream);
    expect(whole).toEqual([
      { id: "t-1", data: '{"type":"text","content":"olá"}' },
      { id: null, data: '{"a":1}' },
      { id: "t-3", data: "one\ntwo" },
    ]);
    for (let cut = 1; cut < stream.length; cut += 1) {
      const parser = new FrameParser();
      expect([...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))]).toEqual(whole);
    }
  });

  it("keeps an unfinished frame until its end comes", () => {
    const parser = new FrameParser();
    expect(parser.push("data: half")).toEqual([]);
    expect(parser.push("\n\n")).toEqual([{ id: null, data: "half" }]);
  });
});
