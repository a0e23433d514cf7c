import { invalidArgument } from "../../errors.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { Host } from "./host.ts";
import { kilo } from "./kilo.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every agent that Spillway knows. */
export const HOSTS: readonly Host[] = [
  claudeCode,
  codex,
  opencode,
  gemini,
  qwen,
  pi,
  kilo,
  cursor,
  vscode,
  cline,
  windsurf,
  claudeDesktop,
  zed,
];

export const HOST_NAMES: readonly string[] = HOSTS.map(({ name }) => name);

export function findHost(name: string): Host {
  const host = HOSTS.find((one) => one.name === name);
  if (host) return host;
  throw invalidArgument(`Unknown host ${JSON.stringify(name)}; known are ${HOST_NAMES.join(", ")}.`);
}
