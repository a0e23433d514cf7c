import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/support/closing-line.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", new ClosingLine()],
  },
});
