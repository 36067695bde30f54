/** Formulas: KaTeX is fetched when the first one is on a page. */
import type { TokenizerAndRendererExtension } from "marked";

/** What the sanitiser leaves of a formula: its source, until it is drawn. */
const MARK = "math:";

const quoted = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const place = (tex: string, display: boolean): string => `<var title="${MARK}${display ? "1" : "0"}">${quoted(tex)}</var>`;

/** `$x$` and `\(x\)` in a line, `$$x$$` and `\[x\]` on their own. A price is not a formula: no space inside the signs, no digit after. */
const INLINE = /^(?:\$(?!\s|\$)((?:\\.|[^\\$\n])+?)(?<!\s)\$(?!\d)|\\\(([\s\S]+?)\\\))/;
const BLOCK = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/;

export const formulas: TokenizerAndRendererExtension[] = [
  {
    name: "formula",
    level: "inline",
    start: (source) => source.match(/\$|\\\(/)?.index,
    tokenizer(source) {
      const found = INLINE.exec(source);
      return found ? { type: "formula", raw: found[0], text: found[1] ?? found[2] ?? "" } : undefined;
    },
    renderer: (token) => place(String(token["text"]), false),
  },
  {
    name: "formulaBlock",
    level: "block",
    start: (source) => source.match(/\$\$|\\\[/)?.index,
    tokenizer(source) {
      const found = BLOCK.exec(source);
      return found ? { type: "formulaBlock", raw: found[0], text: (found[1] ?? found[2] ?? "").trim() } : undefined;
    },
    renderer: (token) => `<p>${place(String(token["text"]), true)}</p>`,
  },
];

export const hasFormula = (html: string): boolean => html.includes(`<var title="${MARK}`);

/** Draw the formulas inside an element. What KaTeX cannot read stays as it was written. */
export async function drawFormulas(element: Element): Promise<void> {
  const found = [...element.querySelectorAll<HTMLElement>(`var[title^="${MARK}"]`)];
  if (!found.length) return;
  const { draw } = await import("./katex");
  for (const one of found) {
    const display = one.title === `${MARK}1`;
    const tex = one.textContent ?? "";
    one.removeAttribute("title");
    draw(one, tex, display);
  }
}
