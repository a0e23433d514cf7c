import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("redact");
/** Made here, so that no file of the project holds what looks like one. */
const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const log = `start\nusing ${token}\nagain ${token}\nend`;
writeFileSync(join(root, "build.log"), log);
writeFileSync(join(root, "clean.log"), "nothing to see\n");

describe("what was saved before redaction was on", () => {
  it("is printed without secrets once it is on", async () => {
    const folder = temporaryFolder("redact-later");
    writeFileSync(join(folder, "later.yaml"), "redact: true\n");
    const body = `${"line\n".repeat(3_000)}using ${token} now\n`;
    await spillway(["pipe", "--root", folder], { input: body });
    const later = ["--root", folder, "--config", join(folder, "later.yaml")];
    for (const command of [
      ["read", "latest", "--offset", "3000"],
      ["read", "latest", "--offset", "3000", "--json"],
      ["read", "latest", "--bytes", "15000-15060"],
      ["grep", "using", "latest"],
      ["grep", "using", "latest", "--json"],
      ["search", "using", "latest"],
    ]) {
      const { out } = await spillway(["artifacts", ...command, ...later]);
      expect([command, out.includes(token), out.includes("[redacted:github-token#1]")]).toEqual([command, false, true]);
      expect((await spillway(["artifacts", ...command, "--root", folder])).out).toContain(token);
    }
  });

  it("is redacted by run --raw, also across chunks and at its end", async () => {
    const line = `printf 'a ${token.slice(0, 20)}'; sleep 0.1; printf '${token.slice(20)}'`;
    const { out } = await spillway(["run", "--redact", "--raw", "-c", line], { cwd: root });
    expect(out).toBe("a [redacted:github-token#1]");
  });
});

describe("spillway redact", () => {
  const wanted = log.replaceAll(token, "[redacted:github-token#1]");

  it("prints a file or standard input without its secrets, and tells the kinds apart from them", async () => {
    const fromFile = await spillway(["redact", "build.log"], { cwd: root });
    expect(fromFile).toMatchObject({ exitCode: 0, out: wanted });
    expect(fromFile.err).toBe("spillway: replaced 2 secrets: github-token 2.\n");
    expect((await spillway(["redact", "-"], { cwd: root, input: log })).out).toBe(wanted);
  });

  it("prints what has none byte for byte", async () => {
    const input = Buffer.from([0xff, 0, 10, 13, 10, 0xc3]);
    const { stdout, err } = await spillway(["redact"], { cwd: root, input });
    expect(stdout).toEqual(input);
    expect(err).toBe("");
  });

  it("tests with --check: the exit code says it, and no secret is printed", async () => {
    const found = await spillway(["redact", "--check", "build.log"], { cwd: root });
    expect(found).toMatchObject({ exitCode: 1, out: "2 secrets: github-token 2\n" });
    const json = await spillway(["redact", "--check", "--json", "build.log"], { cwd: root });
    expect(JSON.parse(json.out)).toEqual({ secrets: 2, kinds: { "github-token": 2 } });
    expect(found.out + found.err + json.out + json.err).not.toContain(token);
    expect(await spillway(["redact", "--check", "clean.log"], { cwd: root })).toMatchObject({ exitCode: 0 });
  });

  it("takes out values of its own environment", async () => {
    const { out } = await spillway(["redact"], {
      cwd: root,
      input: "got hunter-two-99 here\n",
      env: { ACME_DEPLOY_TOKEN: "hunter-two-99" },
    });
    expect(out).toBe("got [redacted:env-acme-deploy-token#1] here\n");
  });

  it("takes patterns and exceptions from the config file", async () => {
    const folder = temporaryFolder("redact-config");
    writeFileSync(
      join(folder, "own.yaml"),
      `redact:\n  patterns:\n    ticket: 'ACME-(\\d{4,})'\n  allow: [${JSON.stringify(token)}]\n`,
    );
    const { out } = await spillway(["redact", "--config", "own.yaml"], { cwd: folder, input: `ACME-12345 ${token}\n` });
    expect(out).toBe(`ACME-[redacted:ticket#1] ${token}\n`);
    writeFileSync(join(folder, "own.yaml"), "redact:\n  patterns:\n    ticket: '('\n");
    const wrong = await spillway(["redact", "--config", "own.yaml"], { cwd: folder, input: "" });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.err).toMatch(/redact\.patterns\.ticket is not a pattern/);
  });

  it("says in one sentence that a file cannot be read", async () => {
    const result = await spillway(["redact", "missing.log"], { cwd: root });
    expect(result).toMatchObject({ exitCode: 1, out: "" });
    expect(result.err).toMatch(/^spillway: [^\n]*cannot read missing\.log[^\n]*\n$/);
  });
});
