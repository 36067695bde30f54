import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { followNews, onNews } from "../api/news";
import { ChatPage } from "../chat/ChatPage";
import { ConfirmationsPage } from "../confirmations/ConfirmationsPage";
import { speech, useSpeech } from "../i18n";
import { ConnectionSignIn } from "../session/ConnectionSignIn";
import { Settings } from "../session/Preferences";
import { notifyWhileAway } from "../state/notify";
import { person } from "../state/person";
import { href, type Route, route } from "../state/route";
import { useStore } from "../state/store";
import { IconButton } from "../ui/Button";
import { wordsFor } from "../ui/ErrorNote";
import { Icon, Mark } from "../ui/icons";
import { Empty } from "../ui/parts";
import { toast } from "../ui/toast";
import { AdminPages } from "./AdminPages";
import { Later } from "./Later";
import { Sidebar } from "./Sidebar";

const schedules = () => import("../schedules/SchedulesPage").then(({ SchedulesPage }) => SchedulesPage);
const sharedPage = () => import("../chat/SharedPage").then(({ SharedPage }) => SharedPage);
const dashboards = () => import("../dashboards/Pages").then(({ Dashboards }) => Dashboards);
const customTool = () => import("../admin/CustomToolPage").then(({ CustomToolPage }) => CustomToolPage);

export function Shell() {
  const { t } = useSpeech();
  const here = useStore(route);
  const me = useStore(person);
  const id = me?.id;
  const [drawer, setDrawer] = useState(false);
  const [finder, find] = useFinder();
  useEffect(() => {
    if (id === undefined) return;
    const control = new AbortController();
    followNews(id, control.signal);
    const deaf = onNews((item) => item.type === "notice" && toast(speech().t("queue.reminder")));
    const quiet = notifyWhileAway();
    return () => {
      deaf();
      quiet();
      control.abort();
    };
  }, [id]);
  useEffect(() => setDrawer(false), [here]);
  useEffect(() => {
    if (!drawer) return;
    const escape = (event: KeyboardEvent) => event.key === "Escape" && setDrawer(false);
    document.addEventListener("keydown", escape);
    return () => document.removeEventListener("keydown", escape);
  }, [drawer]);
  return (
    <div class={drawer ? "shell drawer-open" : "shell"}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>
        {t("nav.skip")}
      </a>
      <header class="topbar">
        <IconButton icon="menu" label={t("nav.menu")} aria-expanded={drawer} onClick={() => setDrawer(!drawer)} />
        <a href={href()} class="brand">
          <Mark size={24} /> Bancada
        </a>
        <a href={href()} class="button quiet icon-button" aria-label={t("nav.new_chat")} title={t("nav.new_chat")}>
          <Icon name="plus" />
        </a>
      </header>
      <Sidebar here={here} onSearch={find} />
      <div class="scrim" onClick={() => setDrawer(false)} aria-hidden="true" />
      <main id="main" tabIndex={-1}>
        {me?.offline && (
          <p class="offline-banner" role="note">
            <Icon name="info" size={16} /> {t("offline.banner")}
          </p>
        )}
        <div class="main-page">{pageFor(here, t("nav.not_found"))}</div>
      </main>
      {finder}
    </div>
  );
}

/** What Ctrl+K opens, fetched when it is first wanted; and how to open it otherwise. */
function useFinder(): [ComponentChildren, () => void] {
  const [finder, setFinder] = useState<ComponentChildren>(null);
  const find = () => {
    // Over another question there is nowhere to go; its own answer comes first.
    if (document.querySelector("dialog[open]")) return;
    import("./Palette")
      .then(({ Palette }) => setFinder(<Palette onClose={() => setFinder(null)} />))
      .catch((problem: unknown) => toast(wordsFor(problem, speech())));
  };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      find();
    };
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  }, []);
  return [finder, find];
}

function pageFor({ path, query }: Route, missing: string): ComponentChildren {
  const [area, id, name] = path;
  switch (area) {
    case undefined:
      return <ChatPage id={null} />;
    case "c":
      return <ChatPage id={id ?? null} />;
    case "s":
      return <Later key={id} fetch={sharedPage} with={{ id: id ?? "" }} />;
    case "dashboards":
      return <Later fetch={dashboards} with={{ id: id ?? null }} />;
    case "schedules":
      return <Later fetch={schedules} with={{ id: id ?? null, dashboard: query.get("dashboard") }} />;
    case "confirmations":
      return <ConfirmationsPage linked={id ?? null} />;
    case "connections":
      return <ConnectionSignIn id={id ?? ""} action={name} query={query} />;
    case "settings":
      if (id === "tools" && name) return <Later key={name} fetch={customTool} with={{ name: name === "new" ? null : name, own: true }} />;
      return <Settings />;
    case "admin":
      return <AdminPages path={path.slice(1)} />;
    default:
      return (
        <div class="page">
          <Empty icon="search" title={missing} />
        </div>
      );
  }
}
