import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isObject } from "../../../bytes/json/is-object.ts";
import { invalidConfig } from "../../../errors.ts";
import { webAddress } from "../../mcp-shared/web-address.ts";
import type { UpstreamTarget } from "../link/create-links.ts";
import { expandVariables, type VariableSources } from "./expand-variables.ts";
import type { ServerEntry } from "./server-entry.ts";

/** Where a server is: its entry with all variables filled in. Throws with what is wrong with it. */
export function resolveTarget({ settings }: ServerEntry, sources: VariableSources): UpstreamTarget {
  const fill = (value: unknown, key: string): string => {
    if (typeof value === "string") return expandVariables(value, sources);
    throw invalidConfig(`its ${key} must be a text`);
  };
  const fillAll = (value: unknown, key: string): Record<string, string> => {
    if (value === undefined) return {};
    if (!isObject(value)) throw invalidConfig(`its ${key} must be a mapping`);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, fill(typeof each === "number" ? `${each}` : each, key)]),
    );
  };
  const { type, command, args = [], cwd, env, envFile, url, serverUrl, httpUrl, headers } = settings;
  const address = httpUrl ?? serverUrl ?? url;
  if (address !== undefined) {
    if (type === "sse") throw invalidConfig("it speaks SSE of 2024-11-05; only Streamable HTTP is supported");
    const filled = fill(address, "url");
    if (!webAddress(filled)) throw invalidConfig(`its url must be an http or https address, not ${filled}`);
    return { url: filled, headers: fillAll(headers, "headers") };
  }
  if (command === undefined) throw invalidConfig("it has neither command nor url");
  if (!Array.isArray(args)) throw invalidConfig("its args must be a list");
  return {
    command: fill(command, "command"),
    args: args.map((each) => fill(each, "args")),
    ...(cwd === undefined ? {} : { cwd: resolve(sources.root, fill(cwd, "cwd")) }),
    env: {
      ...sources.environment,
      ...(envFile === undefined ? {} : readEnvFile(resolve(sources.root, fill(envFile, "envFile")))),
      ...fillAll(env, "env"),
    },
  };
}

function readEnvFile(path: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw invalidConfig(`its envFile cannot be read: ${(error as Error).message}`);
  }
  const lines = text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#]*))/gm);
  return Object.fromEntries(
    [...lines].map(([, name, double, single, bare]) => [name, double ?? single ?? bare!.trim()]),
  );
}
