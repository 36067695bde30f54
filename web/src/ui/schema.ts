/** Reading a JSON Schema for a form: what kind of input each part wants. No markup. */
import type { Json, JsonObject } from "../state/events";

export type Schema = JsonObject;

export type Kind = "text" | "long" | "date" | "number" | "integer" | "boolean" | "choice" | "list" | "object" | "json";

export interface Shape {
  kind: Kind;
  schema: Schema;
  nullable: boolean;
  choices: Json[];
}

const LONG = /^(code|codigo|sql|query|consulta|html|body|content|texto|mensagem|message|descricao|description|template)$/i;

export function resolve(schema: Schema, root: Schema, depth = 0): Schema {
  const ref = schema["$ref"];
  if (typeof ref !== "string" || !ref.startsWith("#/") || depth > 8) return schema;
  let found: Json | undefined = root;
  for (const step of ref.slice(2).split("/")) found = (found as JsonObject | undefined)?.[step.replace(/~1/g, "/").replace(/~0/g, "~")];
  const { $ref: _, ...rest } = schema;
  return found && typeof found === "object" && !Array.isArray(found) ? resolve({ ...found, ...rest }, root, depth + 1) : schema;
}

export function shapeOf(given: Schema, root: Schema, name = ""): Shape {
  let schema = resolve(given, root);
  let nullable = false;
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (Array.isArray(options)) {
    const real = (options as Schema[]).map((one) => resolve(one, root)).filter((one) => one["type"] !== "null");
    nullable = real.length < options.length;
    const { anyOf: _a, oneOf: _o, ...rest } = schema;
    if (real.length === 1) schema = { ...rest, ...real[0] };
    else if (real.every((one) => "const" in one)) schema = { ...rest, enum: real.map((one) => one["const"] as Json) };
    else return { kind: "json", schema, nullable, choices: [] };
  }
  let type = schema["type"];
  if (Array.isArray(type)) {
    nullable ||= type.includes("null");
    const real = type.filter((one) => one !== "null");
    type = real.length === 1 ? (real[0] as string) : undefined;
  }
  const of = (kind: Kind, choices: Json[] = []): Shape => ({ kind, schema, nullable, choices });
  if (Array.isArray(schema["enum"])) return of("choice", schema["enum"].filter((one) => one !== null));
  if ("const" in schema) return of("choice", [schema["const"] as Json]);
  switch (type) {
    case "string":
      if (schema["format"] === "date") return of("date");
      return of(LONG.test(name) || Number(schema["maxLength"] ?? 0) > 300 ? "long" : "text");
    case "number":
      return of("number");
    case "integer":
      return of("integer");
    case "boolean":
      return of("boolean");
    case "array": {
      const items = schema["items"];
      const inner = items && typeof items === "object" && !Array.isArray(items) ? shapeOf(items, root) : null;
      return of(inner && ["text", "long", "number", "integer", "choice", "date"].includes(inner.kind) ? "list" : "json");
    }
    case "object":
      return of(schema["properties"] && Object.keys(schema["properties"]).length ? "object" : "json");
    default:
      return of("json");
  }
}

/** Where a form starts: the schema's defaults, and nothing invented. */
export function startValue(schema: Schema, root: Schema = schema): JsonObject {
  const value: JsonObject = {};
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  for (const [name, property] of Object.entries(properties)) {
    const shape = shapeOf(property, root, name);
    if ("default" in shape.schema && shape.schema["default"] !== null) value[name] = shape.schema["default"] as Json;
    else if (shape.kind === "object" && required(schema, name)) value[name] = startValue(shape.schema, root);
  }
  return value;
}

export function required(schema: Schema, name: string): boolean {
  return Array.isArray(schema["required"]) && schema["required"].includes(name);
}

/** Text typed for a number, as the number; what is not one stays text, so that the server can say so. */
export function asNumber(text: string): Json {
  if (text.trim() === "") return null;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value : text;
}
