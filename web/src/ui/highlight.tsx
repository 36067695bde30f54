/** Enough colour to read code by: comments, strings, numbers, keywords. No grammar, no dependency. */
import type { ComponentChild } from "preact";

const KEYWORDS: Record<string, string> = {
  python:
    "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield match case",
  sql: "select from where group by order having limit offset join left right inner outer full on as with union all distinct case when then else end and or not in is null like ilike between exists over partition desc asc cast create table insert into values update set delete",
  javascript:
    "async await break case catch class const continue default delete do else export extends false finally for function if import in instanceof let new null of return switch this throw true try typeof undefined var void while yield",
  json: "true false null",
};
const ALIASES: Record<string, string> = { py: "python", js: "javascript", ts: "javascript", jsx: "javascript", tsx: "javascript", typescript: "javascript", cypher: "sql" };
const COMMENTS: Record<string, string> = { python: "#[^\\n]*", sql: "--[^\\n]*", javascript: "\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/" };

export function highlight(text: string, language: string): ComponentChild {
  const name = ALIASES[language] ?? language;
  const words = KEYWORDS[name];
  if (!words || text.length > 50_000) return text;
  const known = new Set(words.split(" "));
  const strings = name === "python" ? `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|` : name === "javascript" ? "`(?:\\\\.|[^`\\\\])*`|" : "";
  const pattern = new RegExp(
    `(${COMMENTS[name] ?? "(?!)"})|(${strings}"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')|(\\b\\d[\\d_.eE]*\\b)|([A-Za-z_]\\w*)`,
    "g",
  );
  const out: ComponentChild[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, comment, quoted, digits, word] = match;
    const kind = comment ? "c" : quoted ? "s" : digits ? "n" : word && known.has(name === "sql" ? word.toLowerCase() : word) ? "k" : null;
    if (!kind) continue;
    if (match.index > at) out.push(text.slice(at, match.index));
    out.push(<span class={`hl-${kind}`}>{whole}</span>);
    at = match.index + whole.length;
  }
  out.push(text.slice(at));
  return out;
}
