import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Real frameworks against a scripted model; started by test/frameworks/run.mjs. */
export default defineConfig({
  test: { ...base.test, include: ["test/frameworks/**/*.spec.ts"], maxWorkers: 1 },
});
