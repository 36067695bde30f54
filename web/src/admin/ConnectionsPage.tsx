import { useState } from "preact/hooks";
import { api } from "../api/client";
import { type Key, useSpeech } from "../i18n";
import { go, href } from "../state/route";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty, SelectField, TextField } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";
import type { Connection } from "./types";

/** Servers of others: how each is, and what of theirs waits to be looked at. */
export function ConnectionsPage() {
  const { t, ago } = useSpeech();
  useTitle(t("admin.connections"));
  const loaded = useLoad((signal) => api.get("/admin/connections", { signal }), []);
  const [adding, setAdding] = useState(false);
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t("connections.add")}
    </Button>
  );
  return (
    <Page title={t("admin.connections")} lead={t("connections.lead")} actions={add}>
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="share" title={t("connections.none")}>
              {t("connections.none_words")}
            </Empty>
          ) : (
            <DataTable
              label={t("admin.connections")}
              rows={list}
              keyOf={(one) => one.id}
              columns={[
                {
                  label: t("users.name"),
                  name: true,
                  show: (one) => (
                    <>
                      <a class="row-link mono" href={href("admin", "connections", one.id)}>
                        {one.name}
                      </a>
                      <span class="row-words">{where(one, t)}</span>
                    </>
                  ),
                },
                { label: t("connections.health"), show: (one) => <Health of={one} /> },
                { label: t("connections.looked"), show: (one) => (one.looked_at ? ago(one.looked_at) : "—") },
                { label: t("admin.tools"), show: (one) => <Counts of={one} /> },
              ]}
            />
          )
        }
      </Await>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

export function where(one: Connection, t: (key: Key) => string): string {
  if (one.url) return one.url;
  return t(one.walled ? "connections.program_walled" : "connections.program");
}

/** In one word, and the server's own in the title. */
export function Health({ of: one }: { of: Connection }) {
  const { t } = useSpeech();
  const kind = !one.is_enabled ? undefined : one.status === "ok" ? "good" : one.status === "new" || one.status === "sign_in" ? "warn" : "bad";
  const words: Key = one.is_enabled ? (`connections.status.${one.status}` as Key) : "connections.switched_off";
  return (
    <span title={one.detail}>
      <Badge {...(kind ? { kind } : {})}>{t(words)}</Badge>
    </span>
  );
}

function Counts({ of: one }: { of: Connection }) {
  const { t } = useSpeech();
  const count = (state: string) => one.tools.filter((tool) => tool.state === state).length;
  const changed = count("changed");
  return (
    <>
      {t("connections.enabled_of", { n: count("enabled"), all: one.tools.filter((tool) => tool.state !== "gone").length })}{" "}
      {changed > 0 && <Badge kind="bad">{t("connections.changed_n", { n: changed })}</Badge>}
    </>
  );
}

function AddDialog({ onClose }: { onClose(): void }) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [credentials, setCredentials] = useState<Connection["credentials"]>("none");
  const [header, setHeader] = useState("");
  const [secret, setSecret] = useState("");
  const [save, busy, problem] = useAction(async () => {
    const headers = header.trim() ? { [header.trim()]: secret } : null;
    const added = await api.post("/admin/connections", { body: { name: name.trim(), url: url.trim(), credentials, headers } });
    if (credentials === "none") await api.post("/admin/connections/{id}/look", { path: { id: added.id } });
    go("admin", "connections", added.id);
  });
  return (
    <Dialog title={t("connections.add")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField label={t("users.name")} hint={t("connections.name_hint")} value={name} onText={setName} required maxLength={64} />
        <TextField type="url" label={t("connections.url")} hint={t("connections.url_hint")} value={url} onText={setUrl} required />
        <SelectField
          label={t("connections.credentials")}
          hint={t("connections.credentials_hint")}
          value={credentials}
          options={(["none", "shared", "person"] as const).map((one) => [one, t(`connections.credentials_${one}`)] as const)}
          onPick={(one) => setCredentials(one)}
        />
        {credentials === "none" && (
          <div class="form-grid">
            <TextField label={t("connections.header")} hint={t("connections.header_hint")} value={header} onText={setHeader} />
            <TextField type="password" label={t("connections.header_value")} value={secret} onText={setSecret} autocomplete="off" />
          </div>
        )}
        <ErrorNote problem={problem} />
        <div class="row-actions">
          <Button type="submit" kind="primary" busy={busy}>
            {t("connections.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
