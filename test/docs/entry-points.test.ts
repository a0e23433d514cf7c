import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { createSpillway, ObservationTruncator, Truncate } from "../../src/index.ts";
import { boundFile } from "../../src/integrations/hosts/bound-file.ts";
import { findHost } from "../../src/integrations/hosts/find-host.ts";
import { preview } from "../../src/preview/index.ts";
import { builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const TEXT = Array.from({ length: 9000 }, (_, n) => (n === 4500 ? "ERROR: no space left" : `step ${n} ok`)).join("\n");
const root = temporaryFolder("entry-points");

interface Seen {
  readonly text: string;
  readonly saved: string | null;
}

const chosen = ({ text }: Seen) => (text.includes("ERROR: no space left") ? "smart" : "head");
const folderOf = ({ saved }: Seen) => (saved === null ? "none" : relative(root, saved).split("/tool_")[0]);

async function byCommand(...args: string[]): Promise<Seen> {
  const { bin } = await builtPackage();
  const text = execFileSync(process.execPath, [bin, ...args, "--root", root], { input: TEXT, encoding: "utf8" });
  return { text, saved: /saved to: (\S+)/.exec(text)?.[1] ?? null };
}

/** What each row of the table is, as the entry point shows it. */
const ENTRIES: Readonly<Record<string, () => Promise<Seen>>> = {
  createSpillway: async () => {
    const result = await createSpillway({ root }).govern(TEXT);
    if (result.kind !== "bounded" || !("artifact" in result.storage)) throw new Error("not saved");
    return { text: result.preview.text, saved: result.storage.artifact.path };
  },
  "spillway run": () => byCommand("pipe"),
  "spillway preview": () => byCommand("preview"),
  "preview()": async () => ({ text: preview(TEXT).text, saved: null }),
  Truncate: async () => {
    const before = process.cwd();
    process.chdir(root);
    const { content, ...rest } = await Truncate.output(TEXT).finally(() => process.chdir(before));
    return { text: content, saved: "outputPath" in rest ? (rest.outputPath as string) : null };
  },
  ObservationTruncator: async () => {
    const context = { cwd: ".", params_input: {} };
    const response = { status: "success", data: { content: TEXT }, text: "", stats: { time_ms: 1 }, context };
    const { data } = await new ObservationTruncator({ root }).truncate("Read", response);
    const { full_output_path: saved } = data.truncation as { full_output_path: string };
    return { text: JSON.stringify(data), saved: join(root, saved) };
  },
  agents: async () => {
    const folder = join(root, ".spillway", "tool-output");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "output.txt");
    writeFileSync(file, TEXT.repeat(2));
    const outcome = { kind: "success" } as const;
    const result = await boundFile(findHost("claude-code"), {
      file,
      tool: "Bash",
      root,
      outcome,
      command: { program: "spillway" },
    });
    if (result.kind !== "bounded" || !("artifact" in result.storage)) throw new Error("not saved");
    expect(Buffer.byteLength(result.preview.text)).toBeLessThanOrEqual(9000);
    return { text: result.preview.text, saved: result.storage.artifact.path };
  },
};

it.skipIf(process.platform !== "linux").each(Object.entries(ENTRIES))(
  "the table of defaults is right about %s",
  async (name, use) => {
    const page = readFileSync(join(PROJECT, "docs/limits.md"), "utf8");
    const row = page
      .split("\n")
      .find((line) => line.startsWith("| ") && line.split(" | ")[0]!.includes(name) && line.split(" | ").length === 5);
    const [, strategy = "", limits = "", folder = ""] = row?.split(" | ") ?? [];
    const seen = await use();
    expect(strategy).toContain(`\`${chosen(seen)}\``);
    expect(limits).toMatch(/^2,000 lines, (51,200|9,000) bytes/);
    expect(folder.replaceAll("`", "").split(";")[0]).toBe(folderOf(seen));
  },
);
