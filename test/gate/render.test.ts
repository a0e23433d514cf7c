import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { renderEnvelope } from "../../src/gate/render/envelope.ts";
import { relativeTo, renderHint } from "../../src/gate/render/hint-text.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { renderWrapper } from "../../src/gate/render/wrapper.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { BoundedResult, GovernOptions } from "../../src/gate/types.ts";
import { STRATEGIES } from "../../src/limits/types.ts";
import { measure } from "../../src/preview/measure.ts";
import { loadTokenizer } from "../../src/preview/tokenizer.ts";
import { expectEnvelope } from "../support/envelope.ts";
import { temporaryFolder } from "../support/folder.ts";
import { outputText } from "../support/text.ts";

const root = temporaryFolder("render");
const spillway = createSpillway({ root, env: {}, config: false, strategy: "head" });
const output = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n");
const base = { root, stats: { time_ms: 12, exit_code: 0 }, context: { cwd: "src", params_input: { command: "make" } } };

async function bound(options: GovernOptions = {}): Promise<BoundedResult> {
  const governed = await spillway.govern(output, options);
  return governed.kind === "bounded" ? governed : expect.unreachable();
}

const pathOf = ({ storage }: BoundedResult) => ("artifact" in storage ? storage.artifact.path : expect.unreachable());

describe("the envelope", () => {
  it("has exactly the fields of the seed", async () => {
    const governed = await bound({ tool: "Bash" });
    const envelope = expectEnvelope(renderEnvelope(governed, base));
    const path = relativeTo(root, pathOf(governed));
    expect(path).toMatch(/^\.agents\/tool-output\/tool_\d{8}_\d{6}_Bash_[0-9a-z]+\.txt$/);
    expect(envelope).toEqual({
      status: "partial",
      data: {
        truncated: true,
        truncation: {
          direction: "head",
          max_lines: 2000,
          max_bytes: 51_200,
          original_lines: 3000,
          original_bytes: output.length,
          kept_lines: governed.preview.kept.lines,
          kept_bytes: governed.preview.kept.bytes,
          full_output_path: path,
        },
        preview: governed.preview.text,
      },
      text: expect.stringMatching(
        /^⚠️ \[[0-9a-f]{6}\] The tool call succeeded\. Output truncated: [\d,]+ of 3,000 lines, /,
      ),
      stats: base.stats,
      context: base.context,
    });
    expect(envelope.text).toContain(`Full output saved to: ${path}`);
    expect(envelope.text).not.toContain(root);
  });

  it("stays an error, with its error object", async () => {
    const error = { code: "TIMEOUT", message: "took too long" } as const;
    const envelope = expectEnvelope(renderEnvelope(await bound(), { ...base, error }));
    expect(envelope).toMatchObject({ status: "error", error, data: { truncated: true } });
  });

  it("writes no limit as null, since JSON has no infinity", async () => {
    const envelope = renderEnvelope(await bound({ maxLines: Infinity, maxChars: 500 }), base);
    expectEnvelope(envelope);
    expect(envelope.data.truncation).toMatchObject({ max_lines: null, max_bytes: null });
  });

  it("tells in its stats how a process ended", async () => {
    const outcome = { kind: "failure", message: "killed", exitCode: 137, signal: "SIGKILL" } as const;
    const governed = await spillway.govern("a\n", { tool: "Bash", outcome });
    const { status, stats } = expectEnvelope(renderEnvelope(governed, { ...base, stats: { time_ms: 12 } }));
    expect({ status, stats }).toEqual({
      status: "partial",
      stats: { time_ms: 12, exit_code: 137, signal: "SIGKILL" },
    });
  });

  it("is a success with all of the content within limits", async () => {
    const governed = await spillway.govern("a\n", { tool: "Read" });
    expect(expectEnvelope(renderEnvelope(governed, base))).toEqual({
      status: "success",
      data: { content: "a\n" },
      text: "Read returned 1 line (2 bytes).",
      stats: base.stats,
      context: base.context,
    });
  });
});

describe("the wrapper", () => {
  it("has exactly the fields of the seed, with an absolute path", async () => {
    const governed = await bound({ tool: "WebFetch", callId: "call_123" });
    expect(renderWrapper(governed)).toEqual({
      _openagentic_truncated: true,
      reason: "tool_output_too_large",
      tool_name: "WebFetch",
      tool_use_id: "call_123",
      original_chars: output.length,
      preview: governed.preview.text,
      artifact_path: join(root, relativeTo(root, pathOf(governed))),
      hint: renderHint(governed.hint),
    });
  });
});

