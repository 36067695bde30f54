import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { Button, IconButton } from "../ui/Button";
import { SelectField, Switch, TextField } from "../ui/parts";
import { JsonField } from "../ui/SchemaForm";
import { NEW_PARAMETER, type Parameter, type ParameterType, TYPES } from "./customTool";

interface ParameterRowsProps {
  rows: Parameter[];
  onChange(rows: Parameter[]): void;
  onValid(valid: boolean): void;
}

/** What the model fills in; the tool's schema is made from these rows. */
export function ParameterRows({ rows, onChange, onValid }: ParameterRowsProps) {
  const { t } = useSpeech();
  const put = (index: number, part: Partial<Parameter>) => onChange(rows.with(index, { ...(rows[index] as Parameter), ...part }));
  return (
    <section class="panel">
      <h2>{t("custom.parameters")}</h2>
      <div class="stack">
        {rows.length === 0 && <p class="hint">{t("custom.no_parameters")}</p>}
        {rows.map((row, index) => (
          <fieldset key={index} class="row-form">
            <legend class="visually-hidden">{row.name || t("form.item", { n: index + 1 })}</legend>
            <TextField label={t("users.name")} value={row.name} onText={(name) => put(index, { name })} required maxLength={64} />
            <SelectField<ParameterType> label={t("custom.type")} value={row.type} options={TYPES.map((type) => [type, type] as const)} onPick={(type) => put(index, { type })} />
            <TextField label={t("agent.description")} value={row.description} onText={(description) => put(index, { description })} />
            <Switch label={t("custom.required")} checked={row.is_required} onChange={(is_required) => put(index, { is_required, default_value: null })} />
            {!row.is_required && <JsonField label={t("custom.default")} value={row.default_value} onChange={(default_value: Json) => put(index, { default_value })} onValid={onValid} rows={1} />}
            <JsonField label={t("custom.constraints")} hint={t("custom.constraints_hint")} value={Object.keys(row.constraints).length ? row.constraints : null} onChange={(constraints) => put(index, { constraints: (constraints ?? {}) as JsonObject })} onValid={onValid} rows={1} />
            <IconButton icon="trash" label={t("form.remove_item", { n: index + 1 })} onClick={() => onChange(rows.toSpliced(index, 1))} />
          </fieldset>
        ))}
        <div>
          <Button small icon="plus" onClick={() => onChange([...rows, NEW_PARAMETER])}>
            {t("custom.add_parameter")}
          </Button>
        </div>
      </div>
    </section>
  );
}
