import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The package under Bun and Deno; started by test/runtimes/run.mjs. */
export default defineConfig({
  test: { ...base.test, include: ["test/runtimes/**/*.spec.ts"], maxWorkers: 1 },
});
