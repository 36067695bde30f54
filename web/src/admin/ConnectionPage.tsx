import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { go, href } from "../state/route";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, Empty, Note, Switch } from "../ui/parts";
import { toast } from "../ui/toast";
import { ConnectedToolCard } from "./ConnectedToolCard";
import { Health, where } from "./ConnectionsPage";
import type { Connection } from "./types";

/** One server: how it is, who is signed in, and each of its tools. */
export function ConnectionPage({ id }: { id: string }) {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => api.get("/admin/connections/{id}", { path: { id }, signal }), [id]);
  return (
    <div class="page scroll">
      <a class="back" href={href("admin", "connections")}>
        <Icon name="left" size={16} /> {t("admin.connections")}
      </a>
      <Await of={loaded}>{(one) => <Whole one={one} set={loaded.set} />}</Await>
    </div>
  );
}

const ORDER = ["changed", "new", "enabled", "off", "gone"];

function Whole({ one, set }: { one: Connection; set(now: Connection): void }) {
  const { t, ago } = useSpeech();
  useTitle(one.name);
  const at = { path: { id: one.id } };
  const [removing, setRemoving] = useState(false);
  const [look, looking, problem] = useAction(async () => set(await api.post("/admin/connections/{id}/look", at)));
  const [turn, , switchProblem] = useAction(async (is_enabled: boolean) => set(await api.patch("/admin/connections/{id}", { ...at, body: { is_enabled } })));
  const tools = [...one.tools].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.name.localeCompare(b.name));
  return (
    <>
      <header class="page-head">
        <h1>{one.name}</h1>
        <div class="page-actions">
          <Button icon="refresh" busy={looking} onClick={() => void look()}>
            {t("connections.look")}
          </Button>
          {one.origin === "panel" && (
            <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>
              {t("ui.delete")}
            </Button>
          )}
        </div>
      </header>
      <ErrorNote problem={problem ?? switchProblem} />
      <section class="panel">
        <h2>
          {t("connections.health")} <Health of={one} />
        </h2>
        {one.detail && <p class="mono connection-detail">{one.detail}</p>}
        <dl class="facts">
          <dt>{t("connections.url")}</dt>
          <dd class="mono">{where(one, t)}</dd>
          <dt>{t("connections.origin")}</dt>
          <dd>{t(`connections.origin_${one.origin}`)}</dd>
          <dt>{t("connections.says")}</dt>
          <dd>{one.server["name"] ? `${String(one.server["name"])} ${String(one.server["version"] ?? "")} · MCP ${String(one.server["protocol"] ?? "")}` : "—"}</dd>
          <dt>{t("connections.looked")}</dt>
          <dd>{one.looked_at ? ago(one.looked_at) : "—"}</dd>
          {one.failures > 0 && (
            <>
              <dt>{t("connections.failures")}</dt>
              <dd>{one.failures}</dd>
            </>
          )}
        </dl>
        {!one.url && !one.walled && <Note kind="warn">{t("connections.no_wall")}</Note>}
        <Switch label={t("connections.in_use")} checked={one.is_enabled} onChange={(on) => void turn(on)} />
      </section>
      {one.credentials !== "none" && <SignInPanel one={one} onChange={() => void look()} />}
      <section>
        <h2>{t("admin.tools")}</h2>
        <p class="hint">{t("connections.tools_lead")}</p>
        {tools.length === 0 && (
          <Empty icon="tool" title={t("connections.no_tools")}>
            {t("connections.no_tools_words")}
          </Empty>
        )}
        {tools.map((tool) => (
          <ConnectedToolCard key={`${tool.name} ${tool.seen} ${tool.state}`} connection={one.id} tool={tool} onChange={set} />
        ))}
      </section>
      {removing && (
        <Confirm
          title={t("connections.remove")}
          action={t("ui.delete")}
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.delete("/admin/connections/{id}", at);
            go("admin", "connections");
          }}
        >
          <p>{t("connections.remove_words")}</p>
        </Confirm>
      )}
    </>
  );
}

function SignInPanel({ one, onChange }: { one: Connection; onChange(): void }) {
  const { t } = useSpeech();
  const at = { path: { id: one.id } };
  const [begin, busy, problem] = useAction(async () => {
    const door = await api.post("/connections/{id}/sign-in", at);
    location.href = door.url;
  });
  const [leave, leaving, leaveProblem] = useAction(async () => {
    await api.delete("/connections/{id}/sign-in", at);
    toast(t("ui.saved"));
    onChange();
  });
  return (
    <section class="panel">
      <h2>
        {t("connections.sign_in")} <Badge {...(one.signed_in ? { kind: "good" as const } : { kind: "warn" as const })}>{t(one.signed_in ? "connections.signed_in" : "connections.signed_out")}</Badge>
      </h2>
      <p class="hint">{t(one.credentials === "shared" ? "connections.credentials_shared_words" : "connections.credentials_person_words")}</p>
      <div class="row-actions">
        <Button icon="key" kind={one.signed_in ? "plain" : "primary"} busy={busy} onClick={() => void begin()}>
          {t(one.signed_in ? "connections.sign_in_again" : "connections.sign_in")}
        </Button>
        {one.signed_in && (
          <Button busy={leaving} onClick={() => void leave()}>
            {t("connections.sign_out")}
          </Button>
        )}
      </div>
      <ErrorNote problem={problem ?? leaveProblem} />
    </section>
  );
}
