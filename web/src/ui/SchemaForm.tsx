/** A form made from a JSON Schema: for approving with changes, and for trying a tool. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { Button, IconButton } from "./Button";
import { AreaField, Field, SelectField, Switch, TextField } from "./parts";
import { asNumber, required, type Schema, shapeOf } from "./schema";

interface SchemaFormProps {
  schema: Schema;
  value: Json;
  onChange(value: Json): void;
  /** Called with false while what is typed is not JSON. */
  onValid?(valid: boolean): void;
}

export function SchemaForm({ schema, value, onChange, onValid }: SchemaFormProps) {
  const { t } = useSpeech();
  const [raw, setRaw] = useState(false);
  const properties = Object.keys((schema["properties"] ?? {}) as object);
  const plain = value !== null && typeof value === "object" && !Array.isArray(value);
  const asJson = raw || !plain || properties.length === 0;
  return (
    <div class="schema-form">
      {asJson ? (
        <JsonField label={t("form.arguments")} value={value} onChange={onChange} onValid={onValid} rows={8} />
      ) : (
        <Properties schema={schema} root={schema} value={value} onChange={onChange} onValid={onValid} />
      )}
      {properties.length > 0 && plain && (
        <Button small kind="quiet" icon="code" onClick={() => setRaw(!raw)}>
          {t(raw ? "form.as_form" : "form.as_json")}
        </Button>
      )}
      {properties.length === 0 && <p class="hint">{t("form.no_arguments")}</p>}
    </div>
  );
}

interface PropertiesProps extends Omit<SchemaFormProps, "value"> {
  root: Schema;
  value: JsonObject;
}

/** The fields of one object. */
export function Properties({ schema, root, value, onChange, onValid }: PropertiesProps) {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  return (
    <>
      {Object.entries(properties).map(([name, property]) => (
        <Property
          key={name}
          name={name}
          schema={property}
          root={root}
          required={required(schema, name)}
          value={value[name]}
          onValid={onValid}
          onChange={(next) => {
            const { [name]: _, ...rest } = value;
            onChange(next === undefined ? rest : { ...value, [name]: next });
          }}
        />
      ))}
    </>
  );
}

interface PropertyProps {
  name: string;
  schema: Schema;
  root: Schema;
  required: boolean;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
  onValid?: ((valid: boolean) => void) | undefined;
}

function Property({ name, schema: given, root, required: must, value, onChange, onValid }: PropertyProps) {
  const { t } = useSpeech();
  const { kind, schema, choices } = shapeOf(given, root, name);
  const hint = typeof schema["description"] === "string" ? schema["description"] : undefined;
  const text = (next: string) => onChange(next === "" && !must ? undefined : next);
  const shown = value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

  switch (kind) {
    case "text":
      return <TextField label={name} hint={hint} value={shown} required={must} onText={text} />;
    case "long":
      return <AreaField label={name} hint={hint} value={shown} required={must} onText={text} rows={5} mono={/code|codigo|sql|query|consulta|html/i.test(name)} />;
    case "date":
      return <TextField type="date" label={name} hint={hint} value={shown} required={must} onText={text} />;
    case "number":
    case "integer":
      return (
        <TextField
          inputMode="decimal"
          label={name}
          hint={hint}
          value={shown}
          required={must}
          onText={(next) => onChange(next === "" ? undefined : asNumber(next))}
        />
      );
    case "boolean":
      return must ? (
        <Switch label={name} hint={hint ?? ""} checked={value === true} onChange={onChange} />
      ) : (
        <SelectField
          label={name}
          hint={hint}
          value={value === undefined || value === null ? "" : String(value)}
          options={[["", t("form.unset")], ["true", t("ui.yes")], ["false", t("ui.no")]]}
          onPick={(next) => onChange(next === "" ? undefined : next === "true")}
        />
      );
    case "choice":
      return (
        <SelectField
          label={name}
          hint={hint}
          value={value === undefined || value === null ? "" : JSON.stringify(value)}
          options={[...(must && value !== undefined ? [] : ([["", t("form.unset")]] as const)), ...choices.map((one) => [JSON.stringify(one), String(one)] as const)]}
          onPick={(next) => onChange(next === "" ? undefined : (JSON.parse(next) as Json))}
        />
      );
    case "list":
      return <ListField name={name} schema={schema} root={root} hint={hint} value={Array.isArray(value) ? value : []} onChange={(next) => onChange(next.length || must ? next : undefined)} />;
    case "object":
      return (
        <fieldset>
          <legend>{name}</legend>
          {hint && <p class="hint">{hint}</p>}
          <Properties schema={schema} root={root} value={(value ?? {}) as JsonObject} onChange={onChange} onValid={onValid} />
        </fieldset>
      );
    default:
      return <JsonField label={name} hint={hint} value={value ?? null} onChange={(next) => onChange(next === null && !must ? undefined : next)} onValid={onValid} />;
  }
}

interface ListProps {
  name: string;
  schema: Schema;
  root: Schema;
  hint: string | undefined;
  value: Json[];
  onChange(value: Json[]): void;
}

function ListField({ name, schema, root, hint, value, onChange }: ListProps) {
  const { t } = useSpeech();
  const item = shapeOf((schema["items"] ?? {}) as Schema, root);
  const numeric = item.kind === "number" || item.kind === "integer";
  const put = (index: number, text: string) => onChange(value.with(index, numeric ? asNumber(text) : text));
  return (
    <fieldset>
      <legend>{name}</legend>
      {hint && <p class="hint">{hint}</p>}
      {value.map((one, index) => (
        <div class="list-row" key={index}>
          <Field label={t("form.item", { n: index + 1 })}>
            {(id) =>
              item.kind === "choice" ? (
                <select id={id} value={JSON.stringify(one)} onChange={(event) => onChange(value.with(index, JSON.parse(event.currentTarget.value) as Json))}>
                  {item.choices.map((choice) => (
                    <option key={String(choice)} value={JSON.stringify(choice)} selected={choice === one}>
                      {String(choice)}
                    </option>
                  ))}
                </select>
              ) : (
                <input id={id} value={String(one ?? "")} onInput={(event) => put(index, event.currentTarget.value)} />
              )
            }
          </Field>
          <IconButton small icon="trash" label={t("form.remove_item", { n: index + 1 })} onClick={() => onChange(value.toSpliced(index, 1))} />
        </div>
      ))}
      <Button small kind="quiet" icon="plus" onClick={() => onChange([...value, item.kind === "choice" ? (item.choices[0] ?? "") : ""])}>
        {t("form.add_item")}
      </Button>
    </fieldset>
  );
}

interface JsonFieldProps {
  label: string;
  value: Json;
  onChange(value: Json): void;
  onValid?: ((valid: boolean) => void) | undefined;
  hint?: string | undefined;
  rows?: number;
}

export function JsonField({ label, value, onChange, onValid, hint, rows = 4 }: JsonFieldProps) {
  const { t } = useSpeech();
  const [text, setText] = useState(() => (value === null || value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [wrong, setWrong] = useState(false);
  const told = useRef(onValid);
  told.current = onValid;
  useEffect(() => () => told.current?.(true), []);
  const read = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? null : (JSON.parse(next) as Json));
      setWrong(false);
      onValid?.(true);
    } catch {
      setWrong(true);
      onValid?.(false);
    }
  };
  return <AreaField label={label} hint={hint} value={text} onText={read} rows={rows} mono error={wrong ? t("form.not_json") : null} />;
}
