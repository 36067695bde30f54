"""Small .xlsx files, written by hand: only what a reader needs to find the cells."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

Rows = Sequence[Sequence[object]]

_NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_DATE, _MOMENT, _CLOCK = 1, 2, 3


def workbook(sheets: Mapping[str, Rows]) -> bytes:
    """A workbook of these sheets."""
    names = list(enumerate(sheets, start=1))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_TYPE}.worksheet+xml"/>'
            for n, _ in names
        )
        + f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {_NS} xmlns:r="{_RELATED}"><sheets>'
        + "".join(f'<sheet name="{escape(s)}" sheetId="{n}" r:id="r{n}"/>' for n, s in names)
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{_RELATED}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n, _ in names
        )
        + f'<Relationship Id="rs" Type="{_RELATED}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet {_NS}><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill/></fill>'
        '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>'
        '<xf numFmtId="22" applyNumberFormat="1"/><xf numFmtId="20" applyNumberFormat="1"/></cellXfs>'
        "</styleSheet>",
    }
    for number, name in names:
        parts[f"xl/worksheets/sheet{number}.xml"] = _sheet(sheets[name])
    return packed(parts)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return file.getvalue()


def _sheet(rows: Rows) -> str:
    body = "".join(
        f'<row r="{r}">'
        + "".join(_cell(f"{_letters(c)}{r}", v) for c, v in enumerate(row) if v is not None)
        + "</row>"
        for r, row in enumerate(rows, start=1)
    )
    return f"<worksheet {_NS}><sheetData>{body}</sheetData></worksheet>"


def _cell(place: str, value: object) -> str:
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    if isinstance(value, dt.datetime):
        return f'<c r="{place}" s="{_MOMENT}"><v>{_serial(value)}</v></c>'
    if isinstance(value, dt.date):
        moment = dt.datetime(value.year, value.month, value.day)
        return f'<c r="{place}" s="{_DATE}"><v>{_serial(moment)}</v></c>'
    if isinstance(value, dt.time):
        part = (value.hour * 60 + value.minute) / 1440
        return f'<c r="{place}" s="{_CLOCK}"><v>{part!r}</v></c>'
    if isinstance(value, str) and value.startswith("#"):
        return f'<c r="{place}" t="e"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


def _serial(moment: dt.datetime) -> float:
    return (moment - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)


def _letters(column: int) -> str:
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
