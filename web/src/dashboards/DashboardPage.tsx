import { useEffect, useRef, useState } from "preact/hooks";
import { api, blobOf } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Later } from "../shell/Later";
import { go, href } from "../state/route";
import { Button, IconButton } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { FullScreen } from "../ui/FullScreen";
import { useAction, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, CopyButton, Menu, type MenuItem } from "../ui/parts";
import { toast } from "../ui/toast";
import { fileName, saveBlob } from "../widgets/csv";
import { DashboardContent } from "./DashboardContent";
import { canRefresh, type Dashboard, freshness, takesWidgets, useDashboard } from "./dashboard";
import { FilterBar, FilterWords } from "./FilterBar";
import { NameDialog } from "./NameDialog";

export function DashboardPage({ id }: { id: string }) {
  const loaded = useDashboard(id);
  return (
    <div class="page scroll wide">
      <Await of={loaded}>{(dashboard) => <Shown dashboard={dashboard} onChange={loaded.set} />}</Await>
    </div>
  );
}

const arranging = () => import("./Arranging").then(({ Arranging }) => Arranging);
const INTERVALS = [1, 5, 15, 60];

type Open = "share" | "delete" | "rename" | "filter" | "arrange" | null;

function Shown({ dashboard, onChange }: { dashboard: Dashboard; onChange(next: Dashboard): void }) {
  const { t, count, ago } = useSpeech();
  useTitle(dashboard.titulo);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const at = { path: { id: dashboard.id } };
  const [refresh, refreshing, problem] = useAction(async () => onChange(await api.post("/dashboards/{id}/refresh", at)));
  const [change, , refused] = useAction(async (body: Wire["BoardChange"]) => onChange(await api.patch("/dashboards/{id}", { ...at, body })));
  const live = canRefresh(dashboard);
  const every = dashboard.refresh_minutes;
  const interval = (minutes: number | null): MenuItem => ({
    label: minutes === null ? t("board.by_hand") : count("board.every", minutes),
    checked: every === minutes,
    onPick: () => void change({ refresh_minutes: minutes }),
  });
  const [print, , unprinted] = useAction(async () => saveBlob(await blobOf("get", "/dashboards/{id}/report", at), fileName(dashboard.titulo, "pdf")));
  const menu: (MenuItem | null)[] = [
    ...(live ? [null, interval(null), ...INTERVALS.map(interval), null] : []),
    ...(live ? [{ label: t("dashboards.schedule"), icon: "clock" as const, onPick: () => { location.hash = `${href("schedules")}?dashboard=${encodeURIComponent(dashboard.id)}`; } }] : []),
    { label: t("board.rename"), icon: "edit", onPick: () => setOpen("rename") },
    ...(dashboard.items.length ? [{ label: t("studies.pdf"), icon: "file" as const, onPick: () => void print() }] : []),
    { label: t("board.print"), icon: "file", onPick: () => window.print() },
    { label: t("dashboards.delete"), icon: "trash", danger: true, onPick: () => setOpen("delete") },
  ];
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
              <p class="hint">
                {t("dashboards.updated", { when: ago(freshness(dashboard)) })}
                {live && every !== null && <> · {count("board.every", every)}</>}
              </p>
              {dashboard.filter && (
                <p class="filter-words">
                  <Badge kind="accent">{t("board.filtered")}</Badge> <FilterWords filter={dashboard.filter} />
                </p>
              )}
            </div>
            {open !== "arrange" && (
              <div class="page-actions">
                {live && (
                  <Button icon="refresh" busy={refreshing} onClick={() => void refresh().then((done) => done && toast(t(dashboard.items.every((item) => item.is_live || item.type === "text") ? "dashboards.refreshed" : "dashboards.some_fixed")))}>
                    {t("dashboards.refresh")}
                  </Button>
                )}
                {live && (full || every !== null) && <OnTheWall refresh={refresh} minutes={every ?? OTHERWISE} />}
                {!full && live && (
                  <Button icon="search" aria-expanded={open === "filter"} onClick={() => setOpen(open === "filter" ? null : "filter")}>
                    {t("board.filter")}
                  </Button>
                )}
                {!full && takesWidgets(dashboard) && (
                  <Button icon="grid" onClick={() => setOpen("arrange")}>
                    {t("board.arrange")}
                  </Button>
                )}
                {!full && (
                  <Button icon="share" onClick={() => setOpen("share")}>
                    {t("dashboards.share")}
                  </Button>
                )}
                <IconButton icon={full ? "close" : "expand"} label={t(full ? "ui.leave_full_screen" : "ui.full_screen")} onClick={toggle} />
                {!full && <Menu label={t("dashboards.actions")} items={menu.slice(menu[0] === null ? 1 : 0)} />}
              </div>
            )}
          </header>
          <ErrorNote problem={problem ?? refused ?? unprinted} />
          {open === "filter" && (
            <FilterBar
              dashboard={dashboard}
              onClose={close}
              onFilter={async (next) => {
                onChange(next);
                await refresh();
              }}
            />
          )}
          {open === "arrange" ? (
            <Later
              fetch={arranging}
              with={{
                dashboard,
                onDone: (saved: Dashboard | null) => {
                  if (saved) onChange(saved);
                  close();
                },
              }}
            />
          ) : (
            <DashboardContent dashboard={dashboard} />
          )}
          {open === "share" && <Share dashboard={dashboard} onChange={onChange} onClose={close} />}
          {open === "rename" && <NameDialog title={t("board.rename")} action={t("ui.save")} name={dashboard.titulo} onClose={close} onName={async (titulo) => onChange(await api.patch("/dashboards/{id}", { ...at, body: { titulo } }))} />}
          {open === "delete" && (
            <Confirm
              title={t("dashboards.delete")}
              action={t("dashboards.delete")}
              danger
              onClose={close}
              onConfirm={async () => {
                await api.delete("/dashboards/{id}", at);
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

/** Minutes, for a display on a wall whose board names none. */
const OTHERWISE = 5;

/** A display that nobody touches keeps itself up to date; a page that nobody sees asks for nothing. */
function OnTheWall({ refresh, minutes }: { refresh(): Promise<unknown>; minutes: number }) {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && void latest.current(), minutes * 60_000);
    return () => clearInterval(timer);
  }, [minutes]);
  return null;
}

/** A link that shows this one dashboard without an account, until it is revoked. */
function Share({ dashboard, onChange, onClose }: { dashboard: Dashboard; onChange(next: Dashboard): void; onClose(): void }) {
  const { t } = useSpeech();
  const [url, setUrl] = useState<string | null>(null);
  const at = { path: { id: dashboard.id } };
  const [make, making, failed] = useAction(async () => {
    const answer = await api.post("/dashboards/{id}/share", at);
    setUrl(new URL(answer.url, location.origin).href);
    onChange({ ...dashboard, shared: true });
  });
  const [revoke, revoking, kept] = useAction(async () => {
    await api.delete("/dashboards/{id}/share", at);
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
