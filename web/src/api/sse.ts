/** Reading `text/event-stream` from a fetch body: EventSource can neither POST nor send a token. */

export interface Frame {
  id: string | null;
  data: string;
}

/** Splits arriving text into frames; an unfinished one waits for the next piece. */
export class FrameParser {
  private rest = "";

  push(text: string): Frame[] {
    this.rest += text;
    const frames: Frame[] = [];
    for (;;) {
      const end = /\r?\n\r?\n/.exec(this.rest);
      if (!end) return frames;
      const frame = parseFrame(this.rest.slice(0, end.index));
      this.rest = this.rest.slice(end.index + end[0].length);
      if (frame) frames.push(frame);
    }
  }
}

function parseFrame(block: string): Frame | null {
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }
  return data.length ? { id, data: data.join("\n") } : null;
}

/** Every frame of a response, until it ends. Throws where the connection breaks. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new FrameParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
