import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { blobOf } from "../api/client";
import type { ConversationItem } from "../api/types";
import { useSpeech } from "../i18n";
import { changeConversation, conversations, deleteConversation, loadConversations, loadMore, renameConversation } from "../state/conversations";
import { byDay, type Day } from "../state/days";
import { go, href } from "../state/route";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote, wordsFor } from "../ui/ErrorNote";
import { useAction, useNow, useSettled } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Menu, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { fileName, saveBlob } from "../widgets/csv";

/** Earlier conversations: find, open, pin, rename, put away, export, delete. */
export function ConversationList({ current, onPick }: { current: string | null; onPick?(): void }) {
  const { t } = useSpeech();
  const { items, problem, more, shelf } = useStore(conversations);
  const [typed, setTyped] = useState(conversations.get().query);
  const query = useSettled(typed);
  const [renaming, setRenaming] = useState<ConversationItem | null>(null);
  const [deleting, setDeleting] = useState<ConversationItem | null>(null);
  useEffect(() => void loadConversations(query), [query]);
  const away = shelf === "archive";
  const row = (item: ConversationItem) => (
    <Row key={item.id} item={item} current={item.id === current} onPick={onPick} onRename={() => setRenaming(item)} onDelete={() => setDeleting(item)} />
  );

  return (
    <nav class="conversations" aria-label={t("list.title")} aria-busy={items === null && !problem}>
      <label class="search">
        <Icon name="search" size={16} />
        <span class="visually-hidden">{t("list.search")}</span>
        <input type="search" placeholder={t("list.search")} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <ErrorNote problem={problem} />
      {away && !query && (
        <p class="list-shelf">
          <strong>{t("list.archive")}</strong>
          <Button small kind="quiet" icon="left" onClick={() => void loadConversations(query, "current")}>
            {t("list.back")}
          </Button>
        </p>
      )}
      {items?.length === 0 && <p class="hint list-empty">{t(query ? "list.none_found" : away ? "list.none_archived" : "list.none")}</p>}
      <div class="list-scroll">
        {query ? <ul aria-label={t("list.found")}>{items?.map(row)}</ul> : <Days items={items ?? []} row={row} />}
      {more && (
        <Button small kind="quiet" onClick={() => void loadMore()}>
          {t("list.more")}
        </Button>
      )}
      </div>
      {!away && !query && (
        <Button small kind="quiet" icon="box" class="list-archive" onClick={() => void loadConversations(query, "archive")}>
          {t("list.archive")}
        </Button>
      )}
      {renaming && <Rename item={renaming} onClose={() => setRenaming(null)} />}
      {deleting && (
        <Confirm
          title={t("list.delete_title")}
          action={t("list.delete")}
          danger
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await deleteConversation(deleting.id);
            if (deleting.id === current) go();
          }}
        >
          <p>{t("list.delete_words", { title: deleting.title || t("list.untitled") })}</p>
        </Confirm>
      )}
    </nav>
  );
}

/** Pinned ones first, then by when they were last used. */
function Days({ items, row }: { items: ConversationItem[]; row(item: ConversationItem): ComponentChildren }) {
  const { t, month } = useSpeech();
  const now = new Date(useNow(60_000));
  const pinned = items.filter((item) => item.pinned && !item.archived);
  const rest = items.filter((item) => !item.pinned || item.archived);
  const named = (day: Day) => (day in DAYS ? t(DAYS[day as keyof typeof DAYS]) : month(...(day.split("-").map(Number) as [number, number])));
  return (
    <>
      {pinned.length > 0 && <Group name={t("list.pinned")} items={pinned} row={row} />}
      {byDay(rest, now).map((group) => (
        <Group key={group.day} name={named(group.day)} items={group.items} row={row} />
      ))}
    </>
  );
}

const DAYS = { today: "list.today", yesterday: "list.yesterday", week: "list.week", month: "list.month" } as const;

function Group({ name, items, row }: { name: string; items: ConversationItem[]; row(item: ConversationItem): ComponentChildren }) {
  const id = useId();
  return (
    <>
      <p class="list-day" id={id}>
        {name}
      </p>
      <ul aria-labelledby={id}>{items.map(row)}</ul>
    </>
  );
}

interface RowProps {
  item: ConversationItem;
  current: boolean;
  onPick: (() => void) | undefined;
  onRename(): void;
  onDelete(): void;
}

function Row({ item, current, onPick, onRename, onDelete }: RowProps) {
  const speech = useSpeech();
  const { t } = speech;
  const title = item.title || t("list.untitled");
  const change = (wish: { pinned?: boolean; archived?: boolean }) => {
    changeConversation(item.id, wish).catch((problem: unknown) => toast(wordsFor(problem, speech)));
  };
  return (
    <li class={current ? "current" : ""}>
      <a href={`${href("c", item.id)}${sought(item)}`} aria-current={current ? "page" : undefined} onClick={onPick}>
        <span class="list-title">{title}</span>
        {item.passage && <Passage pieces={item.passage.pieces} />}
        <span class="list-meta">
          {item.agent.name}
          {item.archived && <span>· {t("list.archived")}</span>}
          {item.status === "waiting" && <span class="dot warn" title={t("status.waiting")} />}
          {item.status === "running" && <span class="dot live" title={t("status.running")} />}
        </span>
      </a>
      <Menu
        label={t("list.actions", { title })}
        items={[
          { label: t(item.pinned ? "list.unpin" : "list.pin"), icon: "pin", onPick: () => change({ pinned: !item.pinned }) },
          { label: t("list.rename"), icon: "edit", onPick: onRename },
          { label: t(item.archived ? "list.unarchive" : "list.put_away"), icon: "box", onPick: () => change({ archived: !item.archived }) },
          { label: t("list.export"), icon: "download", onPick: () => void exportConversation(item) },
          { label: t("list.delete"), icon: "trash", danger: true, onPick: onDelete },
        ]}
      />
    </li>
  );
}

/** Where in the conversation the words are: the page goes there. */
export function sought({ passage }: ConversationItem): string {
  return passage ? `?${new URLSearchParams({ m: passage.message_id, ...(passage.turn_id && { t: passage.turn_id }) })}` : "";
}

export function Passage({ pieces }: { pieces: { text: string; hit: boolean }[] }) {
  return (
    <span class="list-passage" dir="auto">
      {pieces.map((piece, index) => (piece.hit ? <mark key={index}>{piece.text}</mark> : piece.text))}
    </span>
  );
}

export type ExportFormat = "json" | "md" | "pdf";

export async function exportConversation(item: { id: string; title: string }, format: ExportFormat = "json"): Promise<void> {
  const file = await blobOf("get", "/conversations/{id}/export", { path: { id: item.id }, query: { format } });
  saveBlob(file, fileName(item.title, format));
}

export function Rename({ item, onClose }: { item: { id: string; title: string }; onClose(): void }) {
  const { t } = useSpeech();
  const [title, setTitle] = useState(item.title);
  const [save, busy, problem] = useAction(async () => {
    await renameConversation(item.id, title.trim());
    onClose();
  });
  return (
    <Dialog title={t("list.rename")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("list.name")} value={title} onText={setTitle} required maxLength={200} autoFocus />
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!title.trim()}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
