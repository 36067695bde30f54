/**
 * The last step before any text of a model, a tool or a file becomes markup.
 *
 * A short list of what may stay. Nothing that is kept can run, load or style: no images from
 * elsewhere, no forms, no SVG, no `style`, no `class`, no `id`.
 */
import DOMPurify from "dompurify";

const TAGS = [
  "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2", "h3",
  "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small",
  "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
];
const ATTRIBUTES = ["href", "title", "alt", "src", "align", "start", "colspan", "rowspan", "type", "checked", "disabled"];
const ADDRESS = /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i;
export const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;

/** A link that asks what it says: the chat listens for it. */
export const ASK = "#ask";

const purify = DOMPurify(window);

purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName === "A") {
    const href = node.getAttribute("href");
    if (href === null || !ADDRESS.test(href)) {
      node.removeAttribute("href");
      return;
    }
    const kept = /^\/dashboards\/([\w-]+)$/.exec(href);
    if (kept) node.setAttribute("href", `#/dashboards/${kept[1]}`);
    else if (!href.startsWith("#/") && href !== ASK) {
      node.setAttribute("target", "_blank");
      node.setAttribute("rel", "noopener noreferrer nofollow");
    }
  }
  if (node.nodeName === "IMG" && !PICTURE.test(node.getAttribute("src") ?? "")) node.remove();
  if (node.nodeName === "INPUT") {
    // Only the box of a task list, and only to be looked at.
    if (node.getAttribute("type") !== "checkbox") node.remove();
    else node.setAttribute("disabled", "");
  }
});

export function sanitise(html: string): string {
  return purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
