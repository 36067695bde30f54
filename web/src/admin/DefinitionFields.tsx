import { useSpeech } from "../i18n";
import type { Json, JsonObject } from "../state/events";
import { AreaField, SelectField, TextField } from "../ui/parts";
import { JsonField } from "../ui/SchemaForm";
import { type Kind, METHODS } from "./customTool";

interface DefinitionFieldsProps {
  kind: Kind;
  value: JsonObject;
  onChange(value: JsonObject): void;
  onValid(valid: boolean): void;
}

export function DefinitionFields({ kind, value, onChange, onValid }: DefinitionFieldsProps) {
  const { t } = useSpeech();
  const put = (part: JsonObject) => onChange({ ...value, ...part });
  const text = (key: string) => (typeof value[key] === "string" ? (value[key] as string) : "");
  const json = (key: string, label: string, hint?: string) => (
    <JsonField label={label} hint={hint} value={value[key] ?? null} onChange={(next: Json) => put({ [key]: next })} onValid={onValid} rows={3} />
  );
  const timeout = (
    <TextField type="number" label={t("custom.timeout")} value={typeof value["timeout"] === "number" ? value["timeout"] : ""} onText={(next) => put({ timeout: next === "" ? null : Number(next) })} />
  );
  switch (kind) {
    case "http":
      return (
        <div class="form-grid">
          <SelectField label={t("custom.method")} value={text("method") || "GET"} options={METHODS.map((one) => [one, one] as const)} onPick={(method) => put({ method })} />
          {timeout}
          <div class="span">
            <TextField label={t("custom.url")} hint={t("custom.url_hint")} value={text("url")} onText={(url) => put({ url })} required />
          </div>
          {json("query", t("custom.query"))}
          {json("headers", t("custom.headers"), t("custom.headers_hint"))}
          {json("body", t("custom.body"))}
          <TextField label={t("custom.result")} hint={t("custom.result_hint")} value={text("result")} onText={(result) => put({ result })} />
        </div>
      );
    case "sql":
      return (
        <div class="form-grid">
          <TextField label={t("custom.database")} hint={t("custom.database_hint")} value={text("database")} onText={(database) => put({ database })} required />
          {timeout}
          <div class="span">
            <AreaField mono label="SQL" hint={t("custom.sql_hint")} value={text("sql")} rows={6} onText={(sql) => put({ sql })} required />
          </div>
        </div>
      );
    case "python":
      return (
        <div class="form-grid">
          <div class="span">
            <AreaField mono label="Python" hint={t("custom.python_hint")} value={text("code")} rows={10} onText={(code) => put({ code })} required />
          </div>
          {timeout}
        </div>
      );
    case "composed":
      return (
        <div class="stack">
          <JsonField label={t("custom.steps")} hint={t("custom.steps_hint")} value={value["steps"] ?? []} onChange={(steps) => put({ steps })} onValid={onValid} rows={10} />
          {json("result", t("custom.result"))}
        </div>
      );
  }
}
