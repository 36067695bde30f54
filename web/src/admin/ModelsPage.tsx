import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Page } from "../ui/Page";
import { Await, Badge, Empty } from "../ui/parts";
import { DataTable } from "./DataTable";

type Provider = Wire["ProviderOut"];
type Probe = Wire["ProbeOut"];

const KINDS = { yes: "good", ignored: "warn", text: "warn", no: "bad" } as const;

/** Where models are: who answers, who stands in, and what each server honours of our requests. */
export function ModelsPage() {
  const { t } = useSpeech();
  useTitle(t("admin.models"));
  const loaded = useLoad((signal) => api.get("/admin/models", { signal }), []);
  return (
    <Page title={t("admin.models")} lead={t("models.lead")}>
      <Await of={loaded}>
        {(found) =>
          found.providers.length === 0 ? (
            <Empty icon="spark" title={t("models.offline")}>
              {t("models.offline_words")}
            </Empty>
          ) : (
            <>
              {found.fallback.length > 0 && (
                <p class="note">
                  <span>{t("models.fallback", { order: found.fallback.join(" → ") })}</span>
                </p>
              )}
              {found.providers.map((one, index) => (
                <ProviderPanel key={one.name} one={one} first={index === 0} reload={loaded.reload} />
              ))}
            </>
          )
        }
      </Await>
    </Page>
  );
}

function ProviderPanel({ one, first, reload }: { one: Provider; first: boolean; reload: () => void }) {
  const { t } = useSpeech();
  const [ask, busy, problem] = useAction(async () => {
    await api.post("/admin/models/{name}/probe", { path: { name: one.name } });
    reload();
  });
  return (
    <section class="panel">
      <header class="page-head">
        <h2>
          {one.name} {first && <Badge kind="good">{t("models.default")}</Badge>}
        </h2>
        <Button small busy={busy} onClick={() => void ask()}>
          {t("models.ask")}
        </Button>
      </header>
      {busy && <p class="hint">{t("models.asking")}</p>}
      <ErrorNote problem={problem} />
      <dl class="pairs words">
        <Fact name={t("models.where")} value={`${one.address} (${one.kind})`} />
        <Fact name={t("models.serves")} value={one.models.join(", ") || t("models.any", { model: one.default })} />
        <Fact name={t("models.limits")} value={useLimits(one)} />
        <Fact name={t("models.data")} value={useData(one)} />
      </dl>
      {one.probes.length === 0 && <p class="hint">{t("models.not_asked")}</p>}
      {one.probes.map((probe) => (
        <Honours key={probe.model} probe={probe} />
      ))}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function useLimits(one: Provider): string {
  const { t, number } = useSpeech();
  const said: string[] = [];
  if (one.concurrency !== null) said.push(t("models.at_once", { n: number(one.concurrency) }));
  if (one.rpm !== null) said.push(t("models.rpm", { n: number(one.rpm) }));
  if (one.tpm !== null) said.push(t("models.tpm", { n: number(one.tpm) }));
  if (one.max_context !== null) said.push(t("models.context", { n: number(one.max_context) }));
  return said.join(" · ") || t("models.none");
}

function useData(one: Provider): string {
  const { t } = useSpeech();
  const said = [t(one.outside_data ? "models.outside" : "models.no_outside")];
  if (one.organisations !== null) said.push(t("models.organisations", { names: one.organisations.join(", ") }));
  if (one.agents !== null) said.push(t("models.agents", { names: one.agents.join(", ") }));
  return said.join(" · ");
}

function Honours({ probe }: { probe: Probe }) {
  const { t, date } = useSpeech();
  const label = t("models.asked", { model: probe.model, when: date(probe.asked_at) });
  return (
    <>
      <p class="hint">{label}</p>
      <DataTable
        label={label}
        rows={probe.honours}
        keyOf={(one) => one.feature}
        columns={[
          { label: t("models.feature"), name: true, show: (one) => <strong>{t(`models.feature_${one.feature}`)}</strong> },
          { label: t("admin.state"), show: (one) => <Badge kind={KINDS[one.finds]}>{t(`models.finds_${one.finds}`)}</Badge> },
          {
            label: t("models.so"),
            show: (one) => (
              <>
                {one.finds === "yes" ? "–" : t(`models.without_${one.feature}`)}
                {one.finds === "no" && one.says && <span class="hint"> {one.says}</span>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}
