import { get } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";


const KINDS = { ok: "good", note: "warn", missing: "bad" } as const;

/** What `bancada doctor` says: what is in use, and what is missing. */
export function SystemPage() {
  const { t } = useSpeech();
  useTitle(t("admin.system"));
  const loaded = useLoad((signal) => get<Wire["System"]>("/system", { signal }), []);
  return (
    <Page title={t("admin.system")} lead={t("system.lead")}>
      <Await of={loaded}>
        {({ findings }) => (
          <DataTable
            label={t("admin.system")}
            rows={findings}
            keyOf={(one) => one.name}
            columns={[
              { label: t("system.part"), name: true, show: (one) => <strong>{one.name}</strong> },
              { label: t("admin.state"), show: (one) => <Badge kind={KINDS[one.status]}>{t(`system.${one.status}`)}</Badge> },
              { label: t("system.says"), show: (one) => one.says },
            ]}
          />
        )}
      </Await>
    </Page>
  );
}
