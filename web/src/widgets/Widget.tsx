/** What a render tool shows: one card each, the same in a chat and on a dashboard. */
import type { ComponentChildren } from "preact";
import { useSpeech } from "../i18n";
import type { JsonObject, WidgetKind } from "../state/events";
import { memo } from "../ui/memo";
import { ChartCard } from "./ChartCard";
import { GraphCard } from "./GraphCard";
import { KpiCard } from "./KpiCard";
import { TableCard } from "./TableCard";

interface WidgetProps {
  kind: WidgetKind;
  data: JsonObject;
  /** Buttons of the place it is shown in: pin it, remove it. */
  actions?: ComponentChildren;
}

export const Widget = memo(function Widget({ kind, data, actions }: WidgetProps) {
  const { t } = useSpeech();
  const title = typeof data["titulo"] === "string" ? data["titulo"] : typeof data["title"] === "string" ? data["title"] : t(`widget.${kind}`);
  switch (kind) {
    case "chart":
      return <ChartCard title={title} data={data} actions={actions} />;
    case "table":
      return <TableCard title={title} data={data} actions={actions} />;
    case "kpi":
      return <KpiCard title={title} data={data} actions={actions} />;
    case "graph":
      return <GraphCard title={title} data={data} actions={actions} />;
  }
});
