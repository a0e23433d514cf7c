import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ObservationTruncator, type TruncateResponseOptions } from "../../src/gate/observation-truncator.ts";
import type { SpillwayOptions } from "../../src/gate/types.ts";
import type { ToolResponse, TruncationFacts } from "../../src/protocol/types.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { temporaryFolder } from "../support/folder.ts";
import { paste, shellLines } from "../support/hint-calls.ts";

const root = temporaryFolder("observation");
const truncator = (options: SpillwayOptions = {}) => new ObservationTruncator({ root, env: {}, ...options });
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function response(fields: Partial<ToolResponse> = {}): ToolResponse {
  return {
    status: "success",
    data: { content: lines(5000) },
    text: "Read the file.",
    stats: { time_ms: 12 },
    context: { cwd: ".", params_input: { path: "big.txt" }, path_resolved: "big.txt" },
    ...fields,
  };
}

const factsOf = (envelope: ToolResponse) => envelope.data.truncation as TruncationFacts;
const fullOutput = (envelope: ToolResponse, base = root) =>
  readFileSync(join(base, factsOf(envelope).full_output_path ?? ""), "utf8");

describe("within limits", () => {
  it("the very same object comes back and no file is written", async () => {
    const small = response({ data: { content: lines(2000) } });
    expect(await truncator().truncate("Read", small)).toBe(small);
    expect(existsSync(join(root, "tool-output"))).toBe(false);
  });

  it("truncation_skip passes anything through untouched", async () => {
    const skipped = response();
    skipped.context.truncation_skip = true;
    expect(await truncator().truncate("Read", skipped)).toBe(skipped);
    const odd = { anything: lines(5000), context: { truncation_skip: true } };
    expect(await truncator().truncate("Read", odd)).toBe(odd);
    const almost = response();
    (almost.context as Record<string, unknown>).truncation_skip = "yes";
    expect((await truncator().truncate("Read", almost)).data.truncated).toBe(true);
  });
});

