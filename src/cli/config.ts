import { Command } from "commander";
import { createSpillway } from "../gate/spillway.ts";
import { ARTIFACT_DIR, RETENTION_DAYS } from "../limits/defaults.ts";
import { readEnvironment } from "../limits/environment.ts";
import type { LimitKey } from "../limits/resolve.ts";
import type { LimitOptions } from "../limits/types.ts";
import { writeOut } from "./emit.ts";
import { addLimitOptions, addProjectOptions, type LimitFlags, resolveLimitFlags, resolveProject } from "./options.ts";

interface ConfigFlags extends LimitFlags {
  readonly json?: boolean;
}

/** `spillway config [TOOL]` */
export function createConfigCommand(): Command {
  return addLimitOptions(addProjectOptions(new Command("config")))
    .description("Show the limits in force, for a tool when one is named, and where each value comes from.")
    .argument("[tool]", "the tool")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      "\nOrder: call > file tools.NAME > tool definition > built-in for that name > environment > file default > built-in.",
    )
    .action((tool: string | undefined, flags: ConfigFlags) => config(tool, flags));
}

async function config(tool: string | undefined, flags: ConfigFlags): Promise<void> {
  const place = resolveProject(flags);
  const spillway = createSpillway(place);
  const file = await spillway.config();
  const known = tool === undefined ? undefined : await findBuiltIn(tool);
  const { limits, strategy, origin } = await spillway.limits({
    ...resolveLimitFlags(flags),
    tool,
    ...(known && { aliases: known.names, toolLimits: known.limits }),
  });
  const environment = readEnvironment(process.env);
  const pick = <T>(
    call: T | undefined,
    env: T | undefined,
    inFile: T | undefined,
    builtIn: T,
  ): { value: T; from: string } => {
    if (call !== undefined) return { value: call, from: "call" };
    if (env !== undefined) return { value: env, from: "environment" };
    return inFile === undefined ? { value: builtIn, from: "built-in" } : { value: inFile, from: "file artifacts" };
  };
  const values: Record<string, { value: unknown; from: string }> = {};
  for (const key of Object.keys(origin) as LimitKey[]) {
    const value = key === "strategy" ? strategy : limits[key];
    values[key] = { value: value === Infinity ? "no limit" : value, from: origin[key] };
  }
  values.dir = pick(place.dir, environment.dir, file?.dir, ARTIFACT_DIR);
  values.retentionDays = pick(undefined, environment.retentionDays, file?.retentionDays, RETENTION_DAYS);
  values.quotaBytes = pick<number | string>(undefined, undefined, file?.quotaBytes, "no limit");
  const aliases = known?.names.filter((name) => name !== tool) ?? [];
  const report = { root: spillway.root, file: file?.path ?? null, tool: tool ?? null, aliases, values };
  if (flags.json === true) return writeOut(`${JSON.stringify(report, null, 2)}\n`);
  const rows = Object.entries(values).map(
    ([key, { value, from }]) => `${key.padEnd(14)} ${String(value).padEnd(22)} ${from}`,
  );
  await writeOut(
    `root           ${report.root}\nconfig file    ${report.file ?? "none"}\n${tool === undefined ? "" : `tool           ${[tool, ...aliases].join(", also ")}\n`}\n${rows.join("\n")}\n`,
  );
}

/** A built-in tool by any of its names: the config file may hold its limits under each. */
async function findBuiltIn(
  name: string,
): Promise<{ readonly names: readonly string[]; readonly limits: LimitOptions | undefined } | undefined> {
  const { builtInTools } = await import("../tools/index.ts");
  for (const tool of builtInTools) {
    const names = [tool.name, ...(tool.aliases ?? [])];
    if (names.includes(name)) return { names, limits: tool.limits };
  }
  return undefined;
}
