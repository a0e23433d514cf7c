import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/**
 * Real agents against a scripted model; started by test/hosts/run.mjs, one agent at a time. A test is tried again, since
 * programs of others have luck of their own.
 */
export default defineConfig({
  test: { ...base.test, include: ["test/hosts/**/*.spec.ts"], maxWorkers: 1, testTimeout: 900_000, retry: 2, env: {} },
});
