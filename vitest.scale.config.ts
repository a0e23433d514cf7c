import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/support/closing-line.ts";

/** The suites against real servers: `npm run test:scale` starts these and says where they are. */
export default defineConfig({
  test: {
    include: ["test/scale/**/*.spec.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { XDG_STATE_HOME: "/dev/null/no-state-folder", AWS_EC2_METADATA_DISABLED: "true" },
    pool: "forks",
    maxWorkers: 1,
    reporters: ["default", new ClosingLine()],
  },
});
