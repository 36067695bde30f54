import { useRef, useState } from "preact/hooks";
import { useSpeech, type Key, type Speech } from "../i18n";
import type { DataTable, Dataset, Lineage, Note } from "../state/chat";
import type { Conversation } from "../state/conversation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { Rows } from "../widgets/Rows";

const COLUMNS = 24;
const NOTES = 6;

/** A file that was uploaded: what is in it, what was guessed or left out, and what to ask of it. */
export function DataCard({ dataset, line, conversation, free }: { dataset: Dataset; line: Lineage; conversation: Conversation; free: boolean }) {
  const { t, count } = useSpeech();
  const [first] = dataset.tables;
  const several = dataset.tables.length > 1;
  const size = first && !several ? sizeOf(first, count) : "";
  return (
    <section class="data-card" aria-label={t("data.title", { name: dataset.file })}>
      <header>
        <Icon name="table" />
        <div>
          <h3>{dataset.file}</h3>
          {size && <p class="hint">{size}</p>}
        </div>
      </header>
      {line.before && <Instead before={line.before} now={dataset} />}
      <Notes notes={dataset.notes} />
      {dataset.tables.map((table) => (
        <OneTable key={table.name} table={table} titled={several} />
      ))}
      {dataset.unread.length > 0 && <Unread dataset={dataset} conversation={conversation} />}
      <p class="hint">{line.replaced ? t("data.replaced") : t("data.ask", { name: dataset.tables.map((table) => table.name).join(", ") })}</p>
      {line.newest && <Replace dataset={dataset} conversation={conversation} disabled={!free} />}
    </section>
  );
}

function sizeOf(table: DataTable, count: Speech["count"]): string {
  const rows = table.rows !== null ? count("data.rows", table.rows) : "";
  const columns = table.columns.length ? count("data.columns", table.columns.length) : "";
  return [rows, columns].filter(Boolean).join(" · ");
}

function OneTable({ table, titled }: { table: DataTable; titled: boolean }) {
  const { t, count } = useSpeech();
  const shown = table.columns.slice(0, COLUMNS);
  const left = table.columns.length - shown.length;
  return (
    <div class="data-table">
      {titled && (
        <h4>
          {t("data.sheet", { sheet: table.sheet ?? "", name: table.name })} <span class="hint">{sizeOf(table, count)}</span>
        </h4>
      )}
      <Notes notes={table.notes} />
      <ul class="chips" aria-label={t("data.columns_label")}>
        {shown.map((column) => (
          <li key={column.name}>
            {column.name} <span class="hint">{t(`type.${column.type}` as Key)}</span>
          </li>
        ))}
        {left > 0 && <li>{count("data.columns_more", left)}</li>}
      </ul>
      {table.preview.length > 0 && (
        <Rows columns={shown.map((column) => column.name)} rows={table.preview.map((row) => row.slice(0, COLUMNS))} label={t("data.preview", { name: table.name })} />
      )}
    </div>
  );
}

/** A line each. What changes figures comes first, as the server has them. */
function Notes({ notes }: { notes: Note[] }) {
  const speech = useSpeech();
  const [all, setAll] = useState(false);
  if (!notes.length) return null;
  const shown = all ? notes : notes.slice(0, NOTES);
  return (
    <div class="data-notes">
      <ul aria-label={speech.t("data.notes")}>
        {shown.map((note, index) => (
          <li key={index}>{sentenceOf(note, speech)}</li>
        ))}
      </ul>
      {shown.length < notes.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {speech.count("data.notes_more", notes.length - shown.length)}
        </button>
      )}
    </div>
  );
}

export function sentenceOf(note: Note, { t, number }: Pick<Speech, "t" | "number">): string {
  const words = Object.entries(note.parts).map(([name, part]) => {
    if (name === "kind") return [name, t(`type.${part}` as Key)];
    const plain = { maximumFractionDigits: 12, useGrouping: false };
    return [name, typeof part === "number" ? number(part, plain) : part];
  });
  const said = t(`note.${note.code}` as Key, Object.fromEntries(words));
  return note.line === null ? said : t("data.line", { line: note.line, said });
}

