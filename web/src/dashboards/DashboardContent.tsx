import { useSpeech } from "../i18n";
import { dashboardDocument } from "../ui/documents";
import { Frame } from "../ui/Frame";
import { Note } from "../ui/parts";
import { Widget } from "../widgets/Widget";
import type { Dashboard } from "./dashboard";

/** What a dashboard shows: HTML a model wrote, in the frame, or the widgets that were pinned to it. */
export function DashboardContent({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useSpeech();
  const widgets = dashboard.widgets ?? [];
  return (
    <div class="dashboard-content">
      {dashboard.html && <Frame html={dashboardDocument(dashboard.html)} title={dashboard.titulo} height={480} />}
      {widgets.length > 0 && (
        <div class="cards">
          {widgets.map((one, index) => (
            <div key={index} class="card-slot">
              <Widget kind={one.kind} data={one.data} />
              {one.problem && <Note kind="warn">{one.problem}</Note>}
            </div>
          ))}
        </div>
      )}
      {!dashboard.html && widgets.length === 0 && <p class="hint">{t("dashboards.nothing")}</p>}
    </div>
  );
}
