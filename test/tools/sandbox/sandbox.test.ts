import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { bundleScript } from "../../support/bundle.ts";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

/** Calls tools as a user without rights and prints the answers. */
const AS_NOBODY = `
  import { createSpillway } from "src/gate/spillway.ts";
  import { builtInTools, createToolRegistry } from "src/tools/index.ts";
  const [root, calls] = process.argv.slice(2);
  const registry = createToolRegistry({ spillway: createSpillway({ root, env: {} }), tools: builtInTools });
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
  const responses = [];
  for (const [name, params] of JSON.parse(calls)) responses.push((await registry.call(name, params)).response);
  process.stdout.write(JSON.stringify(responses));
`;

describe("the sandbox", () => {
  const space = createWorkspace();
  const outside = path.join(path.dirname(space.root), "outside");
  mkdirSync(outside);
  writeFileSync(path.join(outside, "secret.txt"), "secret words\n");
  space.write("inside.txt", "fine\n");
  mkdirSync(space.path("dir"));
  symlinkSync(outside, space.path("way-out"));
  symlinkSync(path.join(outside, "secret.txt"), space.path("file-out"));
  symlinkSync(path.join(outside, "not-yet.txt"), space.path("dangling-out"));
  symlinkSync("loop", space.path("loop"));

  const ways = [
    "../outside/secret.txt",
    "dir/../../outside/secret.txt",
    path.join(outside, "secret.txt"),
    "way-out/secret.txt",
    "file-out",
  ];

  it.each(ways)("reads nothing through %s", async (way) => {
    for (const [tool, params] of [
      ["Read", { path: way }],
      ["Read", { path: way, bytes: "0-10" }],
      ["Grep", { path: way, pattern: "secret" }],
      ["Edit", { path: way, old_string: "secret", new_string: "x" }],
      ["Write", { path: way, content: "x" }],
    ] as const) {
      const response = expectError(await space.call(tool, params), "ACCESS_DENIED");
      expect(JSON.stringify(response.data)).not.toContain("secret");
    }
    expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).toBe("secret words\n");
  });

  it.each(["..", "way-out", "/", outside])("lists, searches and runs nothing in %s", async (way) => {
    for (const [tool, params] of [
      ["LS", {}],
      ["Glob", { pattern: "*" }],
      ["RepoStructure", {}],
      ["RepoMap", {}],
    ] as const) {
      expectError(await space.call(tool, { ...params, path: way }), "ACCESS_DENIED");
    }
    expectError(await space.call("Bash", { command: "pwd", cwd: way }), "ACCESS_DENIED");
  });

  it("writes nothing through a link whose target is missing", async () => {
    expectError(await space.call("Write", { path: "dangling-out", content: "x" }), "ACCESS_DENIED");
    expectError(await space.call("Write", { path: "way-out/new/deep.txt", content: "x" }), "ACCESS_DENIED");
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  });

  it("does not follow links while it walks", async () => {
    const grep = expectEnvelope(await space.call("Grep", { pattern: "secret" }), "grep");
    expect(grep.data.matches).toEqual([]);
    expect((await space.call("Glob", { pattern: "**/*" })).data.paths).toEqual(["inside.txt"]);
  });

  it("accepts an absolute path below the root, and refuses a link to itself", async () => {
    expect((await space.call("Read", { path: space.path("inside.txt") })).context.path_resolved).toBe("inside.txt");
    expectError(await space.call("Read", { path: "loop" }), "INVALID_PARAM");
  });

  it.runIf(process.platform === "linux")(
    "reads and writes nothing outside while links are swapped in and out",
    async () => {
      mkdirSync(space.path("swap"));
      space.write("swap/secret.txt", "harmless\n");
      space.write("swap/target.txt", "harmless\n");
      writeFileSync(path.join(outside, "target.txt"), "secret words\n");
      // Another thread exchanges the directory for a link to the outside, as fast as it can.
      const swapper = new Worker(
        `const { renameSync, rmSync, symlinkSync } = require("node:fs");
       const { workerData: { real, aside, outside } } = require("node:worker_threads");
       const attempt = (action) => { try { action(); } catch {} };
       for (;;) {
         attempt(() => renameSync(real, aside));
         attempt(() => symlinkSync(outside, real));
         // Write may have made the directory anew in between; a link is removed without what it leads to.
         attempt(() => rmSync(real, { recursive: true, force: true }));
         attempt(() => renameSync(aside, real));
       }`,
        { eval: true, workerData: { real: space.path("swap"), aside: space.path("aside"), outside } },
      );
      const codes = new Set<string>();
      try {
        for (let round = 0; round < 300; round++) {
          const read = await space.call("Read", { path: "swap/secret.txt" });
          expect(JSON.stringify(read)).not.toContain("secret words");
          const list = await space.call("LS", { path: "swap" });
          expect(JSON.stringify(list.data)).not.toContain(outside);
          const fresh = `round ${round}`;
          const written = await space.call("Write", { path: "swap/target.txt", content: fresh });
          for (const response of [read, list, written]) codes.add(response.error?.code ?? response.status);
        }
      } finally {
        await swapper.terminate();
      }
      expect(readFileSync(path.join(outside, "target.txt"), "utf8")).toBe("secret words\n");
      expect(readdirSync(outside).sort()).toEqual(["secret.txt", "target.txt"]);
      expect(codes.has("success")).toBe(true);
    },
  );
});

