import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig, type ReadConfigFile } from "../../src/limits/configuration.ts";
import { completeLimits, completePreviewLimits, PRESETS, resolvePreset } from "../../src/limits/defaults.ts";
import { resolveLimits } from "../../src/limits/resolve.ts";

function file(fallback: object, tools: object, from: ReadConfigFile["from"] = "project"): ReadConfigFile {
  const parsed = parseConfig({ tool_output_limits: { default: fallback, tools } }, "spillway.yaml");
  return { ...parsed, from, trusted: from !== "project" };
}

describe("resolveLimits", () => {
  it("takes the strongest source that says something, for each value on its own", () => {
    const ranked = ["call", "named", "tool", "environment", "default"] as const;
    fc.assert(
      fc.property(fc.subarray([...ranked]), fc.subarray([...ranked]), (lines, strategies) => {
        const value = (source: (typeof ranked)[number]) => ({
          ...(lines.includes(source) ? { maxLines: ranked.indexOf(source) + 1 } : {}),
          ...(strategies.includes(source) ? { strategy: "tail" as const } : {}),
        });
        const yaml = ({ maxLines, strategy }: { maxLines?: number; strategy?: "tail" }) => ({
          ...(maxLines === undefined ? {} : { max_lines: maxLines }),
          ...(strategy === undefined ? {} : { strategy }),
        });
        const { limits, strategy, origin } = resolveLimits({
          call: value("call"),
          files: [file(yaml(value("default")), { Grep: yaml(value("named")) })],
          toolNames: ["Grep"],
          tool: value("tool"),
          environment: value("environment"),
        });
        const words = ["call", "file tools.Grep", "tool definition", "environment", "file default"];
        const first = lines[0];
        expect(limits.maxLines).toBe(first === undefined ? 2000 : ranked.indexOf(first) + 1);
        expect(origin.maxLines).toBe(first === undefined ? "built-in" : words[ranked.indexOf(first)]);
        expect(strategy).toBe(strategies.length === 0 ? "smart" : "tail");
        expect(origin.maxBytes).toBe("built-in");
      }),
    );
  });

  it("finds a tool in the file by its aliases, the name it was called by first", () => {
    const config = file({}, { grep_search: { max_lines: 100 }, Grep: { max_lines: 50 } });
    expect(resolveLimits({ files: [config], toolNames: ["grep_search", "Grep"] }).limits.maxLines).toBe(100);
    expect(resolveLimits({ files: [config], toolNames: ["Other", "Grep"] }).limits.maxLines).toBe(50);
    expect(resolveLimits({ files: [config], toolNames: ["toString"] }).limits.maxLines).toBe(2000);
  });

  it("asks the user's file where the project's says nothing, and keeps tools before defaults", () => {
    const files = [
      file({ max_lines: 1 }, { Grep: { max_chars: 2 } }),
      file({ max_lines: 3, max_bytes: 4 }, { Grep: { max_lines: 5, max_chars: 6 } }, "user"),
    ];
    const { limits, origin } = resolveLimits({ files, toolNames: ["Grep"] });
    expect(limits).toMatchObject({ maxLines: 5, maxChars: 2, maxBytes: 4 });
    expect(origin).toMatchObject({
      maxLines: "user file tools.Grep",
      maxChars: "file tools.Grep",
      maxBytes: "user file default",
    });
  });

  it("holds what is usual for a name, below call, file and the tool's own limits", () => {
    const { limits, origin } = resolveLimits({ toolNames: ["read_file", "Read"], environment: { maxLines: 900 } });
    expect(limits).toMatchObject({ maxChars: 5000, maxLines: 200 });
    expect(origin.maxLines).toBe("built-in for read_file");
    expect(resolveLimits({ toolNames: ["repo_map"] }).limits).toMatchObject({ maxChars: 10_000, maxLines: 1000 });
    expect(resolveLimits({ toolNames: ["grep_search"] }).limits).toMatchObject({ maxLines: 100, maxBytes: 51_200 });
    expect(resolveLimits({ toolNames: ["Read", "read_file"] }).limits.maxLines).toBe(2000);
    expect(resolveLimits({ toolNames: ["constructor"] }).limits.maxLines).toBe(2000);
    const inFile = file({}, { read_file: { max_lines: 7 } });
    expect(resolveLimits({ toolNames: ["read_file"], files: [inFile] }).limits).toMatchObject({
      maxLines: 7,
      maxChars: 5000,
    });
    expect(
      resolveLimits({ toolNames: ["read_file"], call: { maxChars: 9 }, tool: { maxLines: 8 } }).limits,
    ).toMatchObject({ maxChars: 9, maxLines: 8 });
  });

  it("keeps summarize for whoever has a model, and the host's own default strategy", () => {
    expect(resolveLimits({ files: [file({ strategy: "summarize" }, {})] }).strategy).toBe("summarize");
    expect(resolveLimits({ defaultStrategy: "smart" }).strategy).toBe("smart");
  });
});

describe("defaults", () => {
  it("are 2,000 lines and 51,200 bytes, no bytes when another size is given", () => {
    const none = { maxChars: Infinity, maxTokens: Infinity };
    expect(completeLimits({})).toEqual({ maxLines: 2000, maxBytes: 51_200, ...none });
    expect(completeLimits({ maxLines: 5 })).toEqual({ maxLines: 5, maxBytes: 51_200, ...none });
    expect(completeLimits({ maxChars: 9 })).toMatchObject({ maxBytes: Infinity, maxChars: 9 });
    expect(completeLimits({ maxTokens: 9, maxBytes: 100 })).toMatchObject({ maxBytes: 100, maxTokens: 9 });
  });

  it("are 8,000 characters and 500 lines for a bare head_tail preview", () => {
    expect(completePreviewLimits({}, "head_tail")).toMatchObject({ maxChars: 8000, maxLines: 500 });
    expect(completePreviewLimits({ maxLines: 10 }, "head_tail")).toMatchObject({ maxLines: 10, maxBytes: 51_200 });
    expect(completePreviewLimits({}, "tail")).toMatchObject({ maxLines: 2000, maxBytes: 51_200 });
  });
});

describe("presets", () => {
  it("hold the values of the seeds", () => {
    expect(PRESETS).toEqual({
      opencode: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
      codex: { maxLines: 256, maxBytes: 10_240, strategy: "head_tail", markersOnTop: true },
      aider: { maxLines: 100, maxBytes: Infinity, strategy: "head_tail", markersOnTop: true },
      openai: { maxLines: Infinity, maxChars: 32_768, strategy: "head" },
      code: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
      config: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
      search: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
      log: { maxLines: 500, maxBytes: 20_480, strategy: "tail" },
      error: { maxLines: 100, maxBytes: 10_240, strategy: "tail" },
    });
  });

  it("are found by name only", () => {
    expect(resolvePreset("log")).toBe(PRESETS.log);
    for (const name of ["logs", "", "toString"])
      expect(() => resolvePreset(name)).toThrow(/Unknown preset .* Presets: opencode, codex, aider, openai, code/);
  });
});
