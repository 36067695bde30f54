import { describe, expect, it } from "vitest";
import { blocksOf, GrowingBlocks } from "../src/ui/blocks";
import { sanitise } from "../src/ui/sanitise";

const answer = `# Defeitos

O mais frequente é **lixo**.

- um
- dois

  continuação

| a | b |
|---|---:|
| x | 1 |

\`\`\`python
print("olá")

print(2)
\`\`\`

Título
======

fim [link](https://example.com) e \`código\`.
`;

describe("markdown", () => {
  it("draws a growing text as it draws the finished one, at every length", () => {
    const growing = new GrowingBlocks();
    for (let end = 1; end <= answer.length; end += 3) {
      const partial = answer.slice(0, end);
      expect(growing.read(partial).map((block) => block.raw.trim())).toEqual(blocksOf(partial).map((block) => block.raw.trim()));
    }
  });

  it("knows when a fence is closed", () => {
    expect(blocksOf("```html\n<p>a</p>")).toMatchObject([{ kind: "code", language: "html", closed: false }]);
    expect(blocksOf("```html\n<p>a</p>\n```")).toMatchObject([{ kind: "code", language: "html", closed: true, text: "<p>a</p>" }]);
    expect(blocksOf("~~~~svg\n<svg/>\n~~~~\n")).toMatchObject([{ language: "svg", closed: true }]);
  });
});

const ATTACKS = [
  "<script>window.pwned=1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg onload=window.pwned=1><circle/></svg>",
  "<a href=\"javascript:window.pwned=1\">x</a>",
  "[x](javascript:window.pwned=1)",
  "[x](JaVaScRiPt:window.pwned=1)",
  "[x](data:text/html,<script>1</script>)",
  "![x](https://evil.example/a.png)",
  "<iframe src=https://evil.example></iframe>",
  "<form action=https://evil.example><input name=a></form>",
  "<div style=\"background:url(https://evil.example/a)\">x</div>",
  "<style>*{background:url(https://evil.example/a)}</style>",
  "<link rel=stylesheet href=https://evil.example/a.css>",
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
  "<details open ontoggle=window.pwned=1>x</details>",
  "<p onclick=window.pwned=1>x</p>",
  "`</code><script>window.pwned=1</script>`",
  "| <img src=x onerror=window.pwned=1> |\n|---|\n| [y](vbscript:x) |",
  "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
  "<object data=https://evil.example></object><embed src=https://evil.example>",
  "[x]: javascript:window.pwned=1\n\n[x]",
];

describe("nothing in an answer can run, load or style", () => {
  it.each(ATTACKS)("%s", (attack) => {
    const html = blocksOf(attack).map((block) => (block.kind === "code" ? "" : block.html)).join("");
    const page = document.createElement("div");
    page.innerHTML = html;
    for (const element of page.querySelectorAll("*")) {
      expect(["SCRIPT", "STYLE", "IFRAME", "FORM", "LINK", "SVG", "svg", "OBJECT", "EMBED", "BASE", "META", "MATH"]).not.toContain(element.nodeName);
      for (const { name, value } of element.attributes) {
        expect(name.startsWith("on") || name === "style" || name === "class" || name === "id").toBe(false);
        if (name === "src") expect(value).toMatch(/^data:image\/(png|jpeg|gif|webp)/);
        if (name === "href") expect(value).toMatch(/^(https?:|mailto:|tel:|#|\/)/);
      }
    }
  });

  it("opens links elsewhere without telling from where", () => {
    const [block] = blocksOf("[a](https://example.com)");
    expect(block?.kind === "html" && block.html).toContain('rel="noopener noreferrer nofollow"');
  });

  it("sends a dashboard's address to the app's own page", () => {
    expect(sanitise('<a href="/dashboards/abc123">x</a>')).toContain('href="#/dashboards/abc123"');
  });
});
