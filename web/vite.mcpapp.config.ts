import { defineConfig } from "vite";

/** The page for MCP clients: one script and one style sheet, which the server puts into one document. */
export default defineConfig({
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: `${process.env["BANCADA_WEB_OUT"] ?? "../src/bancada/server/static"}/static`,
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    reportCompressedSize: false,
    lib: { entry: "src/mcpapp.tsx", formats: ["iife"], name: "bancada", fileName: () => "mcp-app.js", cssFileName: "mcp-app" },
  },
});
