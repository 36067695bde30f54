import { useState } from "preact/hooks";
import { api, upload } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Page } from "../ui/Page";
import { Await, Badge, Empty, Field, Note, TextField } from "../ui/parts";
import { toast } from "../ui/toast";
import { DataTable } from "./DataTable";

type State = Wire["GraphState"];
type Graph = Wire["GraphOut"];
type Relation = Wire["RelationOut"];
const MEANINGS = ["no", "up", "down"] as const;
type Meaning = (typeof MEANINGS)[number];

/** The organisation's graph: what it holds, what "is in" means in it, and an import of another. */
export function GraphPage() {
  const { t } = useSpeech();
  useTitle(t("admin.graph"));
  const loaded = useLoad((signal) => api.get("/admin/graph", { signal }), []);
  return (
    <Page title={t("admin.graph")} lead={t("graph.lead")}>
      <Await of={loaded}>
        {({ graph, missing }) => (
          <>
            {missing && <Note kind="warn">{t("graph.engine_missing")}</Note>}
            {graph ? (
              <Shown graph={graph} onChange={loaded.set} />
            ) : (
              <Empty icon="share" title={t("graph.none")}>
                {t("graph.none_words")}
              </Empty>
            )}
            {!missing && <Import onImported={loaded.set} />}
          </>
        )}
      </Await>
    </Page>
  );
}

interface ShownProps {
  graph: Graph;
  onChange(next: State): void;
}

function Shown({ graph, onChange }: ShownProps) {
  const { t, ago } = useSpeech();
  const [declare, busy, problem] = useAction(async (containment: string[]) => onChange(await api.patch("/admin/graph", { body: { containment } })));
  const change = (type: string, meaning: Meaning) =>
    void declare(
      graph.relations
        .map((one) => [one.type, one.type === type ? meaning : (one.direction ?? "no")] as const)
        .filter(([, means]) => means !== "no")
        .map(([name, means]) => `${name}:${means}`),
    );
  return (
    <section class="panel">
      <h2>
        {graph.name} {graph.demo && <Badge>{t("graph.demo")}</Badge>}
      </h2>
      <p class="hint">
        {t("graph.size", { nodes: graph.nodes, edges: graph.edges })} · {ago(graph.imported_at)}
      </p>
      <h3>{t("graph.relations")}</h3>
      <DataTable
        label={t("graph.relations")}
        rows={graph.relations}
        keyOf={(one) => one.type}
        columns={[
          { label: t("graph.relation"), name: true, show: (one) => <code>{one.type}</code> },
          { label: t("graph.count"), show: (one) => one.count },
          { label: t("graph.means_in"), show: (one) => <Means relation={one} busy={busy} onPick={change} /> },
          {
            label: t("graph.why"),
            show: (one) => (
              <>
                {one.guessed && <Badge kind="warn">{t("graph.guessed")}</Badge>} {t(`graph.reason_${one.reason}`)}
              </>
            ),
          },
        ]}
      />
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button icon="refresh" busy={busy} onClick={() => void declare([])}>
          {t("graph.propose")}
        </Button>
      </div>
      <h3>{t("graph.labels")}</h3>
      <DataTable
        label={t("graph.labels")}
        rows={graph.labels}
        keyOf={(one) => one.label}
        columns={[
          { label: t("graph.label"), name: true, show: (one) => <strong>{one.label}</strong> },
          { label: t("graph.count"), show: (one) => one.count },
          { label: t("graph.kinds"), show: (one) => Object.entries(one.kinds).map(([kind, count]) => `${kind} (${count})`).join(", ") },
        ]}
      />
    </section>
  );
}

function Means({ relation, busy, onPick }: { relation: Relation; busy: boolean; onPick(type: string, meaning: Meaning): void }) {
  const { t } = useSpeech();
  return (
    <select
      aria-label={`${relation.type}: ${t("graph.means_in")}`}
      value={relation.direction ?? "no"}
      disabled={busy}
      onChange={(event) => onPick(relation.type, event.currentTarget.value as Meaning)}
    >
      {MEANINGS.map((one) => (
        <option key={one} value={one} selected={one === (relation.direction ?? "no")}>
          {t(`graph.${one}`)}
        </option>
      ))}
    </select>
  );
}

const FILES = ["nodes", "edges", "words"] as const;
type FileName = (typeof FILES)[number];

function Import({ onImported }: { onImported(next: State): void }) {
  const { t } = useSpeech();
  const [files, setFiles] = useState<Partial<Record<FileName, File>>>({});
  const [name, setName] = useState("");
  const [containment, setContainment] = useState("");
  const [bring, busy, problem] = useAction(async () => {
    onImported(await upload("/admin/graph/upload", {}, { ...(files as Record<"nodes" | "edges", File>), name, containment }, () => undefined));
    toast(t("graph.imported"));
  });
  return (
    <section class="panel">
      <h2>{t("graph.import")}</h2>
      <p class="hint">{t("graph.import_hint")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void bring();
        }}
      >
        <div class="form-grid">
          {FILES.map((one) => (
            <Field key={one} label={t(`graph.${one}_file`)} hint={t(`graph.${one}_hint`)} required={one !== "words"}>
              {(id, described) => (
                <input
                  id={id}
                  aria-describedby={described}
                  type="file"
                  accept=".csv,.tsv,.txt,.parquet"
                  required={one !== "words"}
                  onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    const { [one]: _, ...rest } = files;
                    setFiles(file ? { ...rest, [one]: file } : rest);
                  }}
                />
              )}
            </Field>
          ))}
          <TextField label={t("graph.name")} value={name} onText={setName} maxLength={120} />
          <TextField label={t("graph.containment")} hint={t("graph.containment_hint")} value={containment} onText={setContainment} />
        </div>
        <ErrorNote problem={problem} />
        <div class="form-actions">
          <Button kind="primary" type="submit" busy={busy}>
            {t("graph.import")}
          </Button>
        </div>
      </form>
    </section>
  );
}
