import { useSpeech } from "../i18n";
import { dashboardDocument } from "../ui/documents";
import { Note } from "../ui/parts";
import { Written } from "../ui/Written";
import { Widget } from "../widgets/Widget";
import type { Dashboard } from "./dashboard";

/** What a dashboard shows: HTML a model wrote, in the frame, or the widgets that were pinned to it. */
export function DashboardContent({ dashboard, owner = true }: { dashboard: Dashboard; owner?: boolean }) {
  const { t, date, ago } = useSpeech();
  const { html, items } = dashboard;
  return (
    <div class="dashboard-content">
      {html && <Written outside={dashboard.outside} owner={owner} document={(still) => dashboardDocument(html, still)} title={dashboard.titulo} height={480} />}
      {html && <p class="hint">{t("dashboards.page_fixed", { date: date(dashboard.created_at) })}</p>}
      {items.length > 0 && (
        <div class="cards">
          {items.map((one) => (
            <div key={one.id} class={one.is_live ? "card-slot live" : "card-slot fixed"}>
              <Widget kind={one.type} data={one.data} />
              {one.is_live && one.refreshed_at && (
                <p class="hint live">
                  <span class="dot live" aria-hidden="true" /> {t("dashboards.live", { when: ago(one.refreshed_at) })}
                </p>
              )}
              {!one.is_live && one.refreshed_at && <p class="hint fixed">{t("dashboards.fixed", { date: date(one.refreshed_at) })}</p>}
              {one.error && <Note kind="warn">{one.error}</Note>}
            </div>
          ))}
        </div>
      )}
      {!html && items.length === 0 && <p class="hint">{t("dashboards.nothing")}</p>}
    </div>
  );
}
