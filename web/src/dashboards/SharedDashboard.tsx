import { useEffect } from "preact/hooks";
import { api, Problem } from "../api/client";
import { useSpeech } from "../i18n";
import { IconButton } from "../ui/Button";
import { FullScreen } from "../ui/FullScreen";
import { useLoad, useTitle } from "../ui/hooks";
import { Mark } from "../ui/icons";
import { Await, Badge, Empty } from "../ui/parts";
import { DashboardContent } from "./DashboardContent";
import { type Dashboard, freshness } from "./dashboard";
import { FilterWords } from "./FilterBar";

/** What somebody with a link sees: the dashboard, and nothing else of the app. */
export function SharedDashboard({ token }: { token: string }) {
  const loaded = useLoad((signal) => api.get("/d/{token}", { path: { token }, signal }), [token]);
  const minutes = loaded.data?.refresh_minutes;
  useEffect(() => {
    if (!minutes) return;
    const timer = setInterval(loaded.reload, minutes * 60_000);
    return () => clearInterval(timer);
  }, [minutes, loaded.reload]);
  if (loaded.problem instanceof Problem && loaded.problem.status === 404) return <LinkGone />;
  return (
    <main class="shared">
      <Await of={loaded}>{(dashboard) => <Shown dashboard={dashboard} />}</Await>
    </main>
  );
}

function LinkGone() {
  const { t } = useSpeech();
  useTitle(t("dashboards.link_gone"));
  return (
    <main class="door">
      <Empty icon="share" title={t("dashboards.link_gone")}>
        {t("dashboards.link_gone_words")}
      </Empty>
    </main>
  );
}

function Shown({ dashboard }: { dashboard: Dashboard }) {
  const { t, ago } = useSpeech();
  useTitle(dashboard.titulo);
  return (
    <FullScreen class="dashboard">
      {(full, toggle) => (
        <>
          <header class="page-head">
            <div>
              <h1>{dashboard.titulo}</h1>
              <p class="hint">
                <Mark size={16} /> Bancada · {t("dashboards.updated", { when: ago(freshness(dashboard)) })}
              </p>
              {dashboard.filter && (
                <p class="filter-words">
                  <Badge kind="accent">{t("board.filtered")}</Badge> <FilterWords filter={dashboard.filter} />
                </p>
              )}
            </div>
            <IconButton icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
          </header>
          <DashboardContent dashboard={dashboard} owner={false} />
        </>
      )}
    </FullScreen>
  );
}
