import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** MCP in real agents against a scripted model; started by test/mcp/run.mjs, one agent at a time. */
export default defineConfig({
  test: { ...base.test, include: ["test/mcp/**/*.spec.ts"], maxWorkers: 1, testTimeout: 600_000, env: {} },
});
