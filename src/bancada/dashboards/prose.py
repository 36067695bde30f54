"""Markdown as blocks that paper can set: what was written stays data, never layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bancada.domain.json import JSONObject

_READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
PAGES = ("html", "svg")
"""Languages of code that the app draws as a page of its own."""


def blocks(text: str, page: str) -> list[JSONObject]:
    """Headings, paragraphs, items, code and tables. `page` is said where the model wrote a page."""
    made: list[JSONObject] = []
    depth = quoted = 0
    marker = ""
    tokens = _READER.parse(text)
    table: list[list[str]] | None = None
    for at, token in enumerate(tokens):
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                depth += 1
            case "bullet_list_close" | "ordered_list_close":
                depth -= 1
            case "list_item_open":
                marker = f"{token.info}." if token.info else "•"
            case "blockquote_open":
                quoted += 1
            case "blockquote_close":
                quoted -= 1
            case "table_open":
                table = []
            case "tr_open" if table is not None:
                table.append([])
            case "table_close" if table is not None:
                made.append({"kind": "table", "table": _table(table)})
                table = None
            case "fence" | "code_block" if token.info.strip().lower() in PAGES:
                made.append({"kind": "note", "text": page})
            case "fence" | "code_block":
                made.append({"kind": "code", "text": token.content.rstrip("\n")})
            case "hr":
                made.append({"kind": "rule"})
            case "inline" if table is not None:
                table[-1].append("".join(span["text"] for span in _spans(token)))
            case "inline":
                before = tokens[at - 1]
                heading = before.type == "heading_open"
                made.append(
                    {
                        "kind": "heading" if heading else "item" if depth else "paragraph",
                        "depth": depth + quoted,
                        "marker": marker,
                        "spans": list(_spans(token)),
                    }
                )
                marker = ""
    return made


def _table(rows: Sequence[Sequence[str]]) -> JSONObject:
    columns, *body = rows or [[]]
    width = len(columns) or 1
    return {
        "columns": list(columns) or [""],
        "rows": [[*row, *[""] * width][:width] for row in body],
        "numeric": [False] * width,
        "note": "",
    }


def _spans(inline: Token) -> Iterator[JSONObject]:
    """Runs of text, each with its weight; a link is followed by where it leads."""
    bold = italic = 0
    leads = ""
    for token in inline.children or ():
        match token.type:
            case "strong_open":
                bold += 1
            case "strong_close":
                bold -= 1
            case "em_open":
                italic += 1
            case "em_close":
                italic -= 1
            case "link_open":
                leads = str(token.attrGet("href") or "")
            case "link_close":
                if leads.startswith(("http://", "https://")):
                    yield _span(f" ({leads})", bold, italic)
            case "softbreak":
                yield _span(" ", bold, italic)
            case "hardbreak":
                yield _span("\n", bold, italic)
            case "code_inline":
                yield {**_span(token.content, bold, italic), "code": True}
            case _ if token.content:
                yield _span(token.content, bold, italic)


def _span(text: str, bold: int, italic: int) -> JSONObject:
    return {"text": text, "bold": bold > 0, "italic": italic > 0, "code": False}
