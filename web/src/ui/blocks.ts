/** Markdown split into the blocks it is made of, so that a growing answer draws only its last ones again. */
import { Marked, type Token, type TokensList } from "marked";
import { formulas } from "./math";
import { sanitise } from "./sanitise";

export type Block =
  | { kind: "html"; raw: string; html: string }
  | { kind: "table"; raw: string; html: string }
  | { kind: "code"; raw: string; language: string; text: string; closed: boolean };

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const PLAIN_TAG =
  /^<\/?(?:b|blockquote|br|code|del|details|em|hr|i|ins|kbd|li|mark|ol|p|pre|s|small|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\s*\/?>$/i;

/** Of HTML inside Markdown, bare tags of text stay tags; anything else is shown as it was written. */
function plainTags(html: string): string {
  return html.replace(/<[^>]*>|[<>]/g, (tag) => (PLAIN_TAG.test(tag) ? tag : escape(tag)));
}

const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    html({ text }) {
      return plainTags(text);
    },
    // A picture from elsewhere would be a request that nobody asked for: it becomes a link.
    image({ href, text }) {
      if (/^data:image\//i.test(href)) return `<img src="${escape(href)}" alt="${escape(text)}">`;
      return `<a href="${escape(href)}">${escape(text || href)}</a>`;
    },
  },
});

marked.use({ extensions: formulas });

export function blocksOf(text: string): Block[] {
  return marked.lexer(text).flatMap(blockOf);
}

function blockOf(token: Token): Block[] {
  if (token.type === "space" || token.type === "def") return [];
  if (token.type === "code" && token["codeBlockStyle"] !== "indented") {
    const language = String(token["lang"] ?? "").trim().split(/\s/)[0] ?? "";
    const fence = /^\s*(`{3,}|~{3,})/.exec(token.raw)?.[1] ?? "```";
    const closed = new RegExp(`\\n[ ]{0,3}${fence[0]}{${fence.length},}[ ]*\\n*$`).test(token.raw);
    return [{ kind: "code", raw: token.raw, language: language.toLowerCase(), text: String(token["text"]), closed }];
  }
  const html = sanitise(marked.parser([token] as unknown as TokensList));
  return html.trim() ? [{ kind: token.type === "table" ? "table" : "html", raw: token.raw, html }] : [];
}

/** Blocks of a text that grows at its end: what was settled before is not read again. */
export class GrowingBlocks {
  private text = "";
  private settled: Block[] = [];
  private settledLength = 0;

  read(text: string): Block[] {
    if (!text.startsWith(this.text)) {
      this.settled = [];
      this.settledLength = 0;
    }
    this.text = text;
    const tokens = marked.lexer(text.slice(this.settledLength));
    // The last two blocks may still change their minds: a list goes on, a line becomes a heading.
    const solid = tokens.filter((token) => token.type !== "space");
    const open = solid.at(-2);
    const fresh: Block[] = [];
    let settling = open !== undefined;
    let length = 0;
    for (const token of tokens) {
      if (token === open) settling = false;
      const blocks = blockOf(token);
      if (settling) {
        this.settled = [...this.settled, ...blocks];
        length += token.raw.length;
      } else {
        fresh.push(...blocks);
      }
    }
    this.settledLength += length;
    return [...this.settled, ...fresh];
  }
}
