import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

describe("spillway ui --export", () => {
  const root = temporaryFolder("export");
  // Made here, so that no scanner takes it for one.
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

  it("writes one page that loads nothing, with secrets taken out and hostile text as text", async () => {
    const script = `for (let i = 0; i < 3000; i++) console.log("row " + i); console.log("</script><script>alert(1)</script> token ${secret}"); process.exit(3)`;
    await spillway(["run", "--root", root, "--", process.execPath, "-e", script], { cwd: root });
    const { artifacts } = JSON.parse(
      (await spillway(["artifacts", "list", "--json", "--root", root], { cwd: root })).out,
    );
    const file = join(root, "page.html");
    const { exitCode, err } = await spillway(["ui", "--root", root, "--export", file, artifacts[0].id], { cwd: root });
    expect(err).toContain("page.html written");
    expect(exitCode).toBe(0);
    const page = readFileSync(file, "utf8");
    expect(page).not.toContain(secret);
    expect(page).toContain("[redacted:");
    expect(page).not.toContain("<script>alert(1)");
    expect(page).not.toMatch(/<(?:script|link)[^>]+(?:src|href)=/);
    expect(page).toMatch(/script-src 'sha256-/);
  });

  it("has a very long line whole", async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, state: "passed" }));
    await spillway(["pipe", "--root", root], { cwd: root, input: JSON.stringify({ rows }) });
    const list = await spillway(["artifacts", "list", "--json", "--root", root], { cwd: root });
    const { id } = JSON.parse(list.out).artifacts.at(-1);
    const file = join(root, "long.html");
    await spillway(["ui", "--root", root, "--export", file, id], { cwd: root });
    const data = /id="exported">(.*)<\/script>/.exec(readFileSync(file, "utf8"))?.[1] ?? "{}";
    const { runs, totalLines } = JSON.parse(data).output;
    expect({ totalLines, runs: runs.length, lines: runs[0].lines.length }).toEqual({
      totalLines: 1,
      runs: 1,
      lines: 1,
    });
    expect(JSON.parse(runs[0].lines[0]).rows).toHaveLength(30_000);
  });

  it("says what it needs", async () => {
    const { exitCode, err } = await spillway(["ui", "--root", root, "--export", "x.html"], { cwd: root });
    expect(exitCode).toBe(2);
    expect(err).toContain("--export needs an artifact or session");
    const port = await spillway(["ui", "--root", root, "--port", "nine"], { cwd: root });
    expect(port.err).toContain("--port must be a number");
  });
});
