import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad, useTitle } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Await, Badge, Switch } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";
import { Filter, matches } from "./Filter";
import { ruleOf } from "./confirmation";
import type { AdminTool } from "./types";

/** The registry: every tool there is, and what an administrator may change about it. */
export function ToolsPage() {
  const { t } = useSpeech();
  useTitle(t("admin.tools"));
  const loaded = useLoad((signal) => api.get("/admin/tools", { signal }), []);
  const [query, setQuery] = useState("");
  const [enable, , problem] = useAction(async (tool: AdminTool, is_enabled: boolean) => {
    loaded.set((loaded.data ?? []).map((one) => (one.name === tool.name ? { ...one, is_enabled } : one)));
    try {
      await api.patch("/admin/tools/{name}", { path: { name: tool.name }, body: { is_enabled } });
    } finally {
      loaded.reload();
    }
  });
  return (
    <Page
      title={t("admin.tools")}
      lead={t("tools.lead")}
      actions={
        <a class="button primary" href={href("admin", "tools", "new")}>
          <Icon name="plus" /> <span>{t("custom.add")}</span>
        </a>
      }
    >
      <Filter value={query} onText={setQuery} />
      <ErrorNote problem={problem} />
      <Await of={loaded}>
        {(list) => (
          <DataTable
            label={t("admin.tools")}
            rows={list.filter((tool) => matches(query, tool.name, tool.description, tool.category, tool.pack))}
            keyOf={(tool) => tool.name}
            columns={[
              {
                label: t("tools.name"),
                name: true,
                show: (tool) => (
                  <>
                    <a class="row-link mono" href={href("admin", "tools", tool.name)}>
                      {tool.name}
                    </a>
                    <span class="row-words">{tool.description.split("\n")[0]}</span>
                  </>
                ),
              },
              { label: t("tools.pack"), show: (tool) => (tool.custom ? <Badge kind="accent">{t("custom.badge")}</Badge> : (tool.pack ?? "—")) },
              { label: t("tools.effect"), show: (tool) => <Badge {...(tool.effect === "write" ? { kind: "warn" as const } : {})}>{t(`tools.effect_${tool.effect}`)}</Badge> },
              { label: t("tools.level"), show: (tool) => t(`role.${tool.permission_level}`) },
              { label: t("tools.confirmation"), show: (tool) => t(ruleOf(tool.confirmation).asks === "when" ? "tools.asks_when" : tool.requires_confirmation ? "ui.yes" : "ui.no") },
              {
                label: t("tools.enabled"),
                show: (tool) =>
                  tool.switched_off ? (
                    <span title={tool.switched_off}>
                      <Badge kind="bad">{t("tools.unavailable")}</Badge>
                    </span>
                  ) : (
                    <Switch hideLabel label={t("tools.enable", { name: tool.name })} checked={tool.is_enabled} onChange={(on) => void enable(tool, on)} />
                  ),
              },
            ]}
          />
        )}
      </Await>
    </Page>
  );
}
