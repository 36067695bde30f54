import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { Icon } from "../ui/icons";
import { useLoad, useTitle } from "../ui/hooks";
import { Await } from "../ui/parts";
import { Page } from "../ui/Page";
import { DataTable } from "./DataTable";

export function AgentsPage() {
  const { t, number } = useSpeech();
  useTitle(t("admin.agents"));
  const loaded = useLoad((signal) => api.get("/admin/agents", { signal }), []);
  return (
    <Page
      title={t("admin.agents")}
      lead={t("agent.lead")}
      actions={
        <a class="button primary" href={href("admin", "agents", "new")}>
          <Icon name="plus" /> <span>{t("agent.add")}</span>
        </a>
      }
    >
      <Await of={loaded}>
        {(list) => (
          <DataTable
            label={t("admin.agents")}
            rows={list}
            keyOf={(agent) => agent.id}
            columns={[
              { label: t("users.name"), name: true, show: (agent) => <a class="row-link" href={href("admin", "agents", agent.id)}>{agent.name}</a> },
              { label: t("agent.description"), show: (agent) => agent.description },
              { label: t("admin.tools"), number: true, show: (agent) => (agent.tools.includes("*") ? t("agent.every_tool") : number(agent.tools.length)) },
              { label: t("agent.code"), show: (agent) => t(`agent.code_${agent.code}`) },
            ]}
          />
        )}
      </Await>
    </Page>
  );
}
