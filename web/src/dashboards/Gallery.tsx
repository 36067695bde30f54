import { get } from "../api/client";
import { useSpeech } from "../i18n";
import { href } from "../state/route";
import { Icon } from "../ui/icons";
import { useLoad, useTitle } from "../ui/hooks";
import { Await, Badge, Empty } from "../ui/parts";
import { Page } from "../ui/Page";
import { type Dashboard, freshness } from "./dashboard";

export function Gallery() {
  const { t, ago } = useSpeech();
  const loaded = useLoad((signal) => get<Dashboard[]>("/dashboards", { signal }), []);
  useTitle(t("nav.dashboards"));
  return (
    <Page title={t("nav.dashboards")} lead={t("dashboards.lead")}>
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
                    <Icon name="grid" size={22} />
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
