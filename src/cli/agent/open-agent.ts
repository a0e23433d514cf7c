import type { Command } from "commander";
import type { Agent, AgentOptions } from "../../agent/agent.ts";
import type { LoadedModel } from "../../agent/model.ts";
import type { PostgresSessions } from "../../agent/postgres/postgres-sessions.ts";
import { invalidArgument } from "../../errors.ts";
import type { PermissionAction, PermissionRule } from "../../gate/permissions.ts";
import { given, parseLimit } from "../../limits/check.ts";
import { addRedactOption, addRootOptions, type RootOptions, resolveRoot } from "../options.ts";
import { addSessionsOption, type SessionsFlags } from "./open-sessions.ts";

export interface ModelFlags extends RootOptions {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly contextWindow?: string;
}

export interface AgentFlags extends ModelFlags, SessionsFlags {
  readonly yes?: boolean;
  readonly maxSteps?: string;
  readonly json?: boolean;
  /** In the order in which --allow, --ask and --deny were given. */
  readonly rules?: readonly PermissionRule[];
}

export function addModelOptions(command: Command): Command {
  return command
    .option("--model <name>", "openai/NAME, anthropic/NAME or openai-compatible/NAME (default: $SPILLWAY_MODEL)")
    .option("--base-url <url>", "provider's address, required for openai-compatible (default: the provider's own)")
    .option("--context-window <tokens>", "the model's context window (default: 200000 for anthropic, else 128000)");
}

/** Adds what `agent` and `sessions resume` share. */
export function addAgentOptions(command: Command): Command {
  const rules: PermissionRule[] = [];
  const collect = (action: PermissionAction) => (text: string) => {
    const [, permission = text, pattern = "*"] = /^([^:]+):(.*)$/s.exec(text) ?? [];
    rules.push({ permission, pattern, action });
    return rules;
  };
  return addSessionsOption(addModelOptions(addRedactOption(addRootOptions(command))))
    .option("-y, --yes", "do not ask: allow what would be asked about; denied stays denied")
    .option("--max-steps <n>", "most requests to the model (default: 50)")
    .option(
      "--allow <tool[:pattern]>",
      'allow such calls, as in bash:"git *"; may be repeated, the last match wins',
      collect("allow"),
    )
    .option("--ask <tool[:pattern]>", "ask before such calls; may be repeated", collect("ask"))
    .option(
      "--deny <tool[:pattern]>",
      "never make such calls; a tool denied without a pattern is not offered at all; may be repeated",
      collect("deny"),
    )
    .option("--json", "print every event as a line of JSON")
    .hook("preAction", (_, action) => {
      action.setOptionValue("rules", rules);
    });
}

/** Loads the model that the flags or the environment name. */
export async function openModel(
  flags: ModelFlags,
  recorded?: { model: string; baseURL?: string | undefined },
): Promise<LoadedModel> {
  const specifier = flags.model ?? recorded?.model ?? process.env.SPILLWAY_MODEL;
  if (specifier === undefined || specifier === "") {
    throw invalidArgument(
      "Which model? Use --model openai/NAME, anthropic/NAME or openai-compatible/NAME, or set SPILLWAY_MODEL.",
    );
  }
  // A session's file may come from anyone, so an address in it is never given a key.
  if (recorded?.baseURL !== undefined && flags.baseUrl === undefined) {
    throw invalidArgument(`This session used another address; to continue, repeat it: --base-url ${recorded.baseURL}`);
  }
  // The SDK prints warnings to the console, which would stand among the events.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const { loadModel } = await import("../../agent/model.ts");
  const window = flags.contextWindow;
  return loadModel(specifier, {
    baseURL: flags.baseUrl,
    contextWindow: given(window, "--context-window", parseLimit),
  });
}

/** The agent that the flags describe. */
export async function openAgent(
  flags: AgentFlags,
  model: LoadedModel,
  more: Pick<AgentOptions, "ask" | "onEvent" | "onText" | "sessions">,
): Promise<Agent> {
  const { createAgent } = await import("../../agent/create-agent.ts");
  const { createSpillway } = await import("../../gate/spillway.ts");
  const gate = resolveRoot(flags);
  const { sessions } = more;
  const records = sessions !== undefined && "addRecords" in sessions ? (sessions as PostgresSessions) : undefined;
  const spillway = createSpillway({ ...gate, surface: "agent", records });
  return createAgent({
    model,
    root: gate.root,
    spillway,
    yes: flags.yes,
    permissions: flags.rules,
    maxSteps: given(flags.maxSteps, "--max-steps", parseLimit),
    ...more,
  });
}
