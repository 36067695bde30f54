import { useState } from "preact/hooks";
import { DataTable } from "../admin/DataTable";
import type { Key, User } from "../admin/types";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Confirm, Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Check, CopyButton, Empty, Note, SelectField, TextField } from "../ui/parts";

const SCOPES = ["chat", "tools", "gateway", "mcp", "admin:read", "scim"] as const;

/** The person's own keys, under their preferences. */
export function MyKeys() {
  const { t } = useSpeech();
  const [adding, setAdding] = useState(false);
  return (
    <section class="panel">
      <header class="page-head">
        <div>
          <h2>{t("admin.keys")}</h2>
          <p class="hint">{t("keys.own_words")}</p>
        </div>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t("keys.add")}
        </Button>
      </header>
      <KeyTable path="/me/keys" adding={adding} onAdded={() => setAdding(false)} />
    </section>
  );
}

interface KeyTableProps {
  path: "/me/keys" | "/admin/keys";
  adding: boolean;
  onAdded(): void;
  /** Whose keys can be made: without, one's own. */
  users?: User[];
}

/** Keys for programs: made, renewed and revoked. One is shown once, when it is made. */
export function KeyTable({ path, adding, onAdded, users }: KeyTableProps) {
  const { t, date, ago, money, number } = useSpeech();
  const limitsOf = (key: Key) =>
    [
      key.requests_per_minute != null && t("keys.limit_requests", { n: number(key.requests_per_minute) }),
      key.tokens_per_minute != null && t("keys.limit_tokens", { n: number(key.tokens_per_minute) }),
      key.monthly_budget_usd != null && t("keys.limit_budget", { money: money(key.monthly_budget_usd) }),
    ].filter(Boolean);
  const loaded = useLoad((signal) => api.get(path, { signal }), [path]);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [made, setMade] = useState<{ key: string; replaces?: string } | null>(null);
  const [rotate, rotating, problem] = useAction(async (old: Key) => {
    const { key } = await api.post(`${path}/{id}/rotate`, { path: { id: old.id }, body: {} });
    setMade({ key, replaces: old.name || old.prefix });
  });
  return (
    <>
      <ErrorNote problem={problem} />
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="key" title={t("keys.none")}>
              {t(users ? "keys.none_words" : "keys.own_none_words")}
            </Empty>
          ) : (
            <DataTable
              label={t("admin.keys")}
              rows={list}
              keyOf={(key) => key.id}
              columns={[
                {
                  label: t("users.name"),
                  name: true,
                  show: (key) => (
                    <>
                      {key.name || "—"}
                      <div class="hint">
                        <code>{key.prefix}…</code>
                      </div>
                    </>
                  ),
                },
                ...(users ? [{ label: t("access.person"), show: (key: Key) => key.user.name || key.user.email }] : []),
                { label: t("keys.scopes"), show: (key) => [...key.scopes, ...(key.agent ? [key.agent] : [])].join(", ") || t("keys.scopes_all") },
                {
                  label: t("keys.limits"),
                  show: (key) => (
                    <>
                      {limitsOf(key).join(", ") || t("keys.no_limits")}
                      {key.month_replies > 0 && (
                        <div class="hint">
                          {t("keys.month")}: {t("keys.month_used", { money: money(key.month_cost_usd), n: number(key.month_replies) })}
                        </div>
                      )}
                    </>
                  ),
                },
                { label: t("keys.ends"), show: (key) => (key.expires_at ? date(key.expires_at) : t("keys.no_end")) },
                { label: t("keys.used"), show: (key) => (key.last_used_at ? ago(key.last_used_at) : t("keys.never")) },
                {
                  label: t("admin.state"),
                  show: (key) => (
                    <span class="row-actions">
                      <Button small busy={rotating} aria-label={`${t("keys.rotate")}: ${key.name || key.prefix}`} onClick={() => void rotate(key)}>
                        {t("keys.rotate")}
                      </Button>
                      <Button small kind="danger" aria-label={`${t("keys.revoke")}: ${key.name || key.prefix}`} onClick={() => setRevoking(key)}>
                        {t("keys.revoke")}
                      </Button>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Await>
      {adding && (
        <AddKey
          path={path}
          users={users}
          onClose={onAdded}
          onMade={(key) => {
            setMade({ key });
            onAdded();
          }}
        />
      )}
      {made && (
        <Dialog
          title={t("keys.add")}
          onClose={() => {
            setMade(null);
            loaded.reload();
          }}
        >
          {made.replaces && <p>{t("keys.rotate_words", { name: made.replaces })}</p>}
          <Note kind="warn">{t("keys.once")}</Note>
          <div class="copy-line">
            <input readOnly value={made.key} aria-label={t("keys.add")} class="mono" onFocus={(event) => event.currentTarget.select()} />
            <CopyButton text={made.key} />
          </div>
        </Dialog>
      )}
      {revoking && (
        <Confirm
          title={t("keys.revoke")}
          action={t("keys.revoke")}
          danger
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await api.delete(`${path}/{id}`, { path: { id: revoking.id } });
            loaded.reload();
          }}
        >
          <p>{t("keys.revoke_words", { name: revoking.name || revoking.prefix })}</p>
        </Confirm>
      )}
    </>
  );
}

interface AddKeyProps {
  path: KeyTableProps["path"];
  users: User[] | undefined;
  onClose(): void;
  onMade(key: string): void;
}

function AddKey({ path, users, onClose, onMade }: AddKeyProps) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const [picked, setUser] = useState("");
  // The people may arrive after the dialog: the first is shown, and must be the one that is sent.
  const user = picked || String(users?.[0]?.id ?? "");
  const [scopes, setScopes] = useState<(typeof SCOPES)[number][]>([]);
  const [days, setDays] = useState("");
  const [agent, setAgent] = useState("");
  const [limits, setLimits] = useState({ requests_per_minute: "", tokens_per_minute: "", monthly_budget_usd: "" });
  const agents = useLoad((signal) => api.get(users ? "/admin/agents" : "/agents", { signal }), [users === undefined]);
  const [make, busy, problem] = useAction(async () => {
    const amount = (text: string) => (text.trim() === "" ? null : Number(text.replace(",", ".")));
    const most = Object.fromEntries(Object.entries(limits).map(([limit, text]) => [limit, amount(text)]));
    const body = { name: name.trim(), scopes, days: amount(days), agent: agent || null, ...most };
    onMade((await api.post(path, { body: users ? { ...body, user: Number(user) } : body })).key);
  });
  return (
    <Dialog title={t("keys.add")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField label={t("users.name")} hint={t("keys.name_hint")} value={name} onText={setName} required autoFocus />
        {users && <SelectField label={t("access.person")} hint={t("keys.person_hint")} value={user} onPick={setUser} options={users.map((one) => [String(one.id), `${one.name} (${one.email})`] as const)} />}
        <fieldset class="checks">
          <legend>{t("keys.scopes")}</legend>
          <p class="hint">{t("keys.scopes_hint")}</p>
          {SCOPES.map((scope) => (
            <Check
              key={scope}
              label={t(`keys.scope.${scope}`)}
              checked={scopes.includes(scope)}
              onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
            />
          ))}
        </fieldset>
        <SelectField
          label={t("keys.agent")}
          hint={t("keys.agent_hint")}
          value={agent}
          onPick={setAgent}
          options={[["", t("keys.agent_any")] as const, ...(agents.data ?? []).map((one) => [one.name, one.name] as const)]}
        />
        <TextField inputMode="numeric" label={t("keys.days")} hint={t("keys.days_hint")} value={days} onText={setDays} />
        <fieldset class="form-grid">
          <legend>{t("keys.limits")}</legend>
          <p class="hint">{t("keys.limits_hint")}</p>
          <TextField inputMode="numeric" label={t("keys.requests")} value={limits.requests_per_minute} onText={(text) => setLimits({ ...limits, requests_per_minute: text })} />
          <TextField inputMode="numeric" label={t("keys.tokens")} value={limits.tokens_per_minute} onText={(text) => setLimits({ ...limits, tokens_per_minute: text })} />
          <TextField inputMode="decimal" label={t("keys.budget")} value={limits.monthly_budget_usd} onText={(text) => setLimits({ ...limits, monthly_budget_usd: text })} />
        </fieldset>
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy || users?.length === 0}>
            {t("keys.make")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
