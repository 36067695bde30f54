/**
 * A page that may carry a stranger's words, with everything taken out that could act or lead away.
 *
 * What stays is markup, style and pictures that are part of the page; the policy of the frame it
 * is shown in runs no script of its own, and loads nothing that a style sheet names.
 */
import DOMPurify from "dompurify";
import { PICTURE } from "./sanitise";

const TAGS = ["link", "meta", "base", "form", "iframe", "frame", "frameset", "object", "embed", "audio", "video", "source", "track", "map"];
const ATTRIBUTES = ["action", "background", "cite", "formaction", "ping", "poster", "srcset", "target", "usemap"];
/** A colour or filter by address; only one within the page leads nowhere. */
const ELSEWHERE = /url\(\s*["']?(?!#)/i;

let cut = false;
const purify = DOMPurify(window);

function keeps(node: Element, name: string, value: string): boolean {
  if (name === "href" || name === "xlink:href") return value.startsWith("#");
  if (name === "src") return node.nodeName === "IMG" && PICTURE.test(value);
  return name === "style" || name.startsWith("data-") || !ELSEWHERE.test(value);
}

purify.addHook("afterSanitizeAttributes", (node) => {
  // A copy: those that are taken away would be missed on the way.
  for (const { name, value } of Array.from(node.attributes)) {
    if (keeps(node, name.toLowerCase(), value)) continue;
    node.removeAttribute(name);
    cut = true;
  }
});

/** The page as it may be shown, and whether anything of it is gone. */
export function stilled(html: string, whole: boolean): { html: string; cut: boolean } {
  cut = false;
  const clean = purify.sanitize(html, {
    USE_PROFILES: { html: true, svg: true, svgFilters: true },
    FORBID_TAGS: TAGS,
    FORBID_ATTR: ATTRIBUTES,
    WHOLE_DOCUMENT: whole,
    FORCE_BODY: !whole,
  });
  return { html: clean, cut: cut || purify.removed.some(counts) };
}

/** Comments, and what the sanitiser itself put in, are missed by nobody; nor is a character set. */
function counts(removed: object): boolean {
  const { element, attribute } = removed as { element?: Node; attribute?: Attr | null };
  if (element instanceof Element) return !(element.nodeName === "REMOVE" || isHarmlessMeta(element));
  return Boolean(attribute);
}

function isHarmlessMeta(element: Element): boolean {
  return element.nodeName === "META" && !element.hasAttribute("http-equiv");
}
