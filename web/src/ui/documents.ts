/** The documents that model-written pieces are put in before the frame shows them. */
import { COLOURS } from "./colours";
import { stilled } from "./still";

const CHART = `<script src="/static/chart.js"></script>`;
/** Draws `<canvas data-chart>`, in our colours. */
const CHARTS = `${CHART}<script src="/static/charts.js" data-colours='${JSON.stringify(COLOURS)}'></script>`;
const BASE = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`;
const REMOTE_CHART = /<script\b[^>]*\bsrc\s*=\s*["']?https?:\/\/[^"'>\s]*chart(?:\.umd|\.min|js|\.js)[^"'>\s]*["']?[^>]*>\s*<\/script\s*>/gi;

const PLAIN = `body{margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif;color:#1d2524;background:#fff}canvas{max-width:100%}`;

const DASHBOARD = `
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;padding:20px;font:15px/1.5 system-ui,sans-serif;color:#1d2524;background:#f5f7f6}
.dashboard-grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:16px;margin-bottom:16px}
.dashboard-row{display:flex;flex-wrap:wrap;gap:16px;margin-bottom:16px}
.dashboard-row>*{flex:1 1 220px;min-width:0}
.kpi-card{background:linear-gradient(135deg,#17403b,#0c6b5f);color:#fff;border-radius:12px;padding:18px 20px}
.kpi-card h3{margin:0 0 6px;font-size:.85rem;font-weight:500;opacity:.85}
.kpi-card .value{font-size:2rem;font-weight:650;line-height:1.15}
.kpi-card .unit{font-size:1rem;font-weight:400;margin-left:6px;opacity:.85}
.chart-container{background:#fff;border:1px solid #dfe5e3;border-radius:12px;padding:16px;margin-bottom:16px;position:relative}
.dashboard-grid>.chart-container,.dashboard-row>.chart-container{margin-bottom:0}
.chart-container h3{margin:0 0 10px;font-size:1rem}
.chart-container canvas{max-width:100%;max-height:420px}
.data-table{width:100%;border-collapse:collapse;background:#fff;border:1px solid #dfe5e3;border-radius:12px;overflow:hidden;margin-bottom:16px}
.data-table th,.data-table td{padding:9px 12px;text-align:left;border-bottom:1px solid #e8edeb}
.data-table th{background:#eef3f1;font-weight:600}
.section-title{margin:24px 0 12px;font-size:1.15rem}
.section-title:first-child{margin-top:0}`;

function isWhole(html: string): boolean {
  return /^\s*(?:<!--[\s\S]*?-->\s*)*<!doctype/i.test(html);
}

/** Chart.js from elsewhere would not load here; ours does. */
function ownChart(html: string): string {
  return html.replace(REMOTE_CHART, CHART);
}

/** A document ready for the frame; `cut` says that something of it was left out. */
export interface Ready {
  html: string;
  cut: boolean;
}

export function artifactDocument(language: "html" | "svg", source: string, still: boolean): Ready {
  if (language === "html") return written(source, PLAIN, still);
  const body = still ? stilled(source, false) : { html: source, cut: false };
  return { ...body, html: `<!DOCTYPE html><html><head>${BASE}</head><body style="margin:0">${body.html}</body></html>` };
}

export function dashboardDocument(html: string, still: boolean): Ready {
  return written(html, DASHBOARD, still);
}

/** `still`: sanitised, with no script but ours. Ours stands last, where nothing before it can swallow it. */
function written(source: string, style: string, still: boolean): Ready {
  const whole = isWhole(source);
  const page = still ? stilled(source, whole) : { html: ownChart(source), cut: false };
  if (whole) {
    const drawn = still || source.includes("data-chart");
    return { ...page, html: `${still ? "<!DOCTYPE html>" : ""}${page.html}${drawn ? CHARTS : ""}` };
  }
  const [early, late] = still ? ["", CHARTS] : [CHARTS, ""];
  return { ...page, html: `<!DOCTYPE html><html><head>${BASE}${early}<style>${style}</style></head><body>${page.html}${late}</body></html>` };
}
