import { Command } from "commander";
import { createSpillway } from "../gate/spillway.ts";
import type { Configuration } from "../limits/configuration.ts";
import { ARTIFACT_DIR, LIMITS_BY_NAME, RETENTION_DAYS } from "../limits/defaults.ts";
import { readEnvironment } from "../limits/environment.ts";
import { type LimitKey, originOf } from "../limits/resolve.ts";
import { userConfigFile } from "../limits/trusted-folders.ts";
import type { LimitOptions } from "../limits/types.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addLimitOptions, addProjectOptions, type LimitFlags, resolveLimitFlags, resolveProject } from "./options.ts";
import { tell } from "./terminal.ts";

interface ConfigFlags extends LimitFlags {
  readonly json?: boolean;
}

/** `spillway config [TOOL]` */
export function createConfigCommand(): Command {
  return addLimitOptions(addProjectOptions(new Command("config")))
    .description("Show the limits in force, where each one comes from, and what was ignored in the project's file.")
    .argument("[tool]", "show the limits for this tool")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nStrongest first: call > file tools.NAME > tool definition > built-in for that name > environment > file default > built-in.\nThe project's file, or the one given with --config, comes before your own.",
    )
    .action((tool: string | undefined, flags: ConfigFlags) => config(tool, flags));
}

async function config(tool: string | undefined, flags: ConfigFlags): Promise<void> {
  const place = resolveProject(flags);
  const spillway = createSpillway(place);
  const { files, ignored, changedSinceTrusted, ...configured } = await spillway.config();
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
    key: "dir" | "retentionDays" | "quotaBytes",
    builtIn: T,
  ): { value: unknown; from: string } => {
    if (call !== undefined) return { value: call, from: "call" };
    if (env !== undefined) return { value: env, from: "environment" };
    const file = files.find((each) => each[key] !== undefined);
    if (file === undefined) return { value: builtIn, from: "built-in" };
    return { value: configured[key], from: `${originOf(file)} artifacts` };
  };
  const values: Record<string, { value: unknown; from: string }> = {};
  for (const key of Object.keys(origin) as LimitKey[]) {
    const value = key === "strategy" ? strategy : limits[key];
    values[key] = { value: value === Infinity ? "no limit" : value, from: origin[key] };
  }
  values.dir = pick(place.dir, environment.dir, "dir", ARTIFACT_DIR);
  values.retentionDays = pick(undefined, environment.retentionDays, "retentionDays", RETENTION_DAYS);
  values.quotaBytes = pick<number | string>(undefined, undefined, "quotaBytes", "no limit");
  const aliases = known?.names.filter((name) => name !== tool) ?? [];
  const project = files.find(({ from }) => from !== "user")?.path ?? null;
  const user = files.find(({ from }) => from === "user")?.path ?? null;
  const report = { root: spillway.root, file: project, userFile: user, tool: tool ?? null, aliases, values, ignored };
  if (tool !== undefined && known === undefined && !hasLimits(tool, files)) {
    process.exitCode = 1;
    await tellUnknown(tool, files);
  }
  if (flags.json === true) return writeJson(report);
  const rows = Object.entries(values).map(
    ([key, { value, from }]) => `${key.padEnd(14)} ${String(value).padEnd(22)} ${from}`,
  );
  await writeOut(
    [
      `root           ${report.root}`,
      `config file    ${project ?? "none"}`,
      `user file      ${user ?? `none (${userConfigFile()})`}`,
      ...(tool === undefined ? [] : [`tool           ${[tool, ...aliases].join(", also ")}`]),
      "",
      ...rows,
      ...(ignored.length === 0 ? [] : ["", ...sayIgnored({ ignored, changedSinceTrusted })]),
      "",
    ].join("\n"),
  );
}

function hasLimits(tool: string, files: Configuration["files"]): boolean {
  return Object.hasOwn(LIMITS_BY_NAME, tool) || files.some((file) => Object.hasOwn(file.tools, tool));
}

/** Reports a name that nothing sets limits for, which may be a mistyped one. */
async function tellUnknown(tool: string, files: Configuration["files"]): Promise<void> {
  const { builtInTools } = await import("../tools/index.ts");
  const { guessName } = await import("../limits/near-name.ts");
  const names = [...builtInTools.map(({ name }) => name), ...files.flatMap((file) => Object.keys(file.tools))];
  tell(
    `no tool called ${JSON.stringify(tool)} is built in or has limits in a configuration file; shown is what holds for any other name.${guessName(tool, names)}`,
  );
}

/** What of a project's file was not believed, in lines for people. */
export function sayIgnored({
  ignored,
  changedSinceTrusted,
}: Pick<Configuration, "ignored" | "changedSinceTrusted">): readonly string[] {
  const changed = changedSinceTrusted ? " It was changed since you trusted it." : "";
  return [
    ...ignored.map(({ key, reason }) => `ignored        ${key}: ${reason}`),
    `               ${ignored[0]?.file} came with the project.${changed} \`spillway trust\` takes it for your own.`,
  ];
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
