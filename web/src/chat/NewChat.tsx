import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Agent } from "../api/types";
import { useSpeech } from "../i18n";
import { type Opening, startConversation } from "../state/conversations";
import { person } from "../state/person";
import { go, href, route } from "../state/route";
import { useStore } from "../state/store";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Empty } from "../ui/parts";
import { useAttaching } from "./Attachments";
import { Composer } from "./Composer";
import { DropZone } from "./DropZone";

/** Choose who to ask, and ask. */
export function NewChat() {
  const { t } = useSpeech();
  const agents = useLoad((signal) => api.get("/agents", { signal }), []);
  useTitle(t("nav.new_chat"));
  return (
    <Await of={agents} place="page">
      {(list) => (list.length ? <Agents agents={list} /> : <div class="page"><NoAgents /></div>)}
    </Await>
  );
}

function NoAgents() {
  const { t } = useSpeech();
  const admin = useStore(person)?.role === "admin";
  return (
    <Empty
      icon="chat"
      title={t("agents.none")}
      action={
        admin && (
          <a class="button primary" href={href("admin", "agents", "new")}>
            {t("agents.make_first")}
          </a>
        )
      }
    >
      {t(admin ? "agents.none_admin" : "agents.none_words")}
    </Empty>
  );
}

function Agents({ agents }: { agents: Agent[] }) {
  const { t } = useSpeech();
  const me = useStore(person);
  const wanted = useStore(route).query.get("agent");
  const [chosen, setChosen] = useState(agents[0] as Agent);
  useEffect(() => {
    const named = agents.find((agent) => String(agent.id) === wanted);
    if (!named) return;
    setChosen(named);
    document.querySelector<HTMLElement>(".composer textarea")?.focus();
  }, [wanted, agents]);
  const [begin, busy, problem] = useAction(async (opening: Opening) => {
    go("c", await startConversation(chosen.id, opening));
  });
  const attaching = useAttaching(chosen.shown);
  const upload = (file: File) => void begin({ file });
  const drop = (files: File[]) => {
    const [table] = attaching.take(files);
    if (table) upload(table);
  };
  return (
    <DropZone class="conversation" any={chosen.shown.length > 0} onFiles={drop}>
      <div class="new-chat">
        <div class="new-chat-inner">
          <h1>{t("agents.hello", { name: (me?.name ?? "").split(" ")[0] ?? "" })}</h1>
          <p class="lead">{t("agents.lead")}</p>
          <section class="starters" aria-label={t("agents.starters")}>
            <p>
              <strong>{chosen.name}</strong> <span class="lead">{chosen.description}</span>
            </p>
            {chosen.starters.map((starter) => (
              <button key={starter} type="button" class="starter" disabled={busy} onClick={() => void begin({ question: starter })}>
                <span>{starter}</span>
                <Icon name="right" size={16} />
              </button>
            ))}
          </section>
        </div>
      </div>
      <div class="conversation-foot">
        <ErrorNote problem={problem} />
        <Composer
          placeholder={t("composer.placeholder", { agent: chosen.name })}
          busy={busy}
          draftKey="new"
          onSend={(question, attachments) => void begin({ question, attachments })}
          attaching={attaching}
          shown={chosen.shown}
          onTable={upload}
        >
          <fieldset class="agents">
            <legend class="visually-hidden">{t("agents.choose")}</legend>
            {agents.map((agent) => (
              <label key={agent.id} class={agent.id === chosen.id ? "agent chosen" : "agent"} title={agent.description}>
                <input type="radio" name="agent" checked={agent.id === chosen.id} onChange={() => setChosen(agent)} />
                <span class="agent-name">{agent.name}</span>
              </label>
            ))}
          </fieldset>
        </Composer>
      </div>
    </DropZone>
  );
}
