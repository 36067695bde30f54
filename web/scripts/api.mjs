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
// The shapes are what the app reads; how each route may fail is for other clients.
const types = await openapiTS({ ...document, paths: {} }, { alphabetize: true });
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
