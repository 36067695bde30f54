import katex from "katex";
import "katex/dist/katex.min.css";

/** A model wrote the formula: no commands that reach outside, and an end to macros that unfold. */
export function draw(place: HTMLElement, tex: string, display: boolean): void {
  try {
    katex.render(tex, place, { displayMode: display, throwOnError: true, trust: false, strict: "ignore", maxExpand: 200, maxSize: 40 });
    place.classList.add("formula");
  } catch {
    place.textContent = display ? `$$${tex}$$` : `$${tex}$`;
  }
}
