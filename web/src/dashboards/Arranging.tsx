/** Arranging a board: drag, resize, remove, write. Nothing is kept until it is saved. */
import { useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import { useSpeech } from "../i18n";
import { announce } from "../ui/announce";
import { Button, IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { AreaField } from "../ui/parts";
import { area, slot } from "./DashboardContent";
import { type Dashboard, type Item, nameOf } from "./dashboard";
import { isStep, moved, type Placed, placed, stepped } from "./grid";
import { Tile } from "./Tile";

const NEW = "new-";

function newText(id: string, text: string): Item {
  return { id, type: "text", data: { text }, call: null, refreshed_at: null, is_live: false, error: null, place: null, filter_note: null, stale: false };
}

export function Arranging({ dashboard, onDone }: { dashboard: Dashboard; onDone(saved: Dashboard | null): void }) {
  const { t } = useSpeech();
  const [items, setItems] = useState(dashboard.items);
  const [tiles, setTiles] = useState(() => placed(dashboard.items));
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [writing, setWriting] = useState<Item | null>(null);
  const [save, saving, problem] = useAction(async () => {
    const place = new Map(tiles.map((one) => [one.id, one.place]));
    const kept = new Set(items.map((one) => one.id));
    onDone(
      await api.patch("/dashboards/{id}", {
        path: { id: dashboard.id },
        body: {
          items: items.map((one) => ({
            id: one.id.startsWith(NEW) ? null : one.id,
            place: place.get(one.id),
            text: one.type === "text" && changed.has(one.id) ? (one.data["text"] as string) : null,
          })),
          removed: dashboard.items.filter((one) => !kept.has(one.id)).map((one) => one.id),
        },
      }),
    );
  });
  const say = (next: Placed[], item: Item) => {
    const place = next.find((one) => one.id === item.id)?.place;
    setTiles(next);
    if (place) announce(t("board.place", { name: nameOf(item), column: place.x + 1, row: place.y + 1, width: place.w, height: place.h }));
  };
  const remove = (item: Item) => {
    setItems(items.filter((one) => one.id !== item.id));
    setTiles(tiles.filter((one) => one.id !== item.id));
    announce(t("board.removed", { name: nameOf(item) }));
  };
  const write = (item: Item, text: string) => {
    const next = { ...item, data: { ...item.data, text } };
    const known = items.some((one) => one.id === item.id);
    const all = known ? items.map((one) => (one.id === item.id ? next : one)) : [...items, next];
    setItems(all);
    setChanged(new Set([...changed, item.id]));
    if (!known) setTiles(placed(all.map((one) => ({ ...one, place: tiles.find(({ id }) => id === one.id)?.place ?? null }))));
    setWriting(null);
  };
  return (
    <div class="arranging">
      <div class="arrange-bar" role="toolbar" aria-label={t("board.arrange")}>
        <p class="hint" id="arrange-how">
          {t("board.how")}
        </p>
        <div class="page-actions">
          <Button icon="edit" onClick={() => setWriting(newText(`${NEW}${items.length}-${tiles.length}-${changed.size}`, ""))}>
            {t("board.add_text")}
          </Button>
          <Button onClick={() => onDone(null)}>{t("ui.cancel")}</Button>
          <Button kind="primary" icon="check" busy={saving} onClick={() => void save()}>
            {t("ui.save")}
          </Button>
        </div>
      </div>
      <ErrorNote problem={problem} />
      <div class="board-scroll">
        <Board items={items} tiles={tiles} onMove={setTiles} onKey={say} onRemove={remove} onWrite={setWriting} />
      </div>
      {writing && <Writing item={writing} onWrite={(text) => write(writing, text)} onClose={() => setWriting(null)} />}
    </div>
  );
}

interface BoardProps {
  items: Item[];
  tiles: Placed[];
  onMove(tiles: Placed[]): void;
  onKey(tiles: Placed[], item: Item): void;
  onRemove(item: Item): void;
  onWrite(item: Item): void;
}

interface Held {
  id: string;
  resize: boolean;
  x: number;
  y: number;
  /** As it was when the tile was taken: every movement is reckoned from there. */
  before: Placed[];
}

function Board({ items, tiles, onMove, onKey, onRemove, onWrite }: BoardProps) {
  const { t } = useSpeech();
  const board = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  const [holding, setHolding] = useState<string | null>(null);
  const take = (id: string, resize: boolean) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { id, resize, x: event.clientX, y: event.clientY, before: tiles };
    setHolding(id);
  };
  const drag = (event: PointerEvent) => {
    const now = held.current;
    const origin = now?.before.find((one) => one.id === now.id)?.place;
    if (!now || !origin || !board.current) return;
    const style = getComputedStyle(board.current);
    const gap = parseFloat(style.columnGap) || 0;
    const columns = style.gridTemplateColumns.split(" ").length;
    const dx = Math.round((event.clientX - now.x) / ((board.current.clientWidth + gap) / columns));
    const dy = Math.round((event.clientY - now.y) / ((parseFloat(style.gridAutoRows) || 80) + gap));
    const { x, y, w, h } = origin;
    onMove(moved(now.before, now.id, now.resize ? { x, y, w: Math.min(w + dx, 12 - x), h: h + dy } : { x: x + dx, y: y + dy, w, h }));
  };
  const drop = () => {
    held.current = null;
    setHolding(null);
  };
  const keys = (item: Item, resize: boolean) => (event: KeyboardEvent) => {
    if (!isStep(event.key)) return;
    event.preventDefault();
    onKey(stepped(tiles, item.id, event.key, resize || event.shiftKey), item);
  };
  const grip = (item: Item, resize: boolean) => ({
    onPointerDown: take(item.id, resize),
    onPointerMove: drag,
    onPointerUp: drop,
    onPointerCancel: drop,
    onKeyDown: keys(item, resize),
    "aria-describedby": "arrange-how",
  });
  return (
    <div class="board editing" ref={board}>
      {items.map((item) => {
        const place = tiles.find((one) => one.id === item.id)?.place;
        if (!place) return null;
        const name = nameOf(item);
        return (
          <div key={item.id} class={`${slot(item)}${holding === item.id ? " held" : ""}`} style={area(place)}>
            <div class="tile-bar">
              <button type="button" class="grip" aria-label={t("board.move", { name })} {...grip(item, false)}>
                <Icon name="menu" size={16} /> <span>{name}</span>
              </button>
              {item.type === "text" && <IconButton small icon="edit" label={t("board.write", { name })} onClick={() => onWrite(item)} />}
              <IconButton small icon="trash" label={t("board.remove", { name })} onClick={() => onRemove(item)} />
            </div>
            <div class="tile-picture" inert>
              <Tile item={item} />
            </div>
            <button type="button" class="corner" aria-label={t("board.resize", { name })} {...grip(item, true)} />
          </div>
        );
      })}
    </div>
  );
}

function Writing({ item, onWrite, onClose }: { item: Item; onWrite(text: string): void; onClose(): void }) {
  const { t } = useSpeech();
  const [text, setText] = useState(String(item.data["text"] ?? ""));
  return (
    <Dialog title={t("board.text")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onWrite(text);
        }}
      >
        <AreaField label={t("board.text_words")} value={text} onText={setText} rows={6} required hint={t("board.text_hint")} />
        <div class="form-actions">
          <Button onClick={onClose}>{t("ui.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={!text.trim()}>
            {t("board.text_done")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
