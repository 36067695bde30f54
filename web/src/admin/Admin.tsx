/** Administration: one page per thing an administrator looks after. */
import type { ComponentChildren } from "preact";
import { type Key, useSpeech } from "../i18n";
import { href } from "../state/route";
import { Icon, type IconName } from "../ui/icons";
import { AgentPage } from "./AgentPage";
import { AgentsPage } from "./AgentsPage";
import { AuditPage } from "./AuditPage";
import { ConnectionPage } from "./ConnectionPage";
import { ConnectionsPage } from "./ConnectionsPage";
import { ContainersPage } from "./ContainersPage";
import { CustomToolPage } from "./CustomToolPage";
import { ExperimentsPage } from "./ExperimentsPage";
import { FeedbackPage } from "./FeedbackPage";
import { GraphPage } from "./GraphPage";
import { KeysPage } from "./KeysPage";
import { ModelsPage } from "./ModelsPage";
import { OrganisationsPage } from "./OrganisationsPage";
import { SharesPage } from "./SharesPage";
import { SignInPage } from "./SignInPage";
import { SystemPage } from "./SystemPage";
import { ToolPage } from "./ToolPage";
import { ToolsPage } from "./ToolsPage";
import { UsagePage } from "./UsagePage";
import { UsersPage } from "./UsersPage";
import "../styles/admin.css";

const AREAS: [string, IconName, Key][] = [
  ["users", "users", "admin.users"],
  ["agents", "chat", "admin.agents"],
  ["tools", "tool", "admin.tools"],
  ["connections", "out", "admin.connections"],
  ["graph", "share", "admin.graph"],
  ["audit", "list", "admin.audit"],
  ["usage", "chart", "admin.usage"],
  ["feedback", "thumbDown", "admin.feedback"],
  ["experiments", "flask", "admin.experiments"],
  ["keys", "key", "admin.keys"],
  ["sign-in", "shield", "admin.signin"],
  ["shares", "eye", "admin.shares"],
  ["containers", "box", "admin.containers"],
  ["organisations", "building", "admin.organisations"],
  ["models", "spark", "admin.models"],
  ["system", "heart", "admin.system"],
];

export function Admin({ path }: { path: string[] }) {
  const { t } = useSpeech();
  const area = path[0] ?? "users";
  return (
    <div class="admin">
      <nav class="admin-nav" aria-label={t("nav.admin")}>
        {AREAS.map(([name, icon, words]) => (
          <a key={name} href={href("admin", name)} aria-current={name === area ? "page" : undefined}>
            <Icon name={icon} size={16} /> {t(words)}
          </a>
        ))}
      </nav>
      {pageFor(area, path[1], path[2])}
    </div>
  );
}

function pageFor(area: string, id: string | undefined, action: string | undefined): ComponentChildren {
  switch (area) {
    case "agents":
      return id ? <AgentPage key={id} id={id} /> : <AgentsPage />;
    case "tools":
      if (id === "new") return <CustomToolPage name={null} />;
      if (id && action === "edit") return <CustomToolPage key={id} name={id} />;
      return id ? <ToolPage key={id} name={id} /> : <ToolsPage />;
    case "connections":
      return id ? <ConnectionPage key={id} id={id} /> : <ConnectionsPage />;
    case "audit":
      return <AuditPage />;
    case "usage":
      return <UsagePage />;
    case "feedback":
      return <FeedbackPage />;
    case "experiments":
      return <ExperimentsPage />;
    case "graph":
      return <GraphPage />;
    case "keys":
      return <KeysPage />;
    case "sign-in":
      return <SignInPage />;
    case "shares":
      return <SharesPage />;
    case "containers":
      return <ContainersPage />;
    case "organisations":
      return <OrganisationsPage />;
    case "models":
      return <ModelsPage />;
    case "system":
      return <SystemPage />;
    default:
      return <UsersPage />;
  }
}
