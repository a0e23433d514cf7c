import { type Clean, cleanerOf } from "../gate/clean.ts";
import { createSpillway } from "../gate/spillway.ts";
import type { Capture, GateOptions, Spillway, SpillwayOptions } from "../gate/types.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { type LimitFlags, resolveLimitFlags, resolveProject } from "./options.ts";
import { ownCommand } from "./own-command.ts";

export interface OpenGate {
  readonly spillway: Spillway;
  readonly capture: Capture;
  /** Takes secrets out of what is said of the output, where they are taken out of it. */
  readonly clean: Clean;
  /** True when the config file asks for a summary, which needs the agent's model. */
  readonly summaryAsked: boolean;
}

/** The gate of `run` and `pipe`, and a capture held to what flags, config file and environment say for the tool. */
export async function openGate(
  flags: LimitFlags,
  about: Pick<GateOptions, "tool" | "callId" | "commandLine"> & { readonly tool: string },
): Promise<OpenGate> {
  const secrets = new SecretNumbers();
  const given = { ...resolveLimitFlags(flags), ...about, query: flags.query, secrets };
  const options: SpillwayOptions = {
    ...resolveProject(flags),
    surface: "cli",
    command: ownCommand(flags),
  };
  const spillway = createSpillway(options);
  const summaryAsked = (await spillway.limits(given)).strategy === "summarize";
  const clean = cleanerOf(await spillway.redaction(), secrets);
  return { spillway, capture: await spillway.capture(given), clean, summaryAsked };
}
