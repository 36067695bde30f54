import { useSpeech } from "../i18n";
import { dashboardDocument } from "../ui/documents";
import { Written } from "../ui/Written";
import { type Dashboard, isArranged, type Item } from "./dashboard";
import { type Place, placed } from "./grid";
import { Tile } from "./Tile";

/** What a dashboard shows: HTML a model wrote, in the frame, or the widgets that were pinned to it. */
export function DashboardContent({ dashboard, owner = true }: { dashboard: Dashboard; owner?: boolean }) {
  const { t, date } = useSpeech();
  const { html, items } = dashboard;
  return (
    <div class="dashboard-content">
      {html && <Written outside={dashboard.outside} owner={owner} document={(still) => dashboardDocument(html, still)} title={dashboard.titulo} height={480} />}
      {html && <p class="hint">{t("dashboards.page_fixed", { date: date(dashboard.created_at) })}</p>}
      {items.length > 0 && (isArranged(dashboard) ? <Arranged items={items} /> : <Flowing items={items} />)}
      {!html && items.length === 0 && <p class="hint">{t(owner ? "board.empty" : "dashboards.nothing")}</p>}
    </div>
  );
}

export const slot = (item: Item) => (item.type === "text" ? "card-slot" : item.is_live ? "card-slot live" : "card-slot fixed");

export const area = ({ x, y, w, h }: Place) => ({ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` });

function Flowing({ items }: { items: Item[] }) {
  return (
    <div class="cards">
      {items.map((one) => (
        <div key={one.id} class={slot(one)}>
          <Tile item={one} />
        </div>
      ))}
    </div>
  );
}

/** In the order they are read: where there is room for one column only, they follow each other. */
function Arranged({ items }: { items: Item[] }) {
  const places = new Map(placed(items).map(({ id, place }) => [id, place]));
  const at = (item: Item) => places.get(item.id) ?? { x: 0, y: 0, w: 12, h: 2 };
  const ordered = [...items].sort((a, b) => at(a).y - at(b).y || at(a).x - at(b).x);
  return (
    <div class="board">
      {ordered.map((one) => (
        <div key={one.id} class={slot(one)} style={area(at(one))}>
          <Tile item={one} />
        </div>
      ))}
    </div>
  );
}
