import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { KeyTable } from "../session/Keys";
import { Button } from "../ui/Button";
import { useLoad, useTitle } from "../ui/hooks";
import { Page } from "../ui/Page";

/** The organisation's keys. */
export function KeysPage() {
  const { t } = useSpeech();
  useTitle(t("admin.keys"));
  const users = useLoad((signal) => api.get("/admin/users", { signal }), []);
  const [adding, setAdding] = useState(false);
  return (
    <Page
      wide
      title={t("admin.keys")}
      lead={t("keys.lead")}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t("keys.add")}
        </Button>
      }
    >
      <KeyTable path="/admin/keys" adding={adding} onAdded={() => setAdding(false)} users={users.data ?? []} />
    </Page>
  );
}
