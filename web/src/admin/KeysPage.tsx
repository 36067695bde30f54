import { useState } from "preact/hooks";
import { get, post, remove } from "../api/client";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, CopyButton, Empty, Note, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";
import type { Key, User } from "./types";

/** Keys for programs. One is shown once, when it is made. */
export function KeysPage() {
  const { t, date, ago } = useSpeech();
  useTitle(t("admin.keys"));
  const loaded = useLoad((signal) => get<Key[]>("/admin/keys", { signal }), []);
  const users = useLoad((signal) => get<User[]>("/admin/users", { signal }), []);
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const who = (key: Key) => key.user?.name ?? key.user?.email ?? "";
  return (
    <Page
      title={t("admin.keys")}
      lead={t("keys.lead")}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t("keys.add")}
        </Button>
      }
    >
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="key" title={t("keys.none")}>
              {t("keys.none_words")}
            </Empty>
          ) : (
            <DataTable
              label={t("admin.keys")}
              rows={list}
              keyOf={(key) => key.id}
              columns={[
                { label: t("users.name"), name: true, show: (key) => key.name || "—" },
                { label: t("keys.prefix"), show: (key) => <code>{key.prefix}…</code> },
                { label: t("access.person"), show: who },
                { label: t("keys.made"), show: (key) => date(key.created_at) },
                { label: t("keys.used"), show: (key) => (key.last_used_at ? ago(key.last_used_at) : t("keys.never")) },
                {
                  label: t("admin.state"),
                  show: (key) =>
                    key.revoked_at ? (
                      <Badge kind="bad">{t("keys.revoked")}</Badge>
                    ) : (
                      <Button small kind="danger" onClick={() => setRevoking(key)}>
                        {t("keys.revoke")}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Await>
      {adding && (
        <AddKey
          users={users.data ?? []}
          onClose={() => {
            setAdding(false);
            loaded.reload();
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={t("keys.revoke")}
          action={t("keys.revoke")}
          danger
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await remove(`/admin/keys/${revoking.id}`);
            loaded.reload();
          }}
        >
          <p>{t("keys.revoke_words", { name: revoking.name || revoking.prefix })}</p>
        </Confirm>
      )}
    </Page>
  );
}

function AddKey({ users, onClose }: { users: User[]; onClose(): void }) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const [user, setUser] = useState(String(users[0]?.id ?? ""));
  const [made, setMade] = useState<string | null>(null);
  const [make, busy, problem] = useAction(async () => {
    const answer = await post<{ key: string }>("/admin/keys", { user: Number(user), name: name.trim() });
    setMade(answer.key);
  });
  return (
    <Dialog title={t("keys.add")} onClose={onClose}>
      {made ? (
        <>
          <Note kind="warn">{t("keys.once")}</Note>
          <div class="copy-line">
            <input readOnly value={made} aria-label={t("keys.add")} class="mono" onFocus={(event) => event.currentTarget.select()} />
            <CopyButton text={made} />
          </div>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <TextField label={t("users.name")} hint={t("keys.name_hint")} value={name} onText={setName} required autoFocus />
          <SelectField label={t("access.person")} hint={t("keys.person_hint")} value={user} onPick={setUser} options={users.map((one) => [String(one.id), `${one.name} (${one.email})`] as const)} />
          <ErrorNote problem={problem} />
          <div class="form-actions">
            <Button onClick={onClose}>{t("ui.cancel")}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {t("keys.make")}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
