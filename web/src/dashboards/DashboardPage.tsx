import { useEffect, useRef, useState } from "preact/hooks";
import { post, remove } from "../api/client";
import { useSpeech } from "../i18n";
import { go, href } from "../state/route";
import { Button, IconButton } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { FullScreen } from "../ui/FullScreen";
import { useAction, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, CopyButton, Menu } from "../ui/parts";
import { toast } from "../ui/toast";
import { DashboardContent } from "./DashboardContent";
import { canRefresh, type Dashboard, freshness, useDashboard } from "./dashboard";

export function DashboardPage({ id }: { id: string }) {
  const loaded = useDashboard(id);
  return (
    <div class="page scroll wide">
      <Await of={loaded}>{(dashboard) => <Shown dashboard={dashboard} onChange={loaded.set} />}</Await>
    </div>
  );
}

function Shown({ dashboard, onChange }: { dashboard: Dashboard; onChange(next: Dashboard): void }) {
  const { t, ago } = useSpeech();
  useTitle(dashboard.titulo);
  const [deleting, setDeleting] = useState(false);
  const [sharing, setSharing] = useState(false);
  const path = `/dashboards/${encodeURIComponent(dashboard.id)}`;
  const [refresh, refreshing, problem] = useAction(async () => {
    const next = await post<Dashboard>(`${path}/refresh`);
    onChange({ ...dashboard, ...next });
  });
  return (
    <FullScreen class="dashboard">
      {(full, toggle) => (
        <>
          <header class="page-head">
            <div>
              {!full && (
                <a class="back" href={href("dashboards")}>
                  <Icon name="left" size={16} /> {t("nav.dashboards")}
                </a>
              )}
              <h1>{dashboard.titulo}</h1>
              <p class="hint">{t("dashboards.updated", { when: ago(freshness(dashboard)) })}</p>
            </div>
            <div class="page-actions">
              {canRefresh(dashboard) && (
                <Button icon="refresh" busy={refreshing} onClick={() => void refresh().then((done) => done && toast(t(dashboard.items.every((item) => item.is_live) ? "dashboards.refreshed" : "dashboards.some_fixed")))}>
                  {t("dashboards.refresh")}
                </Button>
              )}
              {full && canRefresh(dashboard) && <OnTheWall refresh={refresh} />}
              {!full && (
                <Button icon="share" onClick={() => setSharing(true)}>
                  {t("dashboards.share")}
                </Button>
              )}
              <IconButton icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
              {!full && <Menu label={t("dashboards.actions")} items={[...(canRefresh(dashboard) ? [{ label: t("dashboards.schedule"), icon: "clock" as const, onPick: () => { location.hash = `${href("schedules")}?dashboard=${encodeURIComponent(dashboard.id)}`; } }] : []), { label: t("dashboards.delete"), icon: "trash", danger: true, onPick: () => setDeleting(true) }]} />}
            </div>
          </header>
          <ErrorNote problem={problem} />
          <DashboardContent dashboard={dashboard} />
          {sharing && <Share dashboard={dashboard} onChange={onChange} onClose={() => setSharing(false)} />}
          {deleting && (
            <Confirm
              title={t("dashboards.delete")}
              action={t("dashboards.delete")}
              danger
              onClose={() => setDeleting(false)}
              onConfirm={async () => {
                await remove(path);
                go("dashboards");
              }}
            >
              <p>{t("dashboards.delete_words", { title: dashboard.titulo })}</p>
            </Confirm>
          )}
        </>
      )}
    </FullScreen>
  );
}

const EVERY = 5 * 60_000;

/** A display that nobody touches keeps itself up to date. */
function OnTheWall({ refresh }: { refresh(): Promise<unknown> }) {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => void latest.current(), EVERY);
    return () => clearInterval(timer);
  }, []);
  return null;
}

/** A link that shows this one dashboard without an account, until it is revoked. */
function Share({ dashboard, onChange, onClose }: { dashboard: Dashboard; onChange(next: Dashboard): void; onClose(): void }) {
  const { t } = useSpeech();
  const [url, setUrl] = useState<string | null>(null);
  const path = `/dashboards/${encodeURIComponent(dashboard.id)}/share`;
  const [make, making, failed] = useAction(async () => {
    const answer = await post<{ url: string }>(path);
    setUrl(new URL(answer.url, location.origin).href);
    onChange({ ...dashboard, shared: true });
  });
  const [revoke, revoking, kept] = useAction(async () => {
    await remove(path);
    setUrl(null);
    onChange({ ...dashboard, shared: false });
    toast(t("dashboards.revoked"));
  });
  return (
    <Dialog title={t("dashboards.share")} onClose={onClose}>
      <p>{t("dashboards.share_words")}</p>
      {url && (
        <div class="copy-line">
          <input readOnly value={url} aria-label={t("dashboards.link")} onFocus={(event) => event.currentTarget.select()} />
          <CopyButton text={url} />
        </div>
      )}
      {!url && dashboard.shared && <p class="hint">{t("dashboards.already_shared")}</p>}
      <ErrorNote problem={failed ?? kept} />
      <div class="form-actions">
        {(dashboard.shared || url) && (
          <Button kind="danger" busy={revoking} onClick={() => void revoke()}>
            {t("dashboards.revoke")}
          </Button>
        )}
        {!url && (
          <Button kind="primary" icon="share" busy={making} onClick={() => void make()}>
            {t("dashboards.make_link")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
