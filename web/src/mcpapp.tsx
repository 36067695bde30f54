/** Our widgets inside an MCP client: it shows this page, and hands it the result of the call. */
import { render } from "preact";
import type { JsonObject, WidgetKind } from "./state/events";
import { learn } from "./i18n";
import { language } from "./state/person";
import { Widget } from "./widgets/Widget";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/widgets.css";

const PROTOCOL = "2026-01-26";
const WIDGETS = "bancada/widgets";
const KINDS: ReadonlySet<string> = new Set(["chart", "table", "kpi", "graph"]);

interface Shown {
  kind: WidgetKind;
  data: JsonObject;
}

interface HostContext {
  theme?: string;
  locale?: string;
}

export function widgetsOf(result: unknown): Shown[] {
  const meta = (result as { _meta?: Record<string, unknown> } | null)?._meta;
  const found = meta?.[WIDGETS];
  return Array.isArray(found) ? (found as Shown[]).filter((one) => KINDS.has(one?.kind)) : [];
}

function tell(message: object): void {
  // The client's own address is not known here; nothing of a person's is in what is told.
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function settle(context: HostContext | undefined): void {
  if (context?.theme === "light" || context?.theme === "dark") document.documentElement.dataset["theme"] = context.theme;
  if (context?.locale) language.set(context.locale.toLowerCase().startsWith("pt") ? "pt" : "en");
}

async function show(root: HTMLElement, result: unknown): Promise<void> {
  await learn();
  render(<>{widgetsOf(result).map((one, at) => <Widget key={at} kind={one.kind} data={one.data} />)}</>, root);
}

export function begin(root: HTMLElement): void {
  window.addEventListener("message", (event: MessageEvent) => {
    if (event.source !== window.parent) return;
    const said = event.data as { id?: unknown; method?: string; params?: unknown; result?: { hostContext?: HostContext } };
    if (said.id === 1 && said.result) {
      settle(said.result.hostContext);
      tell({ method: "ui/notifications/initialized", params: {} });
    } else if (said.method === "ui/notifications/host-context-changed") settle(said.params as HostContext);
    else if (said.method === "ui/notifications/tool-result") void show(root, said.params);
    else if (said.method === "ui/resource-teardown") tell({ id: said.id, result: {} });
  });
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = root;
    tell({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(root);
  const appInfo = { name: "bancada", version: "1" };
  tell({ id: 1, method: "ui/initialize", params: { protocolVersion: PROTOCOL, appInfo, appCapabilities: {} } });
}

const root = document.getElementById("mcp-app");
if (root) begin(root);
