import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

let folder = "";
const prelude = () => `
  import { Truncate, Tool, ObservationTruncator, createSpillway } from ${JSON.stringify(pathToFileURL(join(folder, "dist/index.mjs")).href)};
  const text = Array.from({ length: 9000 }, (_, at) => "line " + at).join("\\n");
  const envelope = { status: "success", data: { content: text }, text: "Read.", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
`;
const WAYS: Readonly<Record<string, readonly [tool: string, code: string]>> = {
  Truncate: ["output", "await Truncate.output('small'); await Truncate.output(text);"],
  "Tool.define": [
    "shout",
    `const tool = await Tool.define("shout", {
       description: "Shouts.", parameters: { parse: (value) => value },
       execute: async ({ words }) => ({ title: "Shout", output: words, metadata: {} }),
     }).init();
     await tool.execute({ words: "small" }, {}); await tool.execute({ words: text }, {});`,
  ],
  ObservationTruncator: [
    "Read",
    `const one = new ObservationTruncator({ root: process.cwd() });
     await one.truncate("Read", { ...envelope, data: { content: "small" } }); await one.truncate("Read", envelope);`,
  ],
  "a gate without flush": [
    "Fetch",
    "const gate = createSpillway(); await gate.govern('small', { tool: 'Fetch' }); await gate.govern(text, { tool: 'Fetch' });",
  ],
};
const ENDS: Readonly<Record<string, string>> = {
  "a natural end": "",
  "process.exit(0)": "process.exit(0);",
  "process.exit(3)": "process.exit(3);",
  "an error that nobody caught": "throw new Error('uncaught');",
};

function run(root: string, code: string) {
  const file = join(root, "program.mjs");
  writeFileSync(file, `${prelude()}${code}`);
  return spawnSync(process.execPath, [file], { cwd: root, encoding: "utf8" });
}

const statsOf = (root: string) =>
  JSON.parse(
    spawnSync(process.execPath, [join(folder, "bin/spillway.mjs"), "stats", "--json", "--root", root], {
      encoding: "utf8",
    }).stdout,
  );

beforeAll(async () => {
  ({ folder } = await builtPackage());
});

describe("what a program did not flush", () => {
  const cases = Object.entries(WAYS).flatMap(([way, [tool, code]]) =>
    Object.entries(ENDS).map(([end, last]) => [way, end, tool, code, last] as const),
  );

  it.each(cases)("%s is recorded after %s", (_, __, tool, code, last) => {
    const root = temporaryFolder("at-exit");
    run(root, `${code}\n${last}`);
    expect(JSON.stringify(statsOf(root))).toContain(`"${tool}"`);
    const lines = readFileSync(join(root, ".agents/stats.jsonl"), "utf8").trim().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    expect(records.filter((record) => record.before !== undefined)).toMatchObject([{ tool, before: { lines: 9000 } }]);
    expect(records.at(-1).counters[tool]).toMatchObject({ calls: 2, truncated: 1 });
  });

  it("is written once when the program flushes too, and goes to a sink that can still be waited for", () => {
    const root = temporaryFolder("at-exit");
    const { stdout } = run(
      root,
      `const gate = createSpillway(); await gate.govern(text); await gate.flush(); await gate.govern("small");
       const records = { addRecords: async (_, rows) => console.log(rows.length, "sent") };
       const other = createSpillway({ records }); await other.govern(text);`,
    );
    expect(stdout).toBe("2 sent\n");
    const lines = readFileSync(join(root, ".agents/stats.jsonl"), "utf8").trim().split("\n");
    const counted = lines.flatMap((line) => JSON.parse(line).counters?.tool?.calls ?? []);
    expect(counted).toEqual([1, 1]);
  });

  it("leaves no trace of outputs within limits, nor a folder that is gone", () => {
    const root = temporaryFolder("at-exit");
    run(root, "await Truncate.output('small'); await createSpillway().govern('small');");
    expect(existsSync(join(root, ".agents"))).toBe(false);
    const gone = join(root, "gone");
    mkdirSync(gone);
    run(
      root,
      `import { rmSync } from "node:fs"; process.chdir("gone"); await Truncate.output(text); process.chdir(".."); rmSync("gone", { recursive: true }); process.exit();`,
    );
    expect(existsSync(gone)).toBe(false);
    rmSync(root, { recursive: true });
  });
});
