/** A workbook of one sheet, written here: numbers are numbers, text is text, and nothing is a formula. */
import type { Json } from "../state/events";

const NAMESPACE = "http://schemas.openxmlformats.org";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export function xlsxOf(title: string, columns: string[], rows: Json[][]): Blob {
  const sheet = [columns, ...rows].map((cells, at) => `<row r="${at + 1}">${cells.map((cell, column) => cellOf(cell, `${letters(column)}${at + 1}`)).join("")}</row>`).join("");
  return zipped({
    "[Content_Types].xml":
      `${HEAD}<Types xmlns="${NAMESPACE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
      '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": `${HEAD}<Relationships xmlns="${NAMESPACE}/package/2006/relationships"><Relationship Id="r1" Type="${NAMESPACE}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="${NAMESPACE}/package/2006/relationships"><Relationship Id="r1" Type="${NAMESPACE}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/workbook.xml":
      `${HEAD}<workbook xmlns="${NAMESPACE}/spreadsheetml/2006/main" xmlns:r="${NAMESPACE}/officeDocument/2006/relationships">` +
      `<sheets><sheet name="${escaped(sheetName(title))}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/worksheets/sheet1.xml": `${HEAD}<worksheet xmlns="${NAMESPACE}/spreadsheetml/2006/main"><sheetData>${sheet}</sheetData></worksheet>`,
  });
}

function cellOf(value: Json, place: string): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && Number.isFinite(value)) return `<c r="${place}"><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

function letters(column: number): string {
  const rest = Math.floor(column / 26) - 1;
  return (rest >= 0 ? letters(rest) : "") + String.fromCharCode(65 + (column % 26));
}

function sheetName(title: string): string {
  return title.replace(/[[\]:*?/\\']/g, " ").trim().slice(0, 31) || "Bancada";
}

/** XML has no place for most control characters, escaped or not. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what a sheet's XML may not hold
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 0xff]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** Files in a ZIP, as they are: a table that a page shows is small. */
function zipped(files: Record<string, string>): Blob {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const index: Uint8Array[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = encoder.encode(text);
    const path = encoder.encode(name);
    const facts = numbers([20, 2], [0x0800, 2], [0, 2], [0, 2], [0x21, 2], [checksum(bytes), 4], [bytes.length, 4], [bytes.length, 4], [path.length, 2], [0, 2]);
    const local = [numbers([0x04034b50, 4]), facts, path, bytes];
    index.push(numbers([0x02014b50, 4], [20, 2]), facts, numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), path);
    parts.push(...local);
    at += size(local);
  }
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [Object.keys(files).length, 2], [Object.keys(files).length, 2], [size(index), 4], [at, 4], [0, 2]);
  return new Blob([...parts, ...index, end] as BlobPart[], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
}

function numbers(...given: [number, 2 | 4][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(given.reduce((sum, [, width]) => sum + width, 0)));
  let at = 0;
  for (const [value, width] of given) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}

const size = (parts: Uint8Array[]): number => parts.reduce((sum, one) => sum + one.length, 0);
