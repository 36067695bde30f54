import { useSpeech } from "../i18n";
import { person } from "../state/person";
import { useStore } from "../state/store";
import { Empty } from "../ui/parts";
import { Later } from "./Later";

const administration = () => import("../admin/Admin").then(({ Admin }) => Admin);

/** Administration, for those who may use it. */
export function AdminPages({ path }: { path: string[] }) {
  const { t } = useSpeech();
  const me = useStore(person);
  if (me?.role === "admin") return <Later fetch={administration} with={{ path }} />;
  return (
    <div class="page">
      <Empty icon="shield" title={t("admin.only")}>
        {t("admin.only_words")}
      </Empty>
    </div>
  );
}