describe("the message", () => {
  it("is preview, blank line, notice; for tail the notice comes first", async () => {
    const head = await bound();
    expect(renderMessage(head)).toBe(`${head.preview.text}\n\n${renderHint(head.hint)}`);
    const tail = await bound({ strategy: "tail" });
    expect(renderMessage(tail)).toBe(`${renderHint(tail.hint)}\n\n${tail.preview.text}`);
    expect(renderMessage(tail)).toMatch(/line 3000$/);
  });

  it("falls back to a short notice, then to none, when the limits are small", async () => {
    const short = await bound({ maxBytes: 500 });
    expect(short.notice).toBe(`[${short.preview.mark}] Truncated. Full output: ${pathOf(short)}`);
    const none = await bound({ maxBytes: 100 });
    expect(none.notice).toBe("");
    expect(none.preview.omissions.length).toBeGreaterThan(0);
    expect(renderHint(none.hint)).toContain(pathOf(none));
  });

  it("tells a bad end before anything else when the limits are small", async () => {
    const gate = createSpillway({ store: createMemoryStore(), env: {}, config: false, strategy: "head" });
    const outcome = { kind: "failure", message: "the command ended with exit code 42", exitCode: 42 } as const;
    for (const [maxBytes, told] of [
      [220, "The tool call failed: the command ended with exit code 42. Truncated. Full output: memory:"],
      [160, "Failed (exit code 42). Truncated. Full output: memory:"],
      [100, "The tool call failed: the command ended with exit code 42."],
      [50, "Failed (exit code 42)."],
    ] as const) {
      const { notice } = (await gate.govern(output, { maxBytes, outcome })) as BoundedResult;
      expect(notice, `${maxBytes} bytes`).toContain(`] ${told}`);
    }
  });

  it("exceeds no limit, notice included", async () => {
    const limits = fc.record({
      maxLines: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Infinity)),
      maxBytes: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constant(Infinity)),
      maxChars: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constant(Infinity)),
      maxTokens: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.constant(Infinity)),
      strategy: fc.constantFrom(...STRATEGIES),
    });
    const memory = createSpillway({ store: createMemoryStore(), env: {}, config: false });
    const countTokens = await loadTokenizer();
    await fc.assert(
      fc.asyncProperty(outputText, limits, async (text, limits) => {
        const governed = await memory.govern(text, limits);
        if (governed.kind === "whole") return;
        const message = renderMessage(governed);
        const size = measure(message);
        expect(size.lines).toBeLessThanOrEqual(limits.maxLines);
        expect(size.bytes).toBeLessThanOrEqual(limits.maxBytes);
        expect(size.chars).toBeLessThanOrEqual(limits.maxChars);
        expect(countTokens(message)).toBeLessThanOrEqual(limits.maxTokens);
      }),
      { numRuns: 300 },
    );
  });

  it("drops a host's hint that turns out longer than it announced", async () => {
    let calls = 0;
    const hint = () => "x".repeat(++calls > 2 ? 900 : 10);
    const gate = createSpillway({ store: createMemoryStore(), env: {}, config: false, hint, maxBytes: 1000 });
    const governed = await gate.govern(output);
    expect(measure(renderMessage(governed)).bytes).toBeLessThanOrEqual(1000);
  });
});

describe("relativeTo", () => {
  it("is relative below the root and absolute elsewhere", () => {
    expect(relativeTo("/a", "/a/b/c")).toBe("b/c");
    expect(relativeTo("/a", "/a/..b")).toBe("..b");
    expect(relativeTo("/a", "/b")).toBe("/b");
    expect(relativeTo("/a", "memory:x")).toMatch(/memory:x$/);
  });

  it("does not read signs in a path as replacement patterns", async () => {
    mkdirSync(join(root, "$&$1"));
    const odd = createSpillway({ root: join(root, "$&$1"), env: {}, config: false });
    const governed = await odd.govern(output);
    const { text } = renderEnvelope(governed, { ...base, root });
    expect(text).toContain("Full output saved to: $&$1/.agents/tool-output/tool_");
  });
});
