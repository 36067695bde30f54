import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { DashboardContent } from "../dashboards/DashboardContent";
import { useDashboard } from "../dashboards/dashboard";
import { useSeen } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await } from "../ui/parts";

/** A dashboard that a turn kept, shown where it was made. */
export function DashboardCard({ id, title }: { id: string; title: string }) {
  const { t } = useSpeech();
  const [place, seen] = useSeen<HTMLElement>();
  return (
    <section class="widget dashboard-card" aria-label={title} ref={place}>
      <header>
        <h3>{title}</h3>
        <a class="button small" href={href("dashboards", id)}>
          <Icon name="grid" size={16} /> <span>{t("dashboards.open")}</span>
        </a>
      </header>
      {seen ? <Inline id={id} /> : <div class="frame-place" />}
    </section>
  );
}

function Inline({ id }: { id: string }) {
  const loaded = useDashboard(id);
  return <Await of={loaded}>{(dashboard) => <DashboardContent dashboard={dashboard} />}</Await>;
}
