import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fieldsOf } from "../../src/bytes/json/is-object.ts";
import { PROJECT } from "../support/build.ts";

const pages = readdirSync(join(PROJECT, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
  /^(?!internal).*\.md$/.test(name),
);

/** Results in JSON on all pages, also those that a command prints. */
const results = pages.flatMap((name) => {
  const page = readFileSync(join(PROJECT, "docs", name), "utf8");
  return [...page.matchAll(/^\{\n[\s\S]*?^\}/gm)].flatMap(([source]) => {
    try {
      const result = fieldsOf(JSON.parse(source));
      return "stats" in result ? [[name, source, result] as const] : [];
    } catch {
      return []; // with parts left out
    }
  });
});

it("no result on a page says that a call succeeded beside a failure", () => {
  expect(results.length).toBeGreaterThan(3);
  const wrong = results.filter(([, source, { status, stats }]) => {
    const { exit_code: code } = fieldsOf(stats);
    const failed = status === "error" || (typeof code === "number" && code !== 0);
    return failed && /call succeeded/.test(source);
  });
  expect(wrong.map(([name, source]) => `${name}: ${source}`)).toEqual([]);
});
