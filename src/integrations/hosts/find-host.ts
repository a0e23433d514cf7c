import { invalidArgument } from "../../errors.ts";
import { guessName } from "../../limits/near-name.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import type { Host } from "./host.ts";
import { kilo } from "./kilo.ts";
import { MCP_ONLY_HOSTS } from "./mcp-only-hosts.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** Every agent that Spillway knows. */
export const HOSTS: readonly Host[] = [
  claudeCode,
  codex,
  opencode,
  gemini,
  qwen,
  pi,
  copilot,
  continueCli,
  kilo,
  ...MCP_ONLY_HOSTS,
];

export const HOST_NAMES: readonly string[] = HOSTS.map(({ name }) => name);

export function findHost(name: string): Host {
  const host = HOSTS.find((one) => one.name === name);
  if (host) return host;
  throw invalidArgument(
    `there is no agent called ${JSON.stringify(name)}.${guessName(name, HOST_NAMES)} Known: ${HOST_NAMES.join(", ")}.`,
  );
}
