import mermaid from "mermaid";

let drawings = 0;

/** The diagram as SVG; throws where the source is not one. Labels are text: an image shows no HTML. */
export async function drawn(source: string, dark: boolean): Promise<string> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: dark ? "dark" : "neutral",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 20_000,
    maxEdges: 300,
    fontFamily: "sans-serif",
  });
  const { svg } = await mermaid.render(`diagram-${(drawings += 1)}`, source);
  // As wide as it was laid out, for an image has no room of its own to fill.
  const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg);
  return box ? svg.replace(/<svg([^>]*?) width="100%"/, `<svg$1 width="${box[1]}" height="${box[2]}"`) : svg;
}
