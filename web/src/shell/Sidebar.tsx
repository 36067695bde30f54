import { ConversationList } from "../chat/ConversationList";
import { useSpeech } from "../i18n";
import { chooseLanguage, chooseTheme, person, signOut, theme } from "../state/person";
import { pending, useWatchPending } from "../state/pending";
import { go, href, type Route } from "../state/route";
import { useStore } from "../state/store";
import { Icon, type IconName, Mark } from "../ui/icons";
import { Menu } from "../ui/parts";

export function Sidebar({ here, onSearch }: { here: Route; onSearch(): void }) {
  const { t, language } = useSpeech();
  const me = useStore(person);
  const shade = useStore(theme);
  const waiting = useStore(pending);
  useWatchPending();
  const [area, id] = here.path;
  if (!me) return null;
  const link = (to: string, icon: IconName, words: string, badge = 0) => (
    <a class="nav-link" href={href(to)} aria-current={area === to ? "page" : undefined}>
      <Icon name={icon} /> <span>{words}</span>
      {badge > 0 && (
        <span class="nav-badge">
          {badge} <span class="visually-hidden">{t("nav.waiting")}</span>
        </span>
      )}
    </a>
  );
  return (
    <div class="sidebar">
      <a class="brand" href={href()}>
        <Mark /> Bancada
      </a>
      <a class="button primary new-chat-button" href={href()}>
        <Icon name="plus" /> <span>{t("nav.new_chat")}</span>
      </a>
      <nav class="nav" aria-label={t("nav.title")}>
        <button type="button" class="nav-link" aria-keyshortcuts="Control+K" onClick={onSearch}>
          <Icon name="search" /> <span>{t("palette.open")}</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        {link("dashboards", "grid", t("nav.dashboards"))}
        {link("schedules", "clock", t("nav.schedules"))}
        {link("confirmations", "shield", t("nav.confirmations"), waiting)}
        {me.role === "admin" && link("admin", "gear", t("nav.admin"))}
      </nav>
      <ConversationList current={area === "c" ? (id ?? null) : null} />
      <div class="sidebar-foot">
        <Menu
          label={`${t("nav.account")} ${me.name}`}
          items={[
            { label: t("settings.title"), icon: "gear", onPick: () => go("settings") },
            null,
            { label: "Português", checked: language === "pt", onPick: () => void chooseLanguage("pt") },
            { label: "English", checked: language === "en", onPick: () => void chooseLanguage("en") },
            null,
            { label: t("settings.theme_system"), icon: "screen", checked: shade === "system", onPick: () => chooseTheme("system") },
            { label: t("settings.theme_light"), icon: "sun", checked: shade === "light", onPick: () => chooseTheme("light") },
            { label: t("settings.theme_dark"), icon: "moon", checked: shade === "dark", onPick: () => chooseTheme("dark") },
            null,
            { label: t("nav.sign_out"), icon: "out", onPick: () => void signOut() },
          ]}
        >
          <span class="avatar" aria-hidden="true">
            {me.name.slice(0, 1).toUpperCase()}
          </span>
          <span class="visually-hidden">{t("nav.account")}</span>
          <span class="account">
            <span class="account-name">{me.name}</span>
            <span class="hint">{t(`role.${me.role}`)}</span>
          </span>
          <Icon name="up" size={16} />
        </Menu>
      </div>
    </div>
  );
}
