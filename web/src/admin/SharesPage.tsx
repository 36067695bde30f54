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

type Share = Wire["ShareOut"];

/** Links by which others read a dashboard or a conversation; who made them sees the link, an administrator that it is there. */
export function SharesPage() {
  const { t, date } = useSpeech();
  useTitle(t("admin.shares"));
  const loaded = useLoad((signal) => api.get("/admin/shares", { signal }), []);
  const [ending, setEnding] = useState<Share | null>(null);
  return (
    <Page title={t("admin.shares")} lead={t("shares.lead")}>
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="share" title={t("shares.none")}>
              {t("shares.none_words")}
            </Empty>
          ) : (
            <DataTable
              label={t("admin.shares")}
              rows={list}
              keyOf={(one) => `${one.id} ${one.created_at}`}
              columns={[
                { label: t("shares.what"), name: true, show: (one) => <strong dir="auto">{one.titulo || t("list.untitled")}</strong> },
                { label: t("shares.kind"), show: (one) => <Kind of={one} /> },
                { label: t("access.person"), show: (one) => one.owner || one.email },
                { label: t("keys.made"), show: (one) => <span class="nowrap">{date(one.created_at)}</span> },
                {
                  label: t("admin.state"),
                  show: (one) => (
                    <Button small kind="danger" aria-label={`${t("shares.end")}: ${one.titulo || t("list.untitled")}`} onClick={() => setEnding(one)}>
                      {t("shares.end")}
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
          title={t("shares.end")}
          action={t("shares.end")}
          danger
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            await api.delete("/admin/shares/{id}", { path: { id: ending.id } });
            loaded.reload();
          }}
        >
          <p>{t("shares.end_words", { name: ending.titulo || t("list.untitled") })}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** What it is, and with it who can read it. */
function Kind({ of: { kind, outside } }: { of: Share }) {
  const { t } = useSpeech();
  return (
    <>
      {t(`shares.${kind}`)}
      {outside && <Badge kind="warn">{t("shares.outside")}</Badge>}
    </>
  );
}
