// Write src/api/schema.ts: the server's own types, from its OpenAPI.
//
//   npm run api                 ask the installed server package
//   npm run api -- --check      fail if the file is not what the server says
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(web, "src", "api", "schema.ts");
const local = join(web, "..", ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(local) ? local : "python3");

const print = [
  "import json",
  "from bancada.server.app import create_app",
  "from bancada.settings import Settings",
  "print(json.dumps(create_app(Settings()).openapi()))",
].join("\n");

const document = JSON.parse(execFileSync(python, ["-c", print], { encoding: "utf8", maxBuffer: 1 << 28 }));
const schemas = document.components.schemas;

/** Every schema that is named in a part of the document, or by one that is. */
function named(part, known = new Set()) {
  if (typeof part !== "object" || part === null) return known;
  const name = typeof part.$ref === "string" ? part.$ref.split("/").at(-1) : null;
  if (name && !known.has(name)) named(schemas[name], known.add(name));
  for (const inner of Object.values(part)) named(inner, known);
  return known;
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
for (const operation of operations) {
  // What a route answers with is what the app reads; each way to fail is a `Problem`.
  operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status < "4"));
  delete operation.operationId;
}
// What has a default is taken to be always there, as in an answer; of a request it may be left out.
for (const name of named(operations.map((operation) => operation.requestBody))) {
  for (const property of Object.values(schemas[name].properties ?? {})) delete property.default;
}

const types = await openapiTS(document, { alphabetize: true });
const text = `// Made by \`npm run api\` from the server's OpenAPI. Do not edit.\n\n${astToString(types)}`;

if (process.argv.includes("--check")) {
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error("src/api/schema.ts is not what the server says: run `npm run api` in web/.");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
  console.log(`${text.split("\n").length} lines`);
}
