/** One filter for every tile that comes from a query; the server puts it into the queries. */
import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Wire } from "../api/wire";
import { useSpeech } from "../i18n";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/ErrorNote";
import { useAction, useLoad } from "../ui/hooks";
import { Await, Check, SelectField, TextField } from "../ui/parts";
import type { Dashboard } from "./dashboard";

type Filter = NonNullable<Dashboard["filter"]>;
type Column = Wire["BoardColumn"];

/** What a board is filtered by, in words. */
export function FilterWords({ filter }: { filter: Filter }) {
  const { t, date } = useSpeech();
  const { since, until, column, values } = filter;
  // A day has no hour: read as one it would be the day before, west of Greenwich.
  const day = (text: string) => date(`${text}T12:00:00`);
  const words = [
    since && until ? t("board.between", { since: day(since), until: day(until) }) : since ? t("board.since", { since: day(since) }) : until ? t("board.until", { until: day(until) }) : null,
    column && values?.length ? `${column}: ${values.map((one) => one ?? t("board.empty_cell")).join(", ")}` : null,
  ];
  return <>{words.filter(Boolean).join(" · ")}</>;
}

export function FilterBar({ dashboard, onFilter, onClose }: { dashboard: Dashboard; onFilter(next: Dashboard): Promise<unknown>; onClose(): void }) {
  const { t } = useSpeech();
  const { id } = dashboard;
  const columns = useLoad((signal) => api.get("/dashboards/{id}/columns", { path: { id }, signal }), [id]);
  const [filter, setFilter] = useState<Filter>(dashboard.filter ?? { since: null, until: null, dates: null, column: null, values: [] });
  const change = (some: Partial<Filter>) => setFilter({ ...filter, ...some });
  const [apply, applying, problem] = useAction(async (next: Filter | null) => {
    await onFilter(await api.patch("/dashboards/{id}", { path: { id }, body: { filter: next } }));
    onClose();
  });
  return (
    <form
      class="filter-bar panel"
      aria-label={t("board.filter")}
      onSubmit={(event) => {
        event.preventDefault();
        void apply(filter);
      }}
    >
      <Await of={columns}>
        {(list) =>
          list.length === 0 ? (
            <p class="hint">{t("board.no_columns")}</p>
          ) : (
            <>
              <Days list={list} filter={filter} onChange={change} />
              <SelectField
                label={t("board.column")}
                value={filter.column ?? ""}
                onPick={(column) => change({ column: column || null, values: [] })}
                options={[["", t("board.any_column")], ...names(list.filter((one) => !one.is_dates))]}
              />
              {filter.column && <Values id={id} column={filter.column} chosen={filter.values ?? []} onChange={(values) => change({ values })} />}
            </>
          )
        }
      </Await>
      <ErrorNote problem={problem} />
      <div class="form-actions">
        <Button onClick={onClose}>{t("ui.cancel")}</Button>
        {dashboard.filter && (
          <Button busy={applying} onClick={() => void apply(null)}>
            {t("board.unfilter")}
          </Button>
        )}
        <Button kind="primary" type="submit" busy={applying} disabled={!columns.data?.length}>
          {t("board.apply")}
        </Button>
      </div>
    </form>
  );
}

const names = (list: Column[]) => [...new Set(list.map((one) => one.name))].map((name) => [name, name] as const);

function Days({ list, filter, onChange }: { list: Column[]; filter: Filter; onChange(some: Partial<Filter>): void }) {
  const { t } = useSpeech();
  const days = names(list.filter((one) => one.is_dates));
  if (!days.length) return <p class="hint">{t("board.no_dates")}</p>;
  return (
    <div class="form-grid">
      <TextField type="date" label={t("board.from_day")} value={filter.since ?? ""} onText={(since) => onChange({ since: since || null })} />
      <TextField type="date" label={t("board.to_day")} value={filter.until ?? ""} onText={(until) => onChange({ until: until || null })} />
      {days.length > 1 && <SelectField label={t("board.dates")} value={filter.dates ?? ""} onPick={(dates) => onChange({ dates: dates || null })} options={[["", t("board.only_dates")], ...days]} />}
    </div>
  );
}

function Values({ id, column, chosen, onChange }: { id: string; column: string; chosen: (string | null)[]; onChange(values: (string | null)[]): void }) {
  const { t } = useSpeech();
  const loaded = useLoad((signal) => api.get("/dashboards/{id}/values", { path: { id }, query: { column }, signal }), [id, column]);
  const flip = (value: string | null, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset class="values">
      <legend>{t("board.values", { column })}</legend>
      <Await of={loaded}>
        {({ values, more }) => (
          <>
            <div class="checks">
              {[...new Set([...values, ...chosen])].map((value) => (
                <Check key={value ?? " "} label={value ?? t("board.empty_cell")} checked={chosen.includes(value)} onChange={(on) => flip(value, on)} />
              ))}
            </div>
            {more && <p class="hint">{t("board.more_values", { n: values.length })}</p>}
          </>
        )}
      </Await>
    </fieldset>
  );
}
