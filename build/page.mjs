import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the inspector's page into the package, one script and one style sheet. */
export async function buildPage(outDir) {
  await build({
    root: fileURLToPath(new URL("../src/ui/web/", import.meta.url)),
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: {
        output: {
          entryFileNames: "assets/page.js",
          assetFileNames: "assets/page[extname]",
          codeSplitting: false,
        },
      },
    },
  });
}
