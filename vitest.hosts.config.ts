import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/**
 * Real agents against a scripted model; started by test/hosts/run.mjs, one agent at a time. A test is tried again, since
 * the agents have luck of their own: opencode at times saves only half of a command's output before anyone reads it.
 */
export default defineConfig({
  test: { ...base.test, include: ["test/hosts/**/*.spec.ts"], maxWorkers: 1, testTimeout: 900_000, retry: 2, env: {} },
});
