import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

/** Made here, so that no file of the project holds what looks like one. */
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const PLACEHOLDER = "[redacted:github-token#1]";
const log = `${"row\n".repeat(5000)}error: token ${secret}\n${"row\n".repeat(5000)}`;

function allFiles(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), "utf8")}`)
    .join("\n");
}

describe("--redact", () => {
  it("keeps secrets from what run, pipe, preview and tool show and save", async () => {
    const root = temporaryFolder("redact-flag");
    const inputs = temporaryFolder("redact-flag-inputs");
    writeFileSync(join(inputs, "big.log"), log);
    const options = { cwd: root, input: log };
    const results = [
      await spillway(["run", "--redact", "--root", root, "--", "cat", join(inputs, "big.log")], options),
      await spillway(["pipe", "--redact", "--root", root], options),
      await spillway(["pipe", "--redact", "--root", root, "--format", "envelope"], options),
      await spillway(["preview", "--redact", "--root", root], options),
      await spillway(["preview", "--redact", "--root", root, "--json"], options),
      await spillway(["tool", "--redact", "--root", root, "Bash", `{"command":"cat '${inputs}/big.log'"}`], options),
    ];
    for (const { out, err } of results) {
      expect(out).toContain(PLACEHOLDER);
      expect(out + err).not.toContain(secret);
    }
    expect(allFiles(root)).not.toContain(secret);
    const stats = await spillway(["stats", "--root", root], { cwd: root });
    expect(stats.out).toMatch(/secrets replaced: github-token 4\n/);
    const json = JSON.parse((await spillway(["stats", "--json", "--root", root], { cwd: root })).out);
    expect(json.tools.pipe.redacted).toEqual({ "github-token": 2 });
  });

  it("keeps them out of what is said of the command", async () => {
    const root = temporaryFolder("redact-command");
    const line = `: ${"x".repeat(30)} token=${secret}; seq 1 9000; exit 3`;
    for (const args of [
      ["-c", line],
      ["-c", `: ${secret}; exit 3`],
      ["--format", "envelope", "-c", line],
      ["--json", "--", "sh", "-c", `: ${secret}; exit 3`],
      ["--", `./${secret}`],
    ]) {
      const { out, err } = await spillway(["run", "--redact", "--root", root, ...args], { cwd: root });
      expect(out + err).toContain("[redacted:");
      expect(out + err).not.toMatch(/ghp_/);
    }
    // What names the saved file and stands in the statistics.
    for (const args of [
      ["-c", `TOKEN=${secret} seq 1 9000`],
      ["--name", secret, "--", "seq", "1", "9000"],
    ]) {
      const { out, err } = await spillway(["run", "--redact", "--root", root, ...args], { cwd: root });
      expect(out + err).toContain("Full output saved to");
      expect(out + err).not.toMatch(/ghp_/);
    }
    expect(allFiles(root)).not.toMatch(/ghp_/);
  });

  it("is on where the config file says so, and what is within limits is redacted too", async () => {
    const root = temporaryFolder("redact-file");
    writeFileSync(join(root, "spillway.yaml"), "redact: true\n");
    const { out } = await spillway(["run", "--", "echo", `x ${secret}`], { cwd: root });
    expect(out).toBe(`x ${PLACEHOLDER}\n`);
    const off = temporaryFolder("redact-none");
    expect((await spillway(["run", "--root", off, "--", "echo", secret], { cwd: off })).out).toBe(`${secret}\n`);
  });
});
