/** A custom tool as it is written: parameters are rows, and what belongs in the definition depends on the kind. */
import type { Wire } from "../api/wire";
import type { Json, JsonObject } from "../state/events";
import type { Role } from "../state/person";

export const KINDS = ["http", "sql", "python", "composed"] as const;
export type Kind = (typeof KINDS)[number];
export const TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;
export type ParameterType = (typeof TYPES)[number];
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

export interface Parameter {
  name: string;
  type: ParameterType;
  description: string;
  is_required: boolean;
  default_value: Json;
  constraints: JsonObject;
}

export interface CustomTool {
  name: string;
  kind: Kind;
  description: string;
  effect: "read" | "write";
  permission_level: Role;
  requires_confirmation: boolean;
  allowed_callers: string[];
  parameters: Parameter[];
  definition: JsonObject;
}

export const EXAMPLES: Record<Kind, JsonObject> = {
  http: { method: "GET", url: "https://api.example.com/items/{id}" },
  sql: { database: "", sql: "SELECT name FROM items WHERE id = :id" },
  python: { code: "result = input['a'] + input['b']\n" },
  composed: { steps: [{ name: "found", tool: "", input: {} }], result: "{found}" },
};

export const NEW: CustomTool = {
  name: "",
  kind: "http",
  description: "",
  effect: "read",
  permission_level: "operador",
  requires_confirmation: false,
  allowed_callers: ["direct", "code_execution_20260120"],
  parameters: [],
  definition: EXAMPLES.http,
};

export const NEW_PARAMETER: Parameter = { name: "", type: "string", description: "", is_required: true, default_value: null, constraints: {} };

/** A tool as the server keeps it: it was checked when it was written. */
export const written = (kept: Wire["CustomToolOut"]): CustomTool => kept as Wire["CustomToolOut"] & CustomTool;

type NewTool = Wire["HttpTool" | "SqlTool" | "PythonTool" | "ComposedTool"];

/** The tool as the server takes it: what is empty is left out. */
export function sent(tool: CustomTool): Wire["ToolRedefined"] {
  return {
    kind: tool.kind,
    description: tool.description.trim(),
    effect: tool.effect,
    permission_level: tool.permission_level,
    requires_confirmation: tool.requires_confirmation,
    allowed_callers: tool.allowed_callers as Wire["ToolRedefined"]["allowed_callers"],
    parameters: tool.parameters.map(({ default_value, constraints, ...rest }) => ({
      ...rest,
      name: rest.name.trim(),
      ...(rest.is_required || default_value === null ? {} : { default_value }),
      ...(Object.keys(constraints).length ? { constraints } : {}),
    })),
    definition: Object.fromEntries(Object.entries(tool.definition).filter(([, value]) => value !== null && value !== "")),
  };
}

/** A new one, with its name. Whether a definition is one of its kind, the server says. */
export const named = (name: string, tool: CustomTool): NewTool => ({ name, ...sent(tool) }) as NewTool;
