"""Make the documentation as a small site in build/docs, and fail on a link that leads nowhere.

`--check` only looks. Pages are the Markdown files of `docs/` and of the repository's root.
"""

from __future__ import annotations

import html
import re
import sys
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "docs"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }}
pre, code {{ font-family: ui-monospace, monospace; font-size: .9em; background: #f3f3f0 }}
pre {{ padding: .8rem; overflow: auto }} table {{ border-collapse: collapse }}
td, th {{ border: 1px solid #ccc; padding: .3rem .6rem; text-align: left }} img {{ max-width: 100% }}
</style></head><body>
{body}
</body></html>
"""


def pages() -> list[Path]:
    return sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def anchor(heading: str) -> str:
    """The name a heading can be linked by: the rule of the usual forges."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings(tokens: list[Token]) -> set[str]:
    found: dict[str, int] = {}
    names = set()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            plain = "".join(part.content for part in inline.children or ())
            name = anchor(plain)
            again = found.get(name, 0)
            found[name] = again + 1
            names.add(unique := f"{name}-{again}" if again else name)
            opening.attrSet("id", unique)
    return names


def links(tokens: list[Token]) -> list[tuple[Token, str, str]]:
    """Every link and image inside the repository: (token, attribute, target)."""
    found = []
    for token in tokens:
        for part in token.children or ():
            name = {"link_open": "href", "image": "src"}.get(part.type)
            target = str(part.attrGet(name) or "") if name else ""
            if name and target and not urlsplit(target).scheme:
                found.append((part, name, target))
    return found


def main(only_check: bool) -> int:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    parsed = {page: reader.parse(page.read_text("utf-8")) for page in pages()}
    anchors = {page: headings(tokens) for page, tokens in parsed.items()}
    broken = []
    for page, tokens in parsed.items():
        for token, name, target in links(tokens):
            path, _, fragment = unquote(target).partition("#")
            there = (page.parent / path).resolve() if path else page
            if not there.exists():
                broken.append(f"{page.relative_to(ROOT)}: {target} does not exist")
            elif fragment and there in anchors and fragment not in anchors[there]:
                broken.append(f"{page.relative_to(ROOT)}: {target} names no heading")
            elif there in parsed and path:
                token.attrSet(name, re.sub(r"\.md(?=#|$)", ".html", target))
    for line in broken:
        print(line)
    if broken or only_check:
        return 1 if broken else 0
    for page, tokens in parsed.items():
        body = reader.renderer.render(tokens, reader.options, {})
        made = (SITE / page.relative_to(ROOT)).with_suffix(".html")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(PAGE.format(title=html.escape(page.stem), body=body), "utf-8")
    print(f"{len(parsed)} pages in {SITE.relative_to(ROOT)}; open README.html first")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
