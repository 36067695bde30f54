import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/**
 * One copy of Chart.js, at an address that does not change: the app loads it when the first
 * chart appears, and pages written by the model load it inside the frame.
 */
function chartFile(): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve("chart.js"));
  const source = () => readFileSync(join(folder, "chart.umd.min.js"), "utf8").replace(/\n\/\/# sourceMapping.*/, "");
  return {
    name: "bancada-chart-file",
    configureServer(server) {
      server.middlewares.use("/static/chart.js", (_request, response) => {
        response.setHeader("content-type", "text/javascript");
        response.end(source());
      });
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "static/chart.js", source: source() });
    },
  };
}

const server = process.env["BANCADA_URL"] ?? "http://127.0.0.1:8321";
const served = ["/auth", "/me", "/agents", "/conversations", "/confirmations", "/dashboards", "/files", "/admin",
  "/messages", "/health", "/ready", "/system", "/shared", "/setup", "/tools"];

export default defineConfig({
  plugins: [chartFile()],
  build: {
    outDir: process.env["BANCADA_WEB_OUT"] ?? "../src/bancada/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The first that know light-dark(): written out for older ones, a canvas could not read the colours.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, server])) },
  test: { environment: "jsdom", setupFiles: ["tests/languages.ts"], include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"] },
} as Parameters<typeof defineConfig>[0]);
