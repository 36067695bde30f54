import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { person, type Role, ROLES } from "../state/person";
import { useStore } from "../state/store";
import { SessionList } from "../session/Sessions";
import { Button } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Check, CopyButton, SelectField, Switch, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { toast } from "../ui/toast";
import { DataTable } from "./DataTable";
import { Filter, matches } from "./Filter";
import { PersonData } from "./PersonData";
import type { AdminAgent, User } from "./types";

export function UsersPage() {
  const { t } = useSpeech();
  useTitle(t("admin.users"));
  const users = useLoad((signal) => api.get("/admin/users", { signal }), []);
  const agents = useLoad((signal) => api.get("/admin/agents", { signal }), []);
  const [query, setQuery] = useState("");
  const [editing, setEditing] = useState<User | "new" | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const names = new Map(agents.data?.map((agent) => [agent.id, agent.name]));
  return (
    <Page
      title={t("admin.users")}
      lead={t("users.lead")}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
          {t("users.add")}
        </Button>
      }
    >
      <Filter value={query} onText={setQuery} />
      <Await of={users}>
        {(list) => (
          <DataTable
            label={t("admin.users")}
            rows={list.filter((user) => matches(query, user.name, user.email))}
            keyOf={(user) => user.id}
            columns={[
              {
                label: t("users.name"),
                name: true,
                show: (user) => (
                  <button type="button" class="row-link" onClick={() => setEditing(user)}>
                    {user.name || user.email}
                  </button>
                ),
              },
              { label: t("signin.email"), show: (user) => user.email },
              { label: t("users.role"), show: (user) => t(`role.${user.role}`) },
              { label: t("admin.agents"), show: (user) => user.agents.map((id) => names.get(id) ?? id).join(", ") || "—" },
              { label: t("admin.state"), show: (user) => <Badge kind={user.is_active ? "good" : "bad"}>{t(user.is_active ? "users.active" : "users.disabled")}</Badge> },
            ]}
          />
        )}
      </Await>
      {editing && agents.data && (
        <UserForm
          user={editing === "new" ? null : editing}
          agents={agents.data}
          onClose={() => setEditing(null)}
          onSaved={(saved) => {
            setEditing(null);
            if (saved.link) setLink(saved.link);
            else toast(t("ui.saved"));
            users.reload();
          }}
        />
      )}
      {link && (
        <Dialog title={t("users.link_title")} onClose={() => setLink(null)}>
          <p>{t("users.link_words")}</p>
          <div class="copy-line">
            <input readOnly value={new URL(link, location.origin).href} aria-label={t("users.link_title")} onFocus={(event) => event.currentTarget.select()} />
            <CopyButton text={new URL(link, location.origin).href} />
          </div>
        </Dialog>
      )}
    </Page>
  );
}

interface UserFormProps {
  user: User | null;
  agents: AdminAgent[];
  onClose(): void;
  onSaved(saved: Pick<User, "link">): void;
}

function UserForm({ user, agents, onClose, onSaved }: UserFormProps) {
  const { t } = useSpeech();
  const me = useStore(person);
  const [form, setForm] = useState({
    email: user?.email ?? "",
    name: user?.name ?? "",
    role: user?.role ?? ("operador" as Role),
    language: user?.language ?? me?.language ?? "pt",
    is_active: user?.is_active ?? true,
    // Somebody without an agent can ask nothing: a new person starts with all, to be taken from.
    agents: user?.agents ?? agents.map((agent) => agent.id),
    budget: user?.monthly_budget_usd?.toString() ?? "",
  });
  const put = (part: Partial<typeof form>) => setForm((now) => ({ ...now, ...part }));
  const [save, busy, problem] = useAction(async () => {
    const { budget, email, is_active, ...rest } = form;
    const body = { ...rest, monthly_budget_usd: budget.trim() === "" ? null : Number(budget.replace(",", ".")) };
    onSaved(user ? await api.patch("/admin/users/{id}", { path: { id: user.id }, body: { ...body, is_active } }) : await api.post("/admin/users", { body: { ...body, email: email.trim() } }));
  });
  const [renew, renewing, renewProblem] = useAction(async () => {
    if (user) onSaved(await api.post("/admin/users/{id}/link", { path: { id: user.id } }));
  });
  const [removing, setRemoving] = useState(false);
  const self = user !== null && user.id === me?.id;
  return (
    <Dialog title={user ? user.name || user.email : t("users.add")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!user && <TextField type="email" label={t("signin.email")} value={form.email} onText={(email) => put({ email })} required autoFocus />}
        <TextField label={t("users.name")} value={form.name} onText={(name) => put({ name })} required />
        <SelectField label={t("users.role")} value={form.role} options={ROLES.map((role) => [role, t(`role.${role}`)] as const)} onPick={(role) => put({ role })} disabled={self} hint={self ? t("users.not_yourself") : undefined} />
        <SelectField label={t("settings.language")} value={form.language} options={[["pt", "Português"], ["en", "English"]]} onPick={(language) => put({ language })} />
        <TextField inputMode="decimal" label={t("admin.budget")} hint={t("admin.budget_hint")} value={form.budget} onText={(budget) => put({ budget })} />
        <fieldset class="checks">
          <legend>{t("users.agents")}</legend>
          {agents.map((agent) => (
            <Check
              key={agent.id}
              label={agent.name}
              checked={form.agents.includes(agent.id)}
              onChange={(on) => put({ agents: on ? [...form.agents, agent.id] : form.agents.filter((id) => id !== agent.id) })}
            />
          ))}
        </fieldset>
        {user && !self && <Switch label={t("users.active")} hint={t("users.active_hint")} checked={form.is_active} onChange={(is_active) => put({ is_active })} />}
        {user && (
          <fieldset class="checks">
            <legend>{t("users.sessions")}</legend>
            <SessionList user={user.id} />
          </fieldset>
        )}
        {user && <PersonData user={user} self={self} onErased={() => onSaved({ ...user, link: null })} />}
        <ErrorNote problem={problem ?? renewProblem} />
        <div class="form-actions">
          {user && !self && (
            <Button kind="quiet" icon="trash" onClick={() => setRemoving(true)}>
              {t("ui.delete")}
            </Button>
          )}
          {user && (
            <Button kind="quiet" icon="key" busy={renewing} onClick={() => void renew()}>
              {t("users.new_link")}
            </Button>
          )}
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
      {removing && user && (
        <Confirm
          title={t("ui.delete")}
          action={t("ui.delete")}
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.delete("/admin/users/{id}", { path: { id: user.id } });
            onSaved({ ...user, link: null });
          }}
        >
          <p>{t("users.delete_words", { name: user.name || user.email })}</p>
        </Confirm>
      )}
    </Dialog>
  );
}