describe("over a limit", () => {
  it("measures a long summary that dominates the envelope by its own lines", async () => {
    const truncated = expectEnvelope(await truncator().truncate("Report", response({ data: {}, text: lines(5000) })));
    expect(factsOf(truncated)).toMatchObject({ original_lines: 5000, direction: "head" });
    expect(truncated.data.preview).toMatch(/^line 1\nline 2\n/);
    expect(JSON.parse(fullOutput(truncated)).text).toBe(lines(5000));
  });

  it("keeps the end when direction says so", async () => {
    const truncated = await new ObservationTruncator({ root, env: {}, direction: "tail" }).truncate("Bash", response());
    expect(factsOf(truncated).direction).toBe("tail");
    expect(truncated.data.preview).toMatch(/line 5000$/);
  });

  it("the envelope is the seed's, exactly", async () => {
    const original = response();
    const truncated = expectEnvelope(await truncator().truncate("Read", original));
    expect(Object.keys(truncated).sort()).toEqual(["context", "data", "stats", "status", "text"]);
    expect(truncated).toEqual({
      status: "partial",
      data: {
        truncated: true,
        truncation: {
          direction: "head",
          max_lines: 2000,
          max_bytes: 51_200,
          original_lines: 5000,
          original_bytes: lines(5000).length,
          kept_lines: expect.any(Number),
          kept_bytes: expect.any(Number),
          full_output_path: expect.stringMatching(/^tool-output\/tool_\d{8}_\d{6}_Read_[0-9a-z]+\.json$/),
        },
        preview: expect.stringMatching(/^line 1\nline 2\n/),
      },
      text: expect.stringMatching(/^⚠️ /),
      stats: original.stats,
      context: original.context,
    });
    expect(factsOf(truncated).kept_lines).toBe(2000);
  });

  it("the full output is the original JSON, pretty, with its text beside it and both named", async () => {
    const original = response();
    const truncated = await truncator().truncate("Read", original);
    expect(fullOutput(truncated)).toBe(JSON.stringify(original, null, 2));
    const [, text] =
      /To read on in its text: Read\(path="(\S+)", offset=\d+, limit=200\)\.$/.exec(truncated.text) ??
      expect.unreachable(truncated.text);
    expect(text).toMatch(/^tool-output\/tool_.*_Read_.*\.txt$/);
    expect(readFileSync(join(root, text ?? ""), "utf8")).toBe(lines(5000));
    const places = `Full output saved to: ${text} (the whole result as JSON: ${factsOf(truncated).full_output_path})\n`;
    expect(truncated.text).toContain(places);
  });

  it("JSON without one dominant text is measured by its items, and saved as pretty JSON", async () => {
    const entries = Array.from({ length: 3000 }, (_, index) => ({ path: `src/file-${index}.ts`, type: "file" }));
    const original = response({ data: { entries } });
    const truncated = expectEnvelope(await truncator().truncate("LS", original));
    expect(fullOutput(truncated)).toBe(JSON.stringify(original, null, 2));
    const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
    expect(factsOf(truncated)).toMatchObject({ original_lines: 3000, original_bytes: text.length });
    expect(truncated.text).not.toContain("the whole result as JSON");
  });

  it("an error stays an error, with its code and a bounded message", async () => {
    const error = { code: "EXECUTION_ERROR", message: `exit 1: ${"x".repeat(100_000)}` } as const;
    const truncated = expectEnvelope(await truncator().truncate("Bash", response({ status: "error", error })));
    expect(truncated.status).toBe("error");
    expect(truncated.error?.code).toBe("EXECUTION_ERROR");
    expect(truncated.error?.message).toMatch(/^exit 1: x+/);
    expect(truncated.text).toMatch(
      /^⚠️ The tool call failed, and the output was truncated\. Full output saved to: \S+\n/,
    );
    expect(truncated.text).toMatch(/\nThe tool call failed: exit 1: x+…\. Shown: [\d,]+ of /);
    expect(JSON.stringify(truncated).length).toBeLessThan(70_000);
  });

  it("what it carries over is bounded too, however large the parameters or the context", async () => {
    const huge = "p".repeat(1_000_000);
    const original = response({
      data: { applied: true },
      context: { cwd: ".", params_input: { path: "a", content: huge }, notes: [huge, huge] },
      stats: { time_ms: 1, log: huge },
    });
    const truncated = expectEnvelope(await truncator().truncate("Write", original));
    expect(JSON.stringify(truncated).length).toBeLessThan(80_000);
    expect(truncated.context.params_input).toMatchObject({ path: "a", content: expect.stringMatching(/^p+ … /) });
    expect(fullOutput(truncated)).toBe(JSON.stringify(original, null, 2));
  });

  it("keeps the tail when told so, and names the strategy", async () => {
    const truncated = await truncator().truncate("Bash", response(), { strategy: "tail", maxLines: 10 });
    expect(factsOf(truncated)).toMatchObject({ direction: "tail", max_lines: 10 });
    expect(truncated.data.preview).toMatch(/line 5000$/);
  });

  it("delegates only when there is a Task tool", async () => {
    const say = async (options?: TruncateResponseOptions) =>
      (await truncator().truncate("Read", response(), options)).text;
    const saved = "⚠️ The tool call succeeded but the output was truncated. Full output saved to: tool-output/";
    expect(await say()).toContain(saved);
    expect(await say()).toContain(
      "\nUse Grep to search the full content or Read with offset/limit to view specific sections.\n",
    );
    expect(await say()).not.toContain("Task");
    expect(await say({ task: true })).toContain(saved);
    expect(await say({ task: true })).toContain(
      "\nUse the Task tool to have a subagent process this file with Grep and Read (with offset/limit). \nDo NOT read the full file yourself - delegate to save context.\n",
    );
  });

  it("says what is true where the reader has no Grep and Read", async () => {
    const { text } = await truncator({ tools: ["Bash"] }).truncate("Read", response());
    expect(text).not.toMatch(/Grep|Read /);
    const [, sed = ""] = shellLines(text);
    expect(paste(sed).split("\n")[0]).toMatch(/^line \d+$/);
  });

  it("is found by call id", async () => {
    const truncated = await truncator().truncate("Read", response(), { callId: "call_77" });
    expect(factsOf(truncated).full_output_path).toContain("_Read_call_77_");
  });

  it("counts per tool", async () => {
    const one = truncator();
    await one.truncate("Read", response());
    await one.truncate("Read", response({ data: { content: "small" } }));
    expect(one.stats().Read).toMatchObject({ calls: 2, truncated: 1 });
  });

  it("says what was lost when it cannot be saved", async () => {
    const broken = temporaryFolder("broken");
    writeFileSync(join(broken, "tool-output"), "a file");
    const truncated = expectEnvelope(await truncator({ root: broken }).truncate("Read", response()));
    expect(factsOf(truncated)).toMatchObject({ full_output_path: null, lost: expect.stringContaining("not a folder") });
    expect(truncated.text).toContain("could not be saved");
  });
});

