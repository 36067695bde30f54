import { api } from "../api/client";
import { type Key, useSpeech } from "../i18n";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";

const KEYS = [
  "version", "data folder", "database", "databases", "model at", "model", "fallback", "sandbox tier", "sandbox", "uploads", "kernel memory",
  "page", "packs", "pack", "agent", "tool", "sign-in", "break glass", "system",
];
const KINDS = { ok: "good", note: "warn", missing: "bad" } as const;

/** What `bancada doctor` says: what is in use, and what is missing. */
export function SystemPage() {
  const { t } = useSpeech();
  useTitle(t("admin.system"));
  // "pack graph" is the kind of thing, and which one.
  const nameOf = (name: string): string => {
    const known = KEYS.find((key) => name === key) ?? KEYS.find((key) => name.startsWith(`${key} `));
    return known ? t(`system.name.${known.replace(/[ -]/g, "_")}` as Key, { x: name.slice(known.length + 1) }) : name;
  };
  const loaded = useLoad((signal) => api.get("/system", { signal }), []);
  return (
    <Page title={t("admin.system")} lead={t("system.lead")}>
      <Await of={loaded}>
        {({ findings }) => (
          <DataTable
            label={t("admin.system")}
            rows={findings}
            keyOf={(one) => one.name}
            columns={[
              { label: t("system.part"), name: true, show: (one) => <strong>{nameOf(one.name)}</strong> },
              { label: t("admin.state"), show: (one) => <Badge kind={KINDS[one.status]}>{t(`system.${one.status}`)}</Badge> },
              { label: t("system.says"), show: (one) => one.says },
            ]}
          />
        )}
      </Await>
    </Page>
  );
}
