import { useEffect, useState } from "preact/hooks";
import { get } from "../api/client";
import type { ConversationItem } from "../api/types";
import { useSpeech } from "../i18n";
import { conversations, deleteConversation, loadConversations, loadMore, renameConversation } from "../state/conversations";
import { go, href } from "../state/route";
import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useSettled } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Menu, TextField } from "../ui/parts";
import { fileName, saveBlob } from "../widgets/csv";

/** Earlier conversations: find, open, rename, export, delete. */
export function ConversationList({ current, onPick }: { current: string | null; onPick?(): void }) {
  const { t } = useSpeech();
  const { items, problem, more } = useStore(conversations);
  const [typed, setTyped] = useState(conversations.get().query);
  const query = useSettled(typed);
  const [renaming, setRenaming] = useState<ConversationItem | null>(null);
  const [deleting, setDeleting] = useState<ConversationItem | null>(null);
  useEffect(() => void loadConversations(query), [query]);

  return (
    <nav class="conversations" aria-label={t("list.title")} aria-busy={items === null && !problem}>
      <label class="search">
        <Icon name="search" size={16} />
        <span class="visually-hidden">{t("list.search")}</span>
        <input type="search" placeholder={t("list.search")} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <ErrorNote problem={problem} />
      {items?.length === 0 && <p class="hint list-empty">{t(query ? "list.none_found" : "list.none")}</p>}
      <ul>
        {items?.map((item) => (
          <li key={item.id} class={item.id === current ? "current" : ""}>
            <a href={href("c", item.id)} aria-current={item.id === current ? "page" : undefined} onClick={onPick}>
              <span class="list-title">{item.title || t("list.untitled")}</span>
              <span class="list-meta">
                {item.agent.name}
                {item.status === "waiting" && <span class="dot warn" title={t("status.waiting")} />}
                {item.status === "running" && <span class="dot live" title={t("status.running")} />}
              </span>
            </a>
            <Menu
              label={t("list.actions", { title: item.title || t("list.untitled") })}
              items={[
                { label: t("list.rename"), icon: "edit", onPick: () => setRenaming(item) },
                { label: t("list.export"), icon: "download", onPick: () => void exportConversation(item) },
                { label: t("list.delete"), icon: "trash", danger: true, onPick: () => setDeleting(item) },
              ]}
            />
          </li>
        ))}
      </ul>
      {more && (
        <Button small kind="quiet" onClick={() => void loadMore()}>
          {t("list.more")}
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

export async function exportConversation(item: { id: string; title: string }): Promise<void> {
  const data = await get<unknown>(`/conversations/${encodeURIComponent(item.id)}/export`);
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 2);
  saveBlob(new Blob([text], { type: "application/json" }), fileName(item.title, "json"));
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