describe("max_lines", () => {
  const shapes: readonly [string, (text: string) => unknown][] = [
    ["data.content", (content) => response({ data: { content } })],
    ["data.stdout beside small fields", (stdout) => response({ data: { stdout, exit_code: 0 } })],
    ["the envelope's own text", (text) => response({ data: {}, text })],
    ["JSON", (content) => JSON.stringify(response({ data: { content } }))],
    ["a plain string", (text) => text],
  ];
  const cases = shapes.flatMap(([name, give]) =>
    [1, 2, 3, 4, 7, 50, 199, 500, 1999].map((maxLines) => [name, maxLines, give] as const),
  );

  it.each(cases)("%s: %i lines are kept, from the start and from the end", async (_, maxLines, give) => {
    const text = lines(maxLines + 1 + (maxLines % 5) * 300);
    for (const direction of ["head", "tail"] as const) {
      const truncated = expectEnvelope(
        await new ObservationTruncator({ root, env: {}, direction, maxLines }).truncate("Read", give(text)),
      );
      const all = text.split("\n");
      const kept = direction === "head" ? all.slice(0, maxLines) : all.slice(-maxLines);
      expect(String(truncated.data.preview).split("\n")).toEqual(kept);
      expect(factsOf(truncated)).toMatchObject({
        max_lines: maxLines,
        kept_lines: maxLines,
        original_lines: all.length,
      });
    }
  });

  it("holds the kept lines by bytes too, and both ends with the marker on top", async () => {
    const byBytes = expectEnvelope(await truncator({ maxBytes: 100 }).truncate("Read", response()));
    expect(Buffer.byteLength(String(byBytes.data.preview))).toBeGreaterThan(90);
    expect(factsOf(byBytes).kept_bytes).toBeLessThanOrEqual(100);
    const both = await truncator({ maxLines: 10, strategy: "head_tail" }).truncate("Read", response());
    const shown = String(both.data.preview).split("\n");
    expect([shown.length, shown[4], shown[6]]).toEqual([11, "line 5", "line 4996"]);
  });

  it.each([
    ["maxChars", { max_chars: 8000 }],
    ["maxTokens", { max_tokens: 8000 }],
  ] as const)("the facts name %s, which cut", async (name, fact) => {
    const truncated = await truncator({ [name]: 8000 }).truncate("Read", response());
    expect(factsOf(truncated)).toMatchObject({ max_lines: 2000, max_bytes: null, ...fact });
  });
});

describe("how the call ended", () => {
  it.each([
    ["an error", { status: "error", error: { code: "INTERNAL_ERROR", message: "Boom." } }],
    ["an exit code in stats", { stats: { time_ms: 1, exit_code: 2 } }],
    ["an exit code in data", { data: { stdout: lines(5000), exitCode: 1 } }],
    ["a return code", { data: { output: lines(5000), returncode: 3 } }],
    ["failed items", { status: "partial", data: { content: lines(5000), failed_items: ["a"] } }],
    ["a timeout", { status: "partial", data: { content: lines(5000), timed_out: true } }],
  ] as const)("%s stands beside no success", async (_, fields) => {
    const truncated = await truncator().truncate("Bash", response(fields as Partial<ToolResponse>));
    expect(truncated.text).not.toContain("succeeded");
    expect(truncated.text).toContain("truncated");
  });
});

describe("what is no correct envelope", () => {
  it.each([
    ["a plain string", lines(5000)],
    ["an array", Array.from({ length: 5000 }, (_, index) => index)],
    ["an old error", { error: `Error: ${lines(5000)}` }],
    ["a thrown error", new Error(lines(5000))],
    ["an object with its own keys", { rows: lines(5000) }],
    ["an envelope with an extra key", { ...response(), extra: 1 }],
    ["a circle", Object.assign(Object.create(null), response(), { data: circle() })],
  ])("%s becomes one and is bounded", async (_, value) => {
    const truncated = expectEnvelope(await truncator().truncate("Old", value));
    expect(truncated.data.truncated).toBe(true);
    expect(JSON.stringify(truncated).length).toBeLessThan(70_000);
  });

  it.each([undefined, null, "", 5, true, "small", {}])("%j becomes one too", async (value) => {
    expectEnvelope(await truncator().truncate("Old", value));
  });
});