/** Sheets without a table can still be asked for; the file is sent again for it. */
function Unread({ dataset, conversation }: { dataset: Dataset; conversation: Conversation }) {
  const { t } = useSpeech();
  const picker = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const read = (sheet: string) => {
    const file = conversation.chosen(dataset.file);
    if (file) return void conversation.upload(file, sheet);
    setWanted(sheet);
    picker.current?.click();
  };
  return (
    <div class="data-sheets">
      <span class="hint">{t("data.other_sheets")}</span>
      {dataset.unread.map((sheet) => (
        <Button key={sheet.name} small kind="quiet" title={t("data.read_sheet", { sheet: sheet.name })} onClick={() => read(sheet.name)}>
          {sheet.name} {sheet.hidden && <span class="hint">({t("data.hidden")})</span>}
        </Button>
      ))}
      <input
        ref={picker}
        type="file"
        accept=".xlsx"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file && wanted !== null) void conversation.upload(file, wanted);
          event.currentTarget.value = "";
        }}
      />
      {wanted !== null && <p class="hint">{t("data.choose_again", { name: dataset.file, sheet: wanted })}</p>}
    </div>
  );
}

/** What took another's place: how many rows there were, and what may miss a column now. */
function Instead({ before, now }: { before: Dataset; now: Dataset }) {
  const { t, count } = useSpeech();
  const rows = (dataset: Dataset) => dataset.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0);
  const columns = new Set(now.tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`)));
  const lost = before.tables.flatMap((table) => table.columns.filter((column) => !columns.has(`${table.name}.${column.name}`)).map((column) => column.name));
  return (
    <>
      <p class="hint">{t("data.instead", { before: count("data.rows", rows(before)), now: count("data.rows", rows(now)) })}</p>
      {lost.length > 0 && <p class="note warn">{t("data.lost_columns", { names: lost.join(", ") })}</p>}
    </>
  );
}

/** New rows for the same table: what reads it reads them from then on, and the old ones are gone, so it is asked first. */
function Replace({ dataset, conversation, disabled }: { dataset: Dataset; conversation: Conversation; disabled: boolean }) {
  const { t } = useSpeech();
  const picker = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const ending = dataset.file.slice(dataset.file.lastIndexOf(".")).toLowerCase();
  const fits = file?.name.toLowerCase().endsWith(ending) ?? false;
  const [only] = dataset.tables;
  const close = () => {
    setAsking(false);
    setFile(null);
  };
  const send = () => {
    if (!file) return;
    // One sheet of a workbook stays that one sheet.
    const sheet = dataset.tables.length === 1 && dataset.unread.length > 0 ? (only?.sheet ?? null) : null;
    close();
    void conversation.upload(new File([file], dataset.file, { type: file.type }), sheet, true);
  };
  return (
    <div class="data-replace">
      <Button small kind="quiet" icon="retry" disabled={disabled} onClick={() => setAsking(true)}>
        {t("data.replace")}
      </Button>
      {asking && (
        <Dialog
          title={t("data.replace_title", { name: dataset.file })}
          onClose={close}
          footer={
            <>
              <Button onClick={close}>{t("ui.cancel")}</Button>
              <Button kind="danger" disabled={!fits} onClick={send}>
                {t("data.replace_do")}
              </Button>
            </>
          }
        >
          <p>{t("data.replace_what", { tables: dataset.tables.map((table) => table.name).join(", ") })}</p>
          <ul>
            <li>{t("data.replace_boards")}</li>
            <li>{t("data.replace_limits")}</li>
            <li>{t("data.replace_gone")}</li>
          </ul>
          <p>
            <Button icon="clip" onClick={() => picker.current?.click()}>
              {t("data.replace_choose")}
            </Button>{" "}
            {file && <strong>{file.name}</strong>}
          </p>
          {file && !fits && <p class="note warn">{t("data.replace_ending", { name: dataset.file, ending })}</p>}
          <input
            ref={picker}
            type="file"
            accept={ending}
            hidden
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0] ?? null);
              event.currentTarget.value = "";
            }}
          />
        </Dialog>
      )}
    </div>
  );
}
