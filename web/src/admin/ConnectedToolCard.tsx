import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import type { Json } from "../state/events";
import { href } from "../state/route";
import { Button } from "../ui/Button";
import { difference } from "../ui/diff";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { JsonView } from "../ui/JsonView";
import { Badge, Check, Note, SelectField } from "../ui/parts";
import { toast } from "../ui/toast";
import type { ConnectedTool, Connection } from "./types";

const KINDS = { enabled: "good", changed: "bad", new: "warn", off: undefined, gone: undefined } as const;

/** A tool of a server's: what it says of itself, what has changed, and on what terms it is used. */
export function ConnectedToolCard({ connection, tool, onChange }: { connection: string; tool: ConnectedTool; onChange(now: Connection): void }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(tool.state === "changed");
  const kind = KINDS[tool.state];
  const description = String(tool.offered["description"] ?? "");
  return (
    <article class="panel connected-tool">
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="tool" size={16} />
        <code class="call-name">{tool.name}</code>
        <Badge {...(kind ? { kind } : {})}>{t(`connections.tool_${tool.state}`)}</Badge>
        {tool.problem && <Badge kind="bad">{t("connections.unusable")}</Badge>}
        <span class="row-words">{description.split("\n")[0]}</span>
        <Icon name={open ? "up" : "down"} size={16} />
      </button>
      {open && <Inside connection={connection} tool={tool} onChange={onChange} />}
    </article>
  );
}

function Inside({ connection, tool, onChange }: { connection: string; tool: ConnectedTool; onChange(now: Connection): void }) {
  const { t } = useSpeech();
  const [level, setLevel] = useState(tool.permission_level);
  const [effect, setEffect] = useState(tool.effect);
  const [confirm, setConfirm] = useState(tool.confirm);
  const [fromCode, setFromCode] = useState(tool.from_code);
  const one = { path: { id: connection, name: tool.name } };
  const [enable, busy, problem] = useAction(async () => {
    onChange(await api.post("/admin/connections/{id}/tools/{name}", { ...one, body: { seen: tool.seen, permission_level: level, effect, confirm, from_code: fromCode } }));
    toast(t("ui.saved"));
  });
  const [disable, leaving, offProblem] = useAction(async () => onChange(await api.delete("/admin/connections/{id}/tools/{name}", one)));
  return (
    <div class="connected-inside">
      {tool.name !== tool.remote_name && <p class="hint">{t("connections.renamed", { name: tool.remote_name })}</p>}
      {tool.problem && <Note kind="warn">{tool.problem}</Note>}
      {tool.state === "changed" && tool.approved ? (
        <Changed before={tool.approved} after={tool.offered} />
      ) : (
        <p class="offered-words">{String(tool.offered["description"] ?? "")}</p>
      )}
      <JsonView value={tool.offered["input_schema"] as Json} label={t("connections.schema")} />
      {tool.offered["output_schema"] != null && <JsonView value={tool.offered["output_schema"] as Json} label={t("connections.output_schema")} />}
      {tool.offered["annotations"] != null && (
        <>
          <JsonView value={tool.offered["annotations"] as Json} label={t("connections.annotations")} />
          <p class="hint">{t("connections.annotations_hint")}</p>
        </>
      )}
      {tool.state !== "gone" && !tool.problem && (
        <>
          <div class="form-grid">
            <SelectField label={t("tools.level")} value={level} options={(["operador", "responsavel", "admin"] as const).map((role) => [role, t(`role.${role}`)] as const)} onPick={(next) => setLevel(next)} />
            <SelectField label={t("tools.effect")} value={effect} options={(["read", "write"] as const).map((name) => [name, t(`tools.effect_${name}`)] as const)} onPick={(next) => setEffect(next)} />
            <SelectField label={t("tools.confirmation")} value={confirm} options={(["always", "never"] as const).map((name) => [name, t(`connections.confirm_${name}`)] as const)} onPick={(next) => setConfirm(next)} />
          </div>
          <Check label={t("connections.from_code")} checked={fromCode} onChange={setFromCode} />
          <div class="row-actions">
            <Button kind="primary" icon="check" busy={busy} onClick={() => void enable()}>
              {t(tool.state === "changed" ? "connections.enable_changed" : tool.state === "enabled" ? "ui.save" : "connections.enable")}
            </Button>
            {tool.state === "enabled" && (
              <a class="button" href={href("admin", "tools", tool.name)}>
                <Icon name="right" /> <span>{t("connections.try")}</span>
              </a>
            )}
            {(tool.state === "enabled" || tool.state === "changed") && (
              <Button busy={leaving} onClick={() => void disable()}>
                {t("connections.disable")}
              </Button>
            )}
          </div>
        </>
      )}
      <ErrorNote problem={problem ?? offProblem} />
    </div>
  );
}

/** What was enabled and what is offered now, side by side in one column. */
function Changed({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const { t } = useSpeech();
  const text = (shape: Record<string, unknown>) =>
    [shape["title"] ?? "", shape["description"] ?? "", JSON.stringify({ input_schema: shape["input_schema"], output_schema: shape["output_schema"], annotations: shape["annotations"] }, null, 2)].join("\n").trim();
  return (
    <section aria-label={t("connections.what_changed")}>
      <h3>{t("connections.what_changed")}</h3>
      <pre class="diff" tabIndex={0}>
        {difference(text(before), text(after)).map((line, place) => (
          <span key={place} class={`diff-${line.kind}`}>
            <span class="visually-hidden">{line.kind === "before" ? `${t("connections.was")}: ` : line.kind === "after" ? `${t("connections.is")}: ` : ""}</span>
            <span aria-hidden="true">{line.kind === "before" ? "− " : line.kind === "after" ? "+ " : "  "}</span>
            {line.text}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
