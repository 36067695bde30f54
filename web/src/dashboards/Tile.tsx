import { useSpeech } from "../i18n";
import type { WidgetKind } from "../state/events";
import { Markdown } from "../ui/Markdown";
import { Note } from "../ui/parts";
import { Widget } from "../widgets/Widget";
import { type Item, nameOf } from "./dashboard";

/** One tile: its picture, and what must be known to read it. A picture of another filter is not shown as this one's. */
export function Tile({ item }: { item: Item }) {
  const { t, date, ago } = useSpeech();
  if (item.type === "text") return <TextTile item={item} />;
  return (
    <>
      {item.stale ? (
        <section class="widget stale" aria-label={nameOf(item)}>
          <h3>{nameOf(item)}</h3>
          <p class="hint">{t(item.error ? "board.nothing_filtered" : "board.not_yet")}</p>
        </section>
      ) : (
        <Widget kind={item.type as WidgetKind} data={item.data} />
      )}
      {item.filter_note && !item.stale && (
        <p class="hint filter-note">
          {item.filter_note} {!item.is_live && item.refreshed_at && t("board.of_day", { date: date(item.refreshed_at) })}
        </p>
      )}
      {item.is_live && !item.stale && item.refreshed_at && (
        <p class="hint live">
          <span class="dot live" aria-hidden="true" /> {t("dashboards.live", { when: ago(item.refreshed_at) })}
        </p>
      )}
      {!item.is_live && item.refreshed_at && !item.filter_note && <p class="hint fixed">{t("dashboards.fixed", { date: date(item.refreshed_at) })}</p>}
      {item.error && <Note kind="warn">{item.error}</Note>}
    </>
  );
}

function TextTile({ item }: { item: Item }) {
  return (
    <section class="widget text-widget" aria-label={nameOf(item)}>
      <Markdown text={String(item.data["text"] ?? "")} outside />
    </section>
  );
}
