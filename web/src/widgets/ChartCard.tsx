import type { Chart } from "chart.js";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { JsonObject } from "../state/events";
import { theme } from "../state/person";
import { useStore } from "../state/store";
import { IconButton } from "../ui/Button";
import { FullScreen } from "../ui/FullScreen";
import { useNear } from "../ui/hooks";
import { whenIdle } from "../ui/idle";
import { chartData, chartRows, configuration, loadChart, loadedChart, type Ink } from "./chart";
import { Downloads } from "./Downloads";
import { Rows } from "./Rows";

const NEAR = "1200px";

export function ChartCard({ title, data, actions }: { title: string; data: JsonObject; actions?: ComponentChildren }) {
  const { t, language } = useSpeech();
  const chosen = useStore(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Chart | null>(null);
  const [asRows, setAsRows] = useState(false);
  const [failed, setFailed] = useState(false);
  const [place, near] = useNear<HTMLElement>(NEAR);
  const chart = useMemo(() => chartData(data), [data]);

  // A hundred charts at once are more than a phone can hold: one that is far away is let go, and its place kept.
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let later = () => {};
    let gone = false;
    const draw = (ChartJs: typeof Chart, still: boolean) => {
      const paper = canvas.current;
      if (!paper) return;
      drawn.current?.destroy();
      drawn.current = new ChartJs(paper, configuration(chart, inkOf(paper), still, language));
    };
    const drawSoon = () =>
      loadChart()
        .then((ChartJs) => {
          later();
          if (!gone) later = whenIdle(() => draw(ChartJs, !isInView(canvas.current) || matchMedia("(prefers-reduced-motion: reduce)").matches));
        })
        .catch(() => setFailed(true));
    const print = () => {
      const ChartJs = loadedChart();
      if (ChartJs && !drawn.current) draw(ChartJs, true);
    };
    if (near) {
      void drawSoon();
      dark.addEventListener("change", drawSoon);
    }
    window.addEventListener("beforeprint", print);
    return () => {
      gone = true;
      later();
      window.removeEventListener("beforeprint", print);
      dark.removeEventListener("change", drawSoon);
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, [near, chart, chosen, language]);

  /** As it is drawn, on the card's own ground: a picture without one is black on black elsewhere. */
  const picture = (): Promise<Blob | null> =>
    new Promise((resolve) => {
      const drawing = canvas.current;
      const copy = document.createElement("canvas");
      const pen = copy.getContext("2d");
      if (!drawing || !pen) return resolve(null);
      copy.width = drawing.width;
      copy.height = drawing.height;
      pen.fillStyle = inkOf(drawing).surface;
      pen.fillRect(0, 0, copy.width, copy.height);
      pen.drawImage(drawing, 0, 0);
      copy.toBlob(resolve, "image/png");
    });
  const { columns, rows } = useMemo(() => chartRows(chart), [chart]);
  return (
    <FullScreen class="widget chart-widget">
      {(full, toggle) => (
        <>
          <header ref={place}>
            <h3>{title}</h3>
            <div class="widget-actions">
              {actions}
              <IconButton small icon={asRows ? "chart" : "table"} label={t(asRows ? "widget.as_chart" : "widget.as_table")} aria-pressed={asRows} onClick={() => setAsRows(!asRows)} />
              <Downloads title={title} columns={columns} rows={rows} {...(failed ? {} : { picture })} />
              <IconButton small icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
            </div>
          </header>
          <div class="chart-place" hidden={asRows}>
            {failed ? <p class="hint">{t("widget.chart_failed")}</p> : <canvas ref={canvas} role="img" aria-label={describe(title, columns, rows)} />}
          </div>
          {asRows && <Rows columns={columns} rows={rows} label={title} />}
          {typeof data["nota"] === "string" && <p class="widget-note">{data["nota"]}</p>}
        </>
      )}
    </FullScreen>
  );
}

/** Nobody sees a chart grow that is drawn before it is scrolled to. */
function isInView(element: Element | null): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.top < window.innerHeight && box.bottom > 0;
}

function inkOf(element: Element): Ink {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return { text: read("--text-soft", "#555"), grid: read("--line", "#ddd"), surface: read("--surface", "#fff") };
}

/** The first figures, spoken. The whole is in the table view. */
function describe(title: string, columns: string[], rows: unknown[][]): string {
  const first = rows.slice(0, 12).map((row) => `${row[0]}: ${row.slice(1).join(", ")}`);
  return [title, columns.slice(1).join(", "), ...first].filter(Boolean).join("; ");
}
