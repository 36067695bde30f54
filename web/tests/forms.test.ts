import { describe, expect, it } from "vitest";
import { shapeOf, startValue } from "../src/ui/schema";
import { chartData, chartRows } from "../src/widgets/chart";
import { csvOf } from "../src/widgets/csv";
import { compareCells } from "../src/widgets/Rows";
import { tableOf } from "../src/widgets/TableCard";

describe("a form from a schema", () => {
  const root = {
    type: "object",
    properties: {
      n: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
      kind: { $ref: "#/$defs/Kind" },
      labels: { type: "array", items: { type: "string" } },
      rows: { type: "array", items: { type: "object" } },
      when: { type: "string", format: "date" },
      sql: { type: "string" },
      flag: { type: "boolean", default: true },
      mixed: { type: ["number", "string"] },
      place: { type: "object", properties: { x: { type: "number", default: 1 } } },
    },
    required: ["place"],
    $defs: { Kind: { enum: ["bar", "line"] } },
  };
  it.each([
    ["n", "integer"], ["kind", "choice"], ["labels", "list"], ["rows", "json"], ["when", "date"], ["sql", "long"], ["flag", "boolean"], ["mixed", "json"], ["place", "object"],
  ] as const)("%s is asked for as %s", (name, kind) => {
    expect(shapeOf(root.properties[name] as never, root as never, name).kind).toBe(kind);
  });
  it("starts from the defaults and invents nothing", () => {
    expect(startValue(root as never)).toEqual({ flag: true, place: { x: 1 } });
  });
});

describe("tables and charts", () => {
  it("read rows as lists and as named values", () => {
    const named = { colunas: ["a", "b"], linhas: [{ a: 1, b: 2 }, [3, 4]] };
    expect(tableOf(named as never).rows).toEqual([[1, 2], [3, 4]]);
  });
  it("sort numbers as numbers, words as words, and nothing last", () => {
    expect([10, "9", null, "8,5"].sort(compareCells)).toEqual(["8,5", "9", 10, null]);
    expect(["b10", "b9", "A"].sort(compareCells)).toEqual(["A", "b9", "b10"]);
  });
  it("write CSV that no spreadsheet runs", () => {
    expect(csvOf(["a,b", "c"], [["=1+1", 2], ['say "x"', null], ["-5", "@cmd"]])).toBe('\ufeff"a,b",c\r\n\'=1+1,2\r\n"say ""x""",\r\n-5,\'@cmd\r\n');
  });
  it("give a chart's figures as rows", () => {
    const chart = chartData({ tipo: "bar", titulo: "T", labels: ["x", "y"], valores: [1, 2] });
    expect(chartRows(chart)).toEqual({ columns: ["", "T"], rows: [["x", 1], ["y", 2]] });
  });
});
