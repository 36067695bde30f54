import { describe, expect, it } from "vitest";
import { chartData, configuration } from "../src/widgets/chart";

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
