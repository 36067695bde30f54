import { useSpeech } from "../i18n";
import { dashboardDocument } from "../ui/documents";
import { Frame } from "../ui/Frame";
import { Note } from "../ui/parts";
import { Widget } from "../widgets/Widget";
import type { Dashboard } from "./dashboard";

/** What a dashboard shows: HTML a model wrote, in the frame, or the widgets that were pinned to it. */
export function DashboardContent({ dashboard }: { dashboard: Dashboard }) {
  const { t, date } = useSpeech();
  const items = dashboard.items;
  return (
    <div class="dashboard-content">
      {dashboard.html && <Frame html={dashboardDocument(dashboard.html)} title={dashboard.titulo} height={480} />}
      {dashboard.html && <p class="hint">{t("dashboards.page_fixed", { date: date(dashboard.created_at) })}</p>}
      {items.length > 0 && (
        <div class="cards">
          {items.map((one) => (
            <div key={one.id} class="card-slot">
              <Widget kind={one.type} data={one.data} />
              {!one.is_live && one.refreshed_at && <p class="hint fixed">{t("dashboards.fixed", { date: date(one.refreshed_at) })}</p>}
              {one.error && <Note kind="warn">{one.error}</Note>}
            </div>
          ))}
        </div>
      )}
      {!dashboard.html && items.length === 0 && <p class="hint">{t("dashboards.nothing")}</p>}
    </div>
  );
}
