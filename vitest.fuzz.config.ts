import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const seconds = process.env.SPILLWAY_FUZZ_SECONDS ?? "60";

/** The free search: only files with properties, new seeds, 100 times the runs or so many seconds for each property. */
export default defineConfig({
  test: {
    ...base.test,
    include: readdirSync("test", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => join("test", file))
      .filter((file) => /fast-check|shape-laws/.test(readFileSync(file, "utf8"))),
    env: { SPILLWAY_FUZZ_SECONDS: seconds },
    testTimeout: (Number(seconds) * 10 + 60) * 1000,
  },
});
