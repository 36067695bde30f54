import { useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { go, href } from "../state/route";
import { Button } from "../ui/Button";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty } from "../ui/parts";
import { Page } from "../ui/Page";
import { freshness } from "./dashboard";
import { NameDialog } from "./NameDialog";
import { Preview } from "./Preview";

export function Gallery() {
  const { t, ago } = useSpeech();
  const loaded = useLoad((signal) => api.get("/dashboards", { signal }), []);
  const [naming, setNaming] = useState(false);
  useTitle(t("nav.dashboards"));
  const begin = async (titulo: string) => go("dashboards", (await api.post("/dashboards", { body: { titulo, items: [] } })).id);
  return (
    <Page title={t("nav.dashboards")} lead={t("dashboards.lead")} actions={<Button kind="primary" icon="plus" onClick={() => setNaming(true)}>{t("board.new")}</Button>}>
      {naming && <NameDialog title={t("board.new")} action={t("board.begin")} name="" onName={begin} onClose={() => setNaming(false)} />}
      <Await of={loaded}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="grid" title={t("dashboards.none")} action={<a class="button primary" href={href()}>{t("nav.new_chat")}</a>}>
              {t("dashboards.none_words")}
            </Empty>
          ) : (
            <ul class="gallery">
              {list.map((one) => (
                <li key={one.id}>
                  <a class="tile" href={href("dashboards", one.id)}>
                    <Preview dashboard={one} />
                    <span class="tile-title">{one.titulo}</span>
                    <span class="hint">{t("dashboards.updated", { when: ago(freshness(one)) })}</span>
                    {one.shared && <Badge kind="accent">{t("dashboards.shared")}</Badge>}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Page>
  );
}
