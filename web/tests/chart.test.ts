import { describe, expect, it } from "vitest";
import { chartData, configuration, spoken } from "../src/widgets/chart";
import { filtered } from "../src/widgets/Rows";

const INK = { text: "#111", grid: "#ddd", surface: "#fff" };

function axes(tipo: string, opcoes = {}): Record<string, { beginAtZero?: boolean }> {
  const data = chartData({ widget: "chart", tipo, labels: ["a", "b"], datasets: [{ data: [1, 3] }], opcoes });
  return configuration(data, INK, true, "pt-PT").options?.scales as Record<string, { beginAtZero?: boolean }>;
}

describe("a chart's axes", () => {
  it("begin at zero where lengths are compared", () => {
    expect(axes("bar")["y"]?.beginAtZero).toBe(true);
    expect(axes("radar")["r"]?.beginAtZero).toBe(true);
  });

  it("show the spread of a line, and do as they are told", () => {
    expect(axes("line")["y"]?.beginAtZero).toBe(false);
    expect(axes("radar", { scales: { r: { beginAtZero: false } } })["r"]?.beginAtZero).toBe(false);
  });
});

describe("a chart's lines and labels", () => {
  const drawn = (data: object) => configuration(chartData({ widget: "chart", ...data } as never), INK, true, "pt");

  it("never curve past the data, and stand before the bars", () => {
    const pareto = drawn({ tipo: "bar", labels: ["a", "b"], datasets: [{ label: "n", data: [2, 1] }, { label: "%", type: "line", data: [60, 100], tension: 0.4 }] });
    const [bars, line] = pareto.data.datasets as unknown as { order: number; tension?: number }[];
    expect(line?.tension).toBe(0);
    expect(line!.order).toBeLessThan(bars!.order);
    expect((pareto.options as { interaction?: { mode: string } }).interaction?.mode).toBe("index");
  });

  it("tell limits apart without colour", () => {
    const limit = (label: string) => ({ label, data: [1, 1], borderDash: [6, 4], pointRadius: 0 });
    const { datasets } = drawn({ tipo: "line", labels: ["a", "b"], datasets: [{ label: "v", data: [1, 2] }, limit("LSC"), limit("LC"), limit("LIC")] }).data;
    const dashes = (datasets as unknown as { borderDash?: number[] }[]).slice(1).map((one) => String(one.borderDash));
    expect(new Set(dashes).size).toBe(3);
  });

  it("say dates as dates and names as words, and leave the rest alone", () => {
    expect(spoken("2026-01-05", "en")).toBe("5 Jan 2026");
    expect(spoken("2026-03", "en")).toBe("Mar 2026");
    expect(spoken("num_defeitos", "pt")).toBe("num defeitos");
    expect(spoken("Linha_2", "pt")).toBe("Linha_2");
    expect(spoken("2026", "pt")).toBe("2026");
  });
});

describe("rows", () => {
  it("are found by part of a cell, without its accents", () => {
    const rows = [["Manhã", 3], ["Tarde", 12], [null, 7]];
    expect(filtered(rows, "manha")).toEqual([["Manhã", 3]]);
    expect(filtered(rows, "2")).toEqual([["Tarde", 12]]);
    expect(filtered(rows, " ")).toEqual(rows);
  });
});
