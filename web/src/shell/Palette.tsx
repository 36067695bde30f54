/** Everything by its name: conversations, what was said in them, pages, agents, actions. Opened with Ctrl+K, used with the keys alone. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { GROUPS } from "../admin/areas";
import { api } from "../api/client";
import type { Agent, ConversationItem } from "../api/types";
import { Passage, sought } from "../chat/ConversationList";
import { useSpeech } from "../i18n";
import { conversations, findConversations } from "../state/conversations";
import { chooseLanguage, chooseTheme, type Person, person, signOut } from "../state/person";
import { href } from "../state/route";
import { useStore } from "../state/store";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useLoad, useSettled } from "../ui/hooks";
import { Icon, type IconName } from "../ui/icons";

interface Choice {
  key: string;
  icon: IconName;
  label: string;
  /** Words beside the label that lead here, too. */
  also?: string;
  item?: ConversationItem;
  to?: string;
  run?(): void;
}

interface Shown {
  name: string;
  choices: Choice[];
}

const LATEST = 6;

export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useSpeech();
  const me = useStore(person);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const words = useSettled(typed.trim());
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const agents = useLoad((signal) => api.get("/agents", { signal }), []);
  const found = useLoad(async () => (words ? findConversations(words) : []), [words]);
  const latest = useStore(conversations).items ?? [];
  const groups = shownOf(typed, me, agents.data ?? [], latest, words === typed.trim() ? (found.data ?? []) : [], t);
  const choices = groups.flatMap((group) => group.choices);
  const chosen = choices[Math.min(at, choices.length - 1)];
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen?.key]);

  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    if (choice.to !== undefined) location.hash = choice.to;
    choice.run?.();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length) setAt((now) => (Math.min(now, choices.length - 1) + step + choices.length) % choices.length);
    else if (event.key === "Enter" && !event.isComposing) pick(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("palette.title")} onClose={onClose} class="palette">
      <input
        type="text"
        role="combobox"
        aria-label={t("palette.title")}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${id}-${chosen.key}`}
        placeholder={t("palette.hint")}
        autocomplete="off"
        autoFocus
        maxLength={200}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          // At once, not in an effect: a key pressed right after the word would be undone by it.
          setAt(0);
        }}
        onKeyDown={move}
      />
      <ErrorNote problem={found.problem ?? agents.problem} />
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label={t("palette.title")} ref={list} tabIndex={-1}>
        {groups.map((group, index) => (
          <div key={group.name} role="group" aria-labelledby={`${id}-g${index}`}>
            <p class="list-day" role="presentation" id={`${id}-g${index}`}>
              {group.name}
            </p>
            {group.choices.map((choice) => (
              <div
                key={choice.key}
                id={`${id}-${choice.key}`}
                role="option"
                class="palette-choice"
                aria-selected={choice === chosen}
                onMouseMove={() => choice !== chosen && setAt(choices.indexOf(choice))}
                onClick={() => pick(choice)}
              >
                <Icon name={choice.icon} size={16} />
                <span class="palette-words">
                  <span class="list-title">{choice.label}</span>
                  {choice.item?.passage && <Passage pieces={choice.item.passage.pieces} />}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {choices.length === 0 && !found.loading && (
        <p class="hint" role="status">
          {t("palette.nothing")}
        </p>
      )}
    </Dialog>
  );
}

type Say = ReturnType<typeof useSpeech>["t"];

function shownOf(typed: string, me: Person | null, agents: Agent[], latest: ConversationItem[], found: ConversationItem[], t: Say): Shown[] {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const fits = ({ label, also }: Choice) => {
    const text = plain(`${label} ${also ?? ""}`);
    return wanted.every((word) => text.includes(word));
  };
  const talk = (item: ConversationItem): Choice => ({
    key: `c-${item.id}`,
    icon: item.pinned ? "pin" : "chat",
    label: item.title || t("list.untitled"),
    item,
    to: `${href("c", item.id)}${sought(item)}`,
  });
  const known = new Set(found.map((item) => item.id));
  const near = latest.filter((item) => !known.has(item.id)).map(talk).filter(fits).slice(0, LATEST);
  const groups: Shown[] = [
    { name: t("palette.actions"), choices: actionsOf(t).filter(fits) },
    { name: t("list.title"), choices: [...near, ...found.map(talk)] },
    { name: t("palette.agents"), choices: agents.map((agent): Choice => askOf(agent, t)).filter(fits) },
    { name: t("palette.pages"), choices: pagesOf(me, t).filter(fits) },
  ];
  // Before anything is typed, what was last spoken of comes first.
  const order = wanted.length ? [0, 2, 3, 1] : [1, 2, 3, 0];
  return order.map((n) => groups[n] as Shown).filter((group) => group.choices.length > 0);
}

function askOf(agent: Agent, t: Say): Choice {
  return { key: `a-${agent.id}`, icon: "spark", label: t("palette.ask", { agent: agent.name }), also: agent.description, to: `#/?agent=${agent.id}` };
}

function pagesOf(me: Person | null, t: Say): Choice[] {
  const page = (key: string, icon: IconName, label: string, ...path: string[]): Choice => ({ key: `p-${key}`, icon, label, to: href(...path) });
  const areas = me?.role === "admin" ? GROUPS.flatMap(([, group]) => group) : [];
  return [
    page("dashboards", "grid", t("nav.dashboards"), "dashboards"),
    page("schedules", "clock", t("nav.schedules"), "schedules"),
    page("confirmations", "shield", t("nav.confirmations"), "confirmations"),
    page("settings", "user", t("settings.title"), "settings"),
    ...areas.map(([name, icon, words]) => page(`admin-${name}`, icon, `${t("nav.admin")}: ${t(words)}`, "admin", name)),
  ];
}

function actionsOf(t: Say): Choice[] {
  const act = (key: string, icon: IconName, label: string, run: () => void, also = ""): Choice => ({ key: `x-${key}`, icon, label, also, run });
  return [
    { key: "x-new", icon: "plus", label: t("nav.new_chat"), to: href() },
    act("light", "sun", `${t("settings.theme")}: ${t("settings.theme_light")}`, () => chooseTheme("light")),
    act("dark", "moon", `${t("settings.theme")}: ${t("settings.theme_dark")}`, () => chooseTheme("dark")),
    act("system", "screen", `${t("settings.theme")}: ${t("settings.theme_system")}`, () => chooseTheme("system")),
    act("pt", "user", "Português", () => void chooseLanguage("pt"), t("settings.language")),
    act("en", "user", "English", () => void chooseLanguage("en"), t("settings.language")),
    act("out", "out", t("nav.sign_out"), () => void signOut()),
  ];
}

function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