function circle(): Record<string, unknown> {
  const data: Record<string, unknown> = { content: lines(5000) };
  data.self = data;
  return data;
}

describe("the folder", () => {
  it("is tool-output/ below the root; environment, option and config file say otherwise", async () => {
    const base = temporaryFolder("folders");
    writeFileSync(join(base, "spillway.yaml"), "artifacts: {dir: from-file}");
    await truncator({ root: base, config: false }).truncate("Read", response());
    await truncator({ root: base }).truncate("Read", response());
    await truncator({ root: base, env: { TOOL_OUTPUT_DIR: "from-env" } }).truncate("Read", response());
    await truncator({ root: base, env: { TOOL_OUTPUT_DIR: "from-env" }, dir: "from-option" }).truncate(
      "Read",
      response(),
    );
    for (const dir of ["tool-output", "from-file", "from-env", "from-option"])
      expect(readdirSync(join(base, dir)).filter((name) => name.startsWith("tool_"))).toHaveLength(2);
  });
});

describe("an envelope that comes as JSON", () => {
  it("is treated as the object is: below and above the limits, errors and truncation_skip included", async () => {
    const untimed = ({ data, ...rest }: ToolResponse) => ({
      ...rest,
      text: rest.text.replaceAll(/tool_\w+/g, "tool"),
      data: { ...data, truncation: { ...(data.truncation as object), full_output_path: undefined } },
    });
    for (const given of [
      response(),
      response({ data: { content: "small" } }),
      response({ status: "error", error: { code: "NOT_FOUND", message: "It is not there." } }),
      response({ status: "error", error: { code: "RATE_LIMITED", message: "Slow down." }, data: {} }),
      response({ status: "partial", data: { truncated: true, content: lines(3000) }, text: "1 file failed. Retry." }),
    ]) {
      const fromObject = expectEnvelope(await truncator().truncate("Read", given));
      const fromJson = await truncator().truncate("Read", JSON.stringify(given));
      if (fromObject === given) expect(fromJson).toBe(JSON.stringify(given));
      else expect(untimed(expectEnvelope(fromJson))).toEqual(untimed(fromObject));
    }
    const skipped = response();
    skipped.context.truncation_skip = true;
    expect(await truncator().truncate("Read", JSON.stringify(skipped))).toBe(JSON.stringify(skipped));
    const old = await truncator().truncate("Read", '{"error":"Error: permission denied: a.txt"}');
    expect(expectEnvelope(old)).toMatchObject({ status: "error", error: { code: "PERMISSION_DENIED" } });
  });

  it.each([
    ["an envelope", JSON.stringify(response({ data: { content: "small" } }))],
    ["one with blanks and error: null", JSON.stringify({ ...response({ data: {} }), error: null }, null, 2)],
    ["one that is incomplete", '{"status":"success","data":{"content":"ü 😀"}}'],
    ["an object of the tool's own", ' {"rows": [1, 2, 3]}\n'],
    ["a list", "[1,2,3]"],
    [
      "one to be skipped, however incomplete and long",
      JSON.stringify({ rows: lines(9000), context: { truncation_skip: true } }),
    ],
  ])("%s comes back as it was", async (_, json) => {
    expect(await truncator().truncate("Read", json)).toBe(json);
    expect(await truncator({ redact: true }).truncate("Read", json)).toEqual(
      json.includes("truncation_skip") ? expect.anything() : json,
    );
  });

  it("says over a limit what a partial result had said", async () => {
    const partial = response({ status: "partial", data: { content: lines(5000), failed_items: ["b"] } });
    const { text } = await truncator().truncate("Read", { ...partial, text: "Read 3 files, 1 failed (b)." });
    expect(text).toMatch(/^⚠️ Read 3 files, 1 failed \(b\)\. .*Full output saved to/);
  });
});
