/** Chart.js, loaded when the first chart appears; and a widget's data as a configuration of it. */
import type { Chart, ChartConfiguration } from "chart.js";
import type { Json, JsonObject } from "../state/events";
import { COLOURS } from "../ui/colours";

type ChartClass = typeof Chart;
let loading: Promise<ChartClass> | null = null;

/** Chart.js, if it is there: where nothing can be fetched it is in the page already. */
export function loadedChart(): ChartClass | undefined {
  return (window as unknown as { Chart?: ChartClass }).Chart;
}

export function loadChart(): Promise<ChartClass> {
  const here = loadedChart();
  if (here) return Promise.resolve(here);
  loading ??= new Promise<ChartClass>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/static/chart.js";
    script.onload = () => resolve(loadedChart() as ChartClass);
    script.onerror = () => {
      loading = null;
      reject(new Error("chart.js"));
    };
    document.head.append(script);
  });
  return loading;
}

const POINTS = new Set(["scatter", "bubble"]);
const ROUND = new Set(["pie", "doughnut", "polarArea"]);

export interface Series {
  label: string;
  data: Json[];
  [field: string]: Json | undefined;
}

export interface ChartData {
  kind: string;
  labels: string[];
  series: Series[];
  options: JsonObject;
}

export function chartData(data: JsonObject): ChartData {
  const labels = Array.isArray(data["labels"]) ? data["labels"].map(String) : [];
  const given = Array.isArray(data["datasets"]) ? data["datasets"] : [];
  const values = data["valores"] ?? data["values"];
  const series = given.length
    ? given.map((one, index) => ({ label: `${index + 1}`, ...(one as JsonObject), data: ((one as JsonObject)["data"] ?? []) as Json[] }))
    : [{ label: String(data["titulo"] ?? ""), data: Array.isArray(values) ? values : [] }];
  const options = data["opcoes"] ?? data["options"];
  return {
    kind: String(data["tipo"] ?? data["type"] ?? "bar"),
    labels,
    series,
    options: options && typeof options === "object" && !Array.isArray(options) ? options : {},
  };
}

export interface Ink {
  text: string;
  grid: string;
  surface: string;
}

const ISO = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A label as people write it: a date in their order, a column's name as words. What is neither stays as it is. */
export function spoken(label: string, locale: string): string {
  if (ISO.test(label)) {
    const [year = 0, month = 1, day] = label.slice(0, 10).split("-").map(Number);
    const clock = /[T ](\d{2}:\d{2})/.exec(label)?.[1];
    // The day that is written, whatever the time zone of who reads it.
    const date = new Date(Date.UTC(year, month - 1, day ?? 1));
    const options: Intl.DateTimeFormatOptions = day === undefined ? { month: "short", year: "numeric" } : { day: "numeric", month: "short", year: "numeric" };
    const words = new Intl.DateTimeFormat(locale === "pt" ? "pt-PT" : locale === "en" ? "en-GB" : locale, { ...options, timeZone: "UTC" }).format(date);
    return clock ? `${words} ${clock}` : words;
  }
  return /^[\p{Ll}\d]+(_[\p{Ll}\d]+)+$/u.test(label) ? label.replaceAll("_", " ") : label;
}

const DASHES = [[6, 4], [2, 3], [10, 4, 2, 4], [1, 4]];

/** How a line without points is dashed: each differently, so that limits are told apart without colour. */
function dashOf(series: Series[], at: number): number[] {
  const before = series.slice(0, at).filter((one) => one["pointRadius"] === 0 && Array.isArray(one["borderDash"])).length;
  return DASHES[before % DASHES.length] as number[];
}

export function configuration(chart: ChartData, ink: Ink, still: boolean, locale: string): ChartConfiguration {
  const round = ROUND.has(chart.kind);
  const datasets = chart.series.map((one, index) => {
    const colour = COLOURS[index % COLOURS.length] as string;
    const each = chart.labels.map((_, at) => COLOURS[at % COLOURS.length] as string);
    const line = (one["type"] ?? chart.kind) === "line" || chart.kind === "radar";
    return {
      backgroundColor: round ? each : line ? `${colour}33` : colour,
      borderColor: round ? ink.surface : colour,
      borderWidth: round ? 2 : line ? 2 : 0,
      ...(line ? { pointRadius: 3 } : { borderRadius: 4, maxBarThickness: 56 }),
      // A line stands before the bars it runs over.
      order: line ? 0 : 1,
      ...one,
      label: spoken(one.label, locale),
      // A curve between two points would show values that nobody measured.
      ...(line ? { tension: 0 } : {}),
      ...(Array.isArray(one["borderDash"]) && one["pointRadius"] === 0 ? { borderDash: dashOf(chart.series, index), pointStyle: "line" } : {}),
    };
  });
  const { scales, plugins, ...rest } = chart.options as { scales?: JsonObject; plugins?: JsonObject; indexAxis?: string };
  const further = Object.keys(scales ?? {}).filter((name) => !["x", "y", "r"].includes(name));
  const base: JsonObject = round ? {} : chart.kind === "radar" ? { r: { ...axis(ink), beginAtZero: true } } : { x: axis(ink, true), y: { ...axis(ink), beginAtZero: chart.kind === "bar" } };
  // A second axis is written in the same ink as the first.
  const axes: JsonObject = { ...base, ...Object.fromEntries(further.map((name) => [name, axis(ink)])) };
  return {
    type: chart.kind,
    data: { labels: chart.labels.map((label) => spoken(label, locale)), datasets },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      locale,
      color: ink.text,
      ...(round || POINTS.has(chart.kind) ? {} : { interaction: { mode: "index", intersect: false, axis: rest["indexAxis"] === "y" ? "y" : "x" } }),
      ...(still ? { animation: false } : { animation: { duration: 350 } }),
      ...rest,
      scales: merged(axes, scales ?? {}),
      plugins: merged(
        { legend: { display: round || chart.series.length > 1, position: "bottom", labels: { color: ink.text, usePointStyle: true, boxHeight: 7 } }, title: { display: false } },
        plugins ?? {},
      ),
    },
  } as unknown as ChartConfiguration;
}

function axis(ink: Ink, quietGrid = false): JsonObject {
  return { ticks: { color: ink.text }, title: { color: ink.text }, grid: quietGrid ? { display: false } : { color: ink.grid }, border: { color: ink.grid } };
}

function merged(base: JsonObject, over: JsonObject): JsonObject {
  const out: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const known = out[key];
    const both = known && value && [known, value].every((one) => typeof one === "object" && !Array.isArray(one));
    out[key] = both ? merged(known as JsonObject, value as JsonObject) : value;
  }
  return out;
}

/** The chart's figures as rows: for people who read rather than see, and for CSV. */
export function chartRows(chart: ChartData): { columns: string[]; rows: Json[][] } {
  const points = POINTS.has(chart.kind);
  if (points) {
    const axes = chart.kind === "bubble" ? ["x", "y", "r"] : ["x", "y"];
    const rows = chart.series.flatMap((one) => one.data.map((point) => [one.label, ...axes.map((name) => (point as JsonObject)?.[name] ?? null)]));
    return { columns: ["", ...axes], rows };
  }
  return {
    columns: ["", ...chart.series.map((one) => one.label)],
    rows: chart.labels.map((label, at) => [label, ...chart.series.map((one) => one.data[at] ?? null)]),
  };
}
