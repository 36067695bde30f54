import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { lastTurn, totals, type Chat } from "../state/chat";
import { Conversation } from "../state/conversation";
import { loadConversations, takeOpening } from "../state/conversations";
import { developer, person } from "../state/person";
import { href, route } from "../state/route";
import { useStore } from "../state/store";
import { openApprovals } from "../state/turn";
import { announce, announceUrgent } from "../ui/announce";
import { Button } from "../ui/Button";
import { ErrorNote, wordsFor } from "../ui/ErrorNote";
import { useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Empty, Loading, Menu } from "../ui/parts";
import { toast } from "../ui/toast";
import { useAttaching } from "./Attachments";
import { Composer } from "./Composer";
import { exportConversation, type ExportFormat, Rename } from "./ConversationList";
import { DropZone } from "./DropZone";
import { Messages } from "./Messages";
import { ShareDialog } from "./ShareDialog";
import { useSpoken } from "./spoken";

export function ConversationView({ id }: { id: string }) {
  const { t } = useSpeech();
  const conversation = useMemo(() => new Conversation(id, () => void loadConversations()), [id]);
  const { chat, busy, connection, uploading, problem, unsent, unsentFiles } = useStore(conversation.store);
  useEffect(() => {
    const opening = takeOpening(id);
    void conversation.load().then(() => {
      if (opening?.file) void conversation.upload(opening.file);
      if (opening?.question) void conversation.ask(opening.question, opening.attachments);
    });
    return () => conversation.close();
  }, [conversation, id]);
  useTitle(chat?.title ?? "");
  const shown = chat?.shown ?? [];
  const attaching = useAttaching(shown);
  const { put } = attaching;
  useEffect(() => {
    if (unsentFiles.length) put(unsentFiles);
  }, [unsentFiles, put]);

  const { query } = useStore(route);
  const message = query.get("m");
  const turn = chat ? lastTurn(chat) : null;
  const waiting = turn?.status === "waiting" ? openApprovals(turn) : [];
  useSpoken(turn, busy);
  const asked = waiting.map((one) => one.id).join();
  const asking = waiting.map((one) => t("approval.announce", { name: one.title || one.name })).join(" ");
  // The ids too: a second call of the same name is said again.
  useEffect(() => {
    if (asked) announceUrgent(asking);
  }, [asked, asking]);
  useEffect(() => {
    if (!busy) return;
    const escape = (event: KeyboardEvent) => {
      // Whatever is open before the conversation takes the key first.
      const taken = document.querySelector("dialog[open], .menu-list, .drawer-open, .full-screen") ?? document.fullscreenElement;
      if (event.key === "Escape" && !event.defaultPrevented && !taken) void conversation.stop();
    };
    document.addEventListener("keydown", escape);
    return () => document.removeEventListener("keydown", escape);
  }, [busy, conversation]);
  useEffect(() => {
    if (connection === "lost") announce(t("chat.connection_lost"));
  }, [connection, t]);

  if (!chat) {
    return (
      <div class="page">
        {problem ? (
          <Empty icon="chat" title={t("chat.not_opened")} action={<a class="button" href={href()}>{t("nav.new_chat")}</a>}>
            <ErrorNote problem={problem}>
              <Button small icon="retry" onClick={() => void conversation.load()}>
                {t("ui.try_again")}
              </Button>
            </ErrorNote>
          </Empty>
        ) : (
          <Loading />
        )}
      </div>
    );
  }
  const upload = (file: File) => void conversation.upload(file);
  const drop = (files: File[]) => {
    const [table] = attaching.take(files);
    if (table) upload(table);
  };
  return (
    <DropZone class="conversation" any={shown.length > 0} onFiles={drop}>
      <ConversationHeader chat={chat} conversation={conversation} />
      <Messages chat={chat} conversation={conversation} busy={busy} sought={message ? { message, turn: query.get("t") } : null} />
      <div class="conversation-foot">
        {connection === "lost" && (
          <p class="note warn" role="status">
            <Icon name="alert" /> {t("chat.connection_lost")}
          </p>
        )}
        <ErrorNote problem={problem}>
          <Button small kind="quiet" onClick={() => conversation.dismiss()}>
            {t("ui.dismiss")}
          </Button>
        </ErrorNote>
        <Composer
          placeholder={t("composer.placeholder", { agent: chat.agent.name })}
          busy={busy}
          draftKey={id}
          returned={unsent}
          uploading={uploading}
          note={waiting.length ? t("composer.waiting_note") : null}
          onSend={(text, files) => void conversation.ask(text, files)}
          onStop={() => void conversation.stop()}
          attaching={attaching}
          shown={shown}
          onTable={upload}
          onCancelUpload={() => conversation.cancelUpload()}
        />
      </div>
    </DropZone>
  );
}

function ConversationHeader({ chat, conversation }: { chat: Chat; conversation: Conversation }) {
  const speech = useSpeech();
  const { t, number, money, moment } = speech;
  const [renaming, setRenaming] = useState(false);
  const [sharing, setSharing] = useState(false);
  const me = useStore(person);
  const dev = useStore(developer);
  const { spent, context, limit } = totals(chat);
  const setMode = async (mode: "model" | "keyword") => {
    await api.patch("/conversations/{id}", { path: { id: chat.id }, body: { mode } });
    conversation.setMode(mode);
  };
  const take = (format: ExportFormat) => {
    if (format === "pdf") announce(t("list.exporting"));
    exportConversation(chat, format).catch((failure: unknown) => toast(wordsFor(failure, speech)));
  };
  return (
    <header class="conversation-head">
      <div class="conversation-title">
        <h1>{chat.title || t("list.untitled")}</h1>
        <p class="hint">
          {chat.agent.name}
          {chat.mode === "keyword" && ` · ${t("chat.keyword_mode")}`}
          {context > 0 && (
            <span title={t(limit ? "cost.context_hint" : "cost.context_unknown")}>
              {` · ${t("cost.context", { n: [context, ...(limit ? [limit] : [])].map((one) => number(one, { notation: "compact" })).join(" / ") })}`}
            </span>
          )}
          {spent?.cost_usd ? ` · ${money(spent.cost_usd)}` : ""}
          {chat.share && (
            <>
              {" · "}
              <a href={chat.share.url.slice(1)} title={t("talk.shared_until", { when: moment(chat.share.at) })}>
                {t("talk.shared_badge")}
              </a>
            </>
          )}
        </p>
      </div>
      <Menu
        label={t("chat.menu")}
        items={[
          { label: t("list.rename"), icon: "edit", onPick: () => setRenaming(true) },
          { label: t("talk.share_menu"), icon: "share", onPick: () => setSharing(true) },
          { label: t("list.export_md"), icon: "download", onPick: () => take("md") },
          { label: t("list.export_pdf"), icon: "download", onPick: () => take("pdf") },
          { label: t("list.export_json"), icon: "download", onPick: () => take("json") },
          null,
          { label: t("chat.mode_model"), checked: chat.mode === "model", onPick: () => void setMode("model") },
          { label: t("chat.mode_keyword"), checked: chat.mode === "keyword", onPick: () => void setMode("keyword") },
          ...(me?.role === "admin" && !dev ? [null, { label: t("dev.how"), icon: "code" as const, onPick: () => (location.hash = href("settings")) }] : []),
        ]}
      />
      {sharing && <ShareDialog chat={chat} conversation={conversation} onClose={() => setSharing(false)} />}
      {renaming && (
        <Rename
          item={chat}
          onClose={() => {
            setRenaming(false);
            void conversation.refreshTitle();
          }}
        />
      )}
    </header>
  );
}
