import { useSpeech } from "../i18n";

const WIDTH = 120;
const HEIGHT = 28;

/** How a figure came to be what it is: its values before, drawn small. */
export function Sparkline({ values }: { values: number[] }) {
  const { t, number } = useSpeech();
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const at = (value: number, place: number) => `${(place / (values.length - 1)) * (WIDTH - 6) + 3},${HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6)}`;
  const points = values.map(at);
  const [x, y] = (points.at(-1) ?? "0,0").split(",");
  const words = t("kpi.history", { from: number(values[0] ?? 0), to: number(values.at(-1) ?? 0), n: values.length });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <polyline points={points.join(" ")} />
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  );
}