describe.runIf(process.platform === "linux")("walks while links are swapped in and out", () => {
  const WALKS: readonly (readonly [string, object])[] = [
    ["Grep", { pattern: "WORDS_OUTSIDE|words inside" }],
    ["Grep", { pattern: "WORDS_OUTSIDE|words inside", multiline: true, show_context: 1 }],
    ["Glob", { pattern: "**/*" }],
    ["RepoStructure", {}],
    ["RepoMap", {}],
  ];

  it.each([
    ["with ripgrep", undefined, 40],
    ["without ripgrep", null, 10],
  ] as const)("show nothing from outside, neither content nor names, %s", async (_, ripgrep, rounds) => {
    const space = createWorkspace({ ripgrep });
    for (let file = 0; file < 30; file++) {
      space.write(`before/${file}.txt`, "words inside\n");
      space.write(`swap/deep/${file}.ts`, `export function inside${file}() {} // words inside\n`);
    }
    const foreign = path.join(path.dirname(space.root), "foreign");
    for (let file = 0; file < 30; file++) {
      mkdirSync(path.join(foreign, "deep"), { recursive: true });
      const text = `export function foreign${file}() {} // WORDS_OUTSIDE\n`;
      writeFileSync(path.join(foreign, "deep", `${file}.ts`), text);
      writeFileSync(path.join(foreign, "deep", `NAME_OUTSIDE_${file}.ts`), text);
    }
    const swapper = new Worker(
      `const { renameSync, unlinkSync, symlinkSync } = require("node:fs");
       const { workerData: { real, aside, foreign } } = require("node:worker_threads");
       const attempt = (action) => { try { action(); } catch {} };
       for (;;) {
         attempt(() => renameSync(real, aside));
         attempt(() => symlinkSync(foreign, real));
         attempt(() => unlinkSync(real));
         attempt(() => renameSync(aside, real));
       }`,
      { eval: true, workerData: { real: space.path("swap"), aside: space.path("aside"), foreign } },
    );
    let inside = 0;
    try {
      for (let round = 0; round < rounds; round++) {
        for (const [tool, params] of WALKS) {
          const answer = JSON.stringify((await space.call(tool, params)).data);
          expect(answer).not.toMatch(/(?<!\|)WORDS_OUTSIDE|NAME_OUTSIDE|foreign/);
          if (answer.includes("before/") || answer.includes("inside")) inside++;
        }
      }
    } finally {
      await swapper.terminate();
    }
    expect(inside).toBeGreaterThan(rounds);
  });
});

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("as another user", () => {
  const space = createWorkspace();

  it("says PERMISSION_DENIED for files that this user may not read, write or list (needs root to become another)", async () => {
    mkdirSync(space.path("closed"), { mode: 0o700 });
    space.write("closed/a.txt", "x");
    space.write("private.txt", "x");
    space.write("open.txt", "x");
    execFileSync("chmod", ["600", space.path("private.txt")]);
    execFileSync("chmod", ["777", space.root, path.dirname(space.root)]);
    const script = await bundleScript(AS_NOBODY);
    const calls = [
      ["Read", { path: "private.txt" }],
      ["Edit", { path: "private.txt", old_string: "x", new_string: "y" }],
      ["Write", { path: "open.txt", content: "y" }],
      ["Write", { path: "closed/new.txt", content: "y" }],
      ["LS", { path: "closed" }],
      ["Bash", { command: "pwd", cwd: "closed" }],
      ["Glob", { pattern: "**/*" }],
      ["RepoStructure", {}],
      ["Grep", { pattern: "x" }],
    ];
    const args = [script.path, space.root, JSON.stringify(calls)];
    const output = execFileSync(process.execPath, args, { encoding: "utf8" });
    script.remove();
    const responses = JSON.parse(output) as unknown[];
    expect(responses).toHaveLength(calls.length);
    const grep = expectEnvelope(responses.pop(), "grep");
    expect(grep).toMatchObject({ status: "partial", data: { matches: [{ file: "open.txt", line: 1, text: "x" }] } });
    expect(JSON.stringify(grep.data.failed_items)).toContain("private.txt");
    const [listed1, listed2] = [expectEnvelope(responses.pop()), expectEnvelope(responses.pop())];
    for (const listed of [listed1, listed2]) {
      expect(listed.status).toBe("partial");
      expect(listed).toMatchObject({ data: { failed_items: [expect.stringMatching(/^closed: Permission denied/)] } });
    }
    for (const response of [grep, listed1, listed2]) {
      expect(response.text).toMatch(/\bfailed\b(?!_)/i);
    }
    const files = ["private.txt", "private.txt", "open.txt", "closed/new.txt", "closed", "closed"];
    responses.forEach((response, at) => {
      const { error, text } = expectError(response, "PERMISSION_DENIED");
      expect(error?.message).toContain(files[at]);
      expect(text).toMatch(/[.] [A-Z]/);
    });
    expect(readFileSync(space.path("open.txt"), "utf8")).toBe("x");
  });
});
