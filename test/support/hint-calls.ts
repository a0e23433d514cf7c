import { execFileSync } from "node:child_process";
import { expect } from "vitest";

/** The call of a tool that a hint names, as a program would make it; a path that it leaves out is the one that was named. */
export function suggestedCall(hint: string, tool: string): Record<string, unknown> {
  const [, args = ""] = new RegExp(`\\b${tool}\\(([^)]*)\\)`).exec(hint) ?? expect.unreachable(hint);
  const call = JSON.parse(`{${args.replaceAll(/(\w+)=/g, '"$1":')}}`);
  return "path" in call || "id" in call || "agent" in call ? call : { path: savedTo(hint), ...call };
}

/** Where a hint says that the full output is. */
export function savedTo(hint: string): string {
  return /saved to: (.*?)(?: \(its text|$)/m.exec(hint)?.[1] ?? expect.unreachable(hint);
}

/** The lines for a shell that a hint ends with. */
export function shellLines(hint: string): string[] {
  const [, lines] = /in a shell:\n([\s\S]+)$/.exec(hint) ?? expect.unreachable(hint);
  return lines?.split("\n") ?? [];
}

/** Pastes a line into a shell, with a pattern in the place of `PATTERN`. */
export function paste(line: string, options: { pattern?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const { pattern = "PATTERN", cwd, env } = options;
  return execFileSync("sh", ["-c", line.replace("PATTERN", () => pattern)], { cwd, env, encoding: "utf8" });
}
