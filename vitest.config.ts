import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/support/closing-line.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/seeded-properties.ts"],
    // Long enough for a machine with other work; what waits for something waits for that, not for a time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // What is this user's own must not decide; tests that look at it say where it is.
    env: { XDG_STATE_HOME: "/dev/null/no-state-folder", XDG_CONFIG_HOME: "/dev/null/no-config-folder" },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", new ClosingLine()],
  },
});
