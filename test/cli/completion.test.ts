import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { spillway } from "../support/spillway-command.ts";

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

describe("spillway completion", () => {
  it.runIf(has("bash"))("bash completes commands, subcommands, options, values and hosts", async () => {
    const { out } = await spillway(["completion", "bash"]);
    const complete = (...words: string[]): string[] => {
      const script = `${out}\nCOMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _spillway; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
    };
    expect(complete("spillway", "pre")).toEqual(["preview"]);
    expect(complete("spillway", "artifacts", "re")).toEqual(["read"]);
    expect(complete("spillway", "artifacts", "read", "--off")).toEqual(["--offset"]);
    expect(complete("spillway", "run", "--max-l")).toEqual(["--max-lines"]);
    expect(complete("spillway", "run", "--strategy", "sm")).toEqual(["smart"]);
    expect(complete("spillway", "init", "claude-c")).toEqual(["claude-code"]);
  });

  it.runIf(has("zsh"))("zsh takes the script", async () => {
    const { out } = await spillway(["completion", "zsh"]);
    const script = `autoload -U compinit; compinit -u -D; ${out}\nprint $_comps[spillway]`;
    expect(execFileSync("zsh", ["-fc", script], { encoding: "utf8" }).trim()).toBe("_spillway");
  });

  it.runIf(has("fish"))("fish completes options and values", async () => {
    const { out } = await spillway(["completion", "fish"]);
    const complete = (line: string): string =>
      execFileSync("fish", ["-c", `${out}\ncomplete -C ${JSON.stringify(line)}`], { encoding: "utf8" });
    expect(complete("spillway run --max-l")).toMatch(/^--max-lines\t/);
    expect(complete("spillway artifacts rea")).toContain("read");
    expect(complete("spillway run --strategy sm")).toMatch(/^smart\b/);
  });

  it("names the shells it knows", async () => {
    const { err, exitCode } = await spillway(["completion", "tcsh"]);
    expect(exitCode).toBe(2);
    expect(err).toContain("bash, zsh, fish");
  });
});
