import { api, Problem } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import type { TurnEvent } from "../state/events";
import { type Segment, segments } from "../state/parts";
import { foldTurn } from "../state/turn";
import { useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Markdown } from "../ui/Markdown";
import { Await, Empty, Note } from "../ui/parts";
import { ASK } from "../ui/sanitise";
import { AttachedFiles } from "./Attachments";
import { Widget } from "../widgets/Widget";

type Shared = Wire["SharedConversation"];
type Said = Shared["said"][number];

/** A colleague's conversation, to read: nothing here can be asked, rated or changed. */
export function SharedPage({ id }: { id: string }) {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => api.get("/shared/{id}", { path: { id }, signal }), [id]);
  useTitle(loaded.data?.title ?? t("talk.shared"));
  if (loaded.problem instanceof Problem && loaded.problem.status === 404) {
    return (
      <div class="page">
        <Empty icon="share" title={t("talk.gone")}>
          {t("talk.gone_words")}
        </Empty>
      </div>
    );
  }
  return (
    <Await of={loaded} place="page">
      {(shared) => <Read shared={shared} link={id} />}
    </Await>
  );
}

function Read({ shared, link }: { shared: Shared; link: string }) {
  const { t, moment } = useSpeech();
  const { title, person, agent, shared_at, mine } = shared;
  return (
    <div class="conversation">
      <header class="conversation-head">
        <div class="conversation-title">
          <h1>{title || t("list.untitled")}</h1>
          <p class="hint">
            {person} · {agent}
          </p>
        </div>
      </header>
      <div class="messages" tabIndex={0} role="region" aria-label={t("chat.messages")} onClick={stayHere}>
        <div class="messages-inner">
          <Note>
            {t(mine ? "talk.seen_by_others" : "talk.read_only", { person, when: moment(shared_at) })} {t("talk.left_out")}
          </Note>
          {shared.said.map((one, index) => (
            <div class="entry" key={index}>
              <OneSaid said={one} link={link} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** A question that an answer offers can be asked in one's own conversation only. */
function stayHere(event: MouseEvent): void {
  if ((event.target as Element | null)?.closest?.(`a[href="${ASK}"]`)) event.preventDefault();
}

function OneSaid({ said, link }: { said: Said; link: string }) {
  const { t, moment } = useSpeech();
  if (said.kind === "question") {
    return (
      <article class="question" aria-label={t("talk.question")}>
        <div class="asked">
          <AttachedFiles files={said.attachments} link={link} />
          <p class="bubble" dir="auto" title={moment(said.at)}>
            {said.text}
          </p>
        </div>
      </article>
    );
  }
  if (said.kind === "upload") {
    return (
      <p class="turn-note">
        <Icon name="file" size={16} /> {t("talk.file", { name: said.text })}
      </p>
    );
  }
  const { parts } = foldTurn(said.parts as unknown as TurnEvent[]);
  return (
    <article class="answer" aria-label={t("chat.answer")}>
      {segments(parts).map((segment) => (
        <OneSegment key={segment.key} segment={segment} />
      ))}
    </article>
  );
}

function OneSegment({ segment }: { segment: Segment }) {
  if (segment.kind === "cards") {
    return (
      <div class="cards">
        {segment.cards.map((card, index) => card.kind === "widget" && <Widget key={index} kind={card.widget} data={card.data} />)}
      </div>
    );
  }
  if (segment.kind !== "part") return null;
  const { part } = segment;
  if (part.kind === "text") return <Markdown text={part.text} outside={part.outside} owner={false} />;
  if (part.kind === "error") return <Note kind="warn">{part.content}</Note>;
  return null;
}
