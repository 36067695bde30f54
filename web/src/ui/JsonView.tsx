import type { Json, JsonObject } from "../state/events";
import { CodeBlock } from "./CodeBlock";
import { memo } from "./memo";

const CODE: Record<string, string> = { code: "python", codigo: "python", sql: "sql", query: "sql", consulta: "sql", html: "html" };
const MOST = 20_000;

/** A call's arguments or result: names and values where they are simple, JSON where they are not. */
export const JsonView = memo(function JsonView({ value, label }: { value: Json | undefined; label: string }) {
  if (value === undefined) return null;
  const parsed = typeof value === "string" ? parse(value) : value;
  if (parsed && typeof parsed === "object" && !Array.isArray(parsed)) {
    const entries = Object.entries(parsed as JsonObject);
    if (entries.length && entries.length <= 12 && entries.every(([name, one]) => simple(name, one))) return <Pairs entries={entries} label={label} />;
  }
  const text = typeof parsed === "string" ? parsed : JSON.stringify(parsed, null, 2);
  const cut = text.length > MOST ? `${text.slice(0, MOST)}\n…` : text;
  return <CodeBlock text={cut} language={typeof parsed === "string" ? "" : "json"} label={label} />;
});

function parse(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function simple(name: string, value: Json): boolean {
  return value === null || typeof value !== "object" || (typeof value === "string" && name in CODE);
}

function Pairs({ entries, label }: { entries: [string, Json][]; label: string }) {
  return (
    <dl class="pairs" aria-label={label}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">
            {typeof value === "string" && (name in CODE || value.includes("\n")) ? (
              <CodeBlock text={value} language={CODE[name] ?? ""} label={name} />
            ) : (
              String(value ?? "—")
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
