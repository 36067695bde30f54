import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Dialog";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";

type Container = Wire["ContainerOut"];

export function ContainersPage() {
  const { t, ago } = useSpeech();
  useTitle(t("admin.containers"));
  const loaded = useLoad((signal) => api.get("/admin/containers", { signal }), []);
  const [ending, setEnding] = useState<Container | null>(null);
  return (
    <Page
      title={t("admin.containers")}
      lead={t("containers.lead")}
      actions={
        <Button icon="refresh" onClick={loaded.reload}>
          {t("dashboards.refresh")}
        </Button>
      }
    >
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="box" title={t("containers.none")}>
              {t("containers.none_words")}
            </Empty>
          ) : (
            <DataTable
              label={t("admin.containers")}
              rows={list}
              keyOf={(one) => one.id}
              columns={[
                { label: "ID", name: true, show: (one) => <code>{one.id}</code> },
                { label: t("keys.made"), show: (one) => ago(one.created_at) },
                { label: t("admin.state"), show: (one) => <Badge {...(one.busy ? { kind: "accent" as const } : {})}>{t(one.busy ? "containers.busy" : "containers.idle")}</Badge> },
                { label: t("containers.expires"), show: (one) => ago(one.expires_at) },
                {
                  label: t("containers.end"),
                  show: (one) => (
                    <Button small kind="danger" onClick={() => setEnding(one)}>
                      {t("containers.end")}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Await>
      {ending && (
        <Confirm
          title={t("containers.end")}
          action={t("containers.end")}
          danger
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            await api.delete("/admin/containers/{id}", { path: { id: ending.id } });
            loaded.reload();
          }}
        >
          <p>{t("containers.end_words")}</p>
        </Confirm>
      )}
    </Page>
  );
}
