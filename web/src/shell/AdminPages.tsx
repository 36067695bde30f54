import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import { person } from "../state/person";
import { useStore } from "../state/store";
import { ErrorNote } from "../ui/ErrorNote";
import { Empty, Loading } from "../ui/parts";

type Area = ComponentType<{ path: string[] }>;

/** Administration is fetched when somebody who may use it goes there. */
export function AdminPages({ path }: { path: string[] }) {
  const { t } = useSpeech();
  const me = useStore(person);
  const [area, setArea] = useState<{ Admin: Area } | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const allowed = me?.role === "admin";
  useEffect(() => {
    if (allowed) import("../admin/Admin").then(({ Admin }) => setArea({ Admin })).catch(setProblem);
  }, [allowed]);
  if (!allowed) {
    return (
      <div class="page">
        <Empty icon="shield" title={t("admin.only")}>
          {t("admin.only_words")}
        </Empty>
      </div>
    );
  }
  if (problem) return <ErrorNote problem={problem} />;
  return area ? <area.Admin path={path} /> : <Loading />;
}
