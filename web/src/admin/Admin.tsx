/** Administration: one page per thing an administrator looks after. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { Icon } from "../ui/icons";
import { AgentPage } from "./AgentPage";
import { AgentsPage } from "./AgentsPage";
import { GROUPS } from "./areas";
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

export function Admin({ path }: { path: string[] }) {
  const area = path[0] ?? "users";
  return (
    <div class="admin">
      <Rail key={area} area={area} />
      {pageFor(area, path[1], path[2])}
    </div>
  );
}

/** The areas, in groups. Where there is no room beside the page they are behind a button that says where one is. */
function Rail({ area }: { area: string }) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  const id = useId();
  const here = GROUPS.flatMap(([, areas]) => areas).find(([name]) => name === area)?.[2] ?? "admin.users";
  return (
    <nav class="admin-nav" aria-label={t("nav.admin")}>
      <button type="button" class="admin-where" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span>{t("admin.areas", { area: t(here) })}</span> <Icon name={open ? "up" : "down"} size={16} />
      </button>
      <div id={id} class="admin-groups" data-open={open}>
        {GROUPS.map(([words, areas]) => (
          <div key={words}>
            <h2>{t(words)}</h2>
            <ul>
              {areas.map(([name, icon, label]) => (
                <li key={name}>
                  <a href={href("admin", name)} aria-current={name === area ? "page" : undefined}>
                    <Icon name={icon} size={16} /> {t(label)}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
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
