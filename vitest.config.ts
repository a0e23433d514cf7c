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
    // What cannot be saved below a root goes to the user's state folder; tests that look at this say where that is.
    env: { XDG_STATE_HOME: "/dev/null/no-state-folder" },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", new ClosingLine()],
  },
});
