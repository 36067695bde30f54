/** What there is to administrate, in groups: for the rail beside its pages, and for whoever looks for one by name. */
import type { Key } from "../i18n";
import type { IconName } from "../ui/icons";

type Area = [path: string, icon: IconName, words: Key];

export const GROUPS: [words: Key, areas: Area[]][] = [
  [
    "admin.group_oversight",
    [
      ["usage", "chart", "admin.usage"],
      ["audit", "list", "admin.audit"],
      ["feedback", "thumbDown", "admin.feedback"],
    ],
  ],
  [
    "admin.group_people",
    [
      ["users", "users", "admin.users"],
      ["keys", "key", "admin.keys"],
      ["sign-in", "shield", "admin.signin"],
      ["shares", "eye", "admin.shares"],
      ["organisations", "building", "admin.organisations"],
    ],
  ],
  [
    "admin.group_agents",
    [
      ["agents", "chat", "admin.agents"],
      ["tools", "tool", "admin.tools"],
      ["connections", "out", "admin.connections"],
      ["graph", "share", "admin.graph"],
      ["models", "spark", "admin.models"],
      ["experiments", "flask", "admin.experiments"],
    ],
  ],
  [
    "admin.group_installation",
    [
      ["containers", "box", "admin.containers"],
      ["system", "heart", "admin.system"],
    ],
  ],
];
