import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The inspector in Chromium; started by test/browser/run.mjs. */
export default defineConfig({ test: { ...base.test, include: ["test/browser/*.spec.ts"], maxWorkers: 1 } });
