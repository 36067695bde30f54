/** A board drawn small, from the figures it shows: enough to know it again. */
import type { JsonObject } from "../state/events";
import { tableOf } from "../widgets/TableCard";
import type { Dashboard, Item } from "./dashboard";
import { bottom, COLUMNS, type Place, placed } from "./grid";

const CELL = 10;
const ROWS = 11;
const PAD = 1;

export function Preview({ dashboard }: { dashboard: Dashboard }) {
  const tiles = placed(dashboard.items);
  const rows = Math.max(6, Math.min(ROWS, bottom(tiles)));
  return (
    <svg class="preview" viewBox={`0 0 ${COLUMNS * CELL} ${rows * CELL}`} aria-hidden="true" focusable="false">
      {dashboard.html !== null && <Page rows={rows} />}
      {tiles.map(({ id, place }) => {
        const item = dashboard.items.find((one) => one.id === id);
        return item && place.y < rows ? <Small key={id} item={item} place={place} /> : null;
      })}
    </svg>
  );
}

function Page({ rows }: { rows: number }) {
  return <path class="preview-line" d={Array.from({ length: rows - 2 }, (_, n) => `M12 ${(n + 1) * CELL}h${n % 3 === 2 ? 60 : 96}`).join("")} />;
}

function Small({ item, place }: { item: Item; place: Place }) {
  const [x, y, w, h] = [place.x * CELL + PAD, place.y * CELL + PAD, place.w * CELL - 2 * PAD, place.h * CELL - 2 * PAD];
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class="preview-tile" width={w} height={h} rx="2" />
      {!item.stale && <Picture item={item} w={w} h={h} />}
    </g>
  );
}

function Picture({ item, w, h }: { item: Item; w: number; h: number }) {
  switch (item.type) {
    case "kpi":
      return (
        <text class="preview-figure" x={w / 2} y={h / 2 + 3} text-anchor="middle">
          {String(item.data["valor"] ?? "").slice(0, 7)}
        </text>
      );
    case "chart":
      return <Curve data={item.data} w={w} h={h} />;
    case "table":
      return <path class="preview-line" d={lines(Math.min(tableOf(item.data).rows.length + 1, Math.floor((h - 6) / 6)), w)} />;
    case "text":
      return <path class="preview-line" d={lines(Math.max(1, Math.floor((h - 6) / 6)), w)} />;
    case "graph":
      return <path class="preview-line" d={`M${w / 2} ${h / 2}L${w * 0.2} ${h * 0.25}M${w / 2} ${h / 2}L${w * 0.8} ${h * 0.3}M${w / 2} ${h / 2}L${w * 0.6} ${h * 0.85}`} />;
  }
}

const lines = (count: number, w: number) => Array.from({ length: count }, (_, n) => `M4 ${6 + n * 6}h${w - 8}`).join("");

/** The first series: as a line where the chart is one, else as bars. */
function Curve({ data, w, h }: { data: JsonObject; w: number; h: number }) {
  const sets = data["datasets"];
  const first = Array.isArray(sets) ? (sets[0] as JsonObject | undefined)?.["data"] : null;
  const values = (Array.isArray(first) ? first : [])
    .map((one) => (typeof one === "number" ? one : one && typeof one === "object" && !Array.isArray(one) ? Number(one["y"]) : NaN))
    .filter(Number.isFinite)
    .slice(0, 24);
  if (!values.length) return null;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const tall = (value: number) => ((value - low) / (high - low || 1)) * (h - 8);
  const step = (w - 8) / values.length;
  if (data["tipo"] === "line" || data["tipo"] === "scatter") {
    return <polyline class="preview-curve" points={values.map((one, n) => `${4 + (n + 0.5) * step},${h - 4 - tall(one)}`).join(" ")} />;
  }
  return (
    <>
      {values.map((one, n) => (
        <rect key={n} class="preview-bar" x={4 + n * step + step * 0.1} y={h - 4 - tall(one)} width={step * 0.8} height={Math.max(0.5, tall(one))} />
      ))}
    </>
  );
}
