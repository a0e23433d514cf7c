import { text as readAll } from "node:stream/consumers";
import { Command } from "commander";
import type { ToolResponse } from "../protocol/types.ts";
import type { ToolRegistry } from "../tools/registry/registry.ts";
import { addRedactOption, addRootOptions, type RootOptions, resolveRoot } from "./options.ts";
import { forOutput } from "./terminal.ts";

interface ToolFlags extends RootOptions {
  readonly callId?: string;
  readonly query?: string;
  readonly allowPrivateAddresses?: boolean;
}

/** `spillway tool NAME 'JSON'` */
export function createToolCommand(): Command {
  return addRedactOption(addRootOptions(new Command("tool")))
    .description("Call one built-in tool and print its response envelope. Without a name, list the tools.")
    .argument("[name]", "name or alias of the tool, such as Read or read_file")
    .argument("[json]", "parameters as a JSON object; - reads them from standard input", "{}")
    .option("--call-id <id>", "id of the tool call, used in the file name of a saved output (default: none)")
    .option("--query <text>", "what you want to know; the smart strategy keeps what answers it (default: nothing)")
    .option("--allow-private-addresses", "let WebFetch reach loopback and private addresses")
    .addHelpText("after", EXAMPLES)
    .action((name: string | undefined, json: string, flags: ToolFlags) => callTool(name, json, flags));
}

const EXAMPLES = `
Examples:
  $ spillway tool
  $ spillway tool LS '{"path":"src"}'
  $ spillway tool Grep '{"pattern":"TODO","glob":"*.ts"}'
  $ spillway tool Bash '{"command":"npm test","timeout_ms":600000}'

The exit code is 1 when the status is "error".`;

async function callTool(name: string | undefined, json: string, flags: ToolFlags): Promise<void> {
  const { createSpillway } = await import("../gate/spillway.ts");
  const { builtInTools, createToolRegistry } = await import("../tools/index.ts");
  const spillway = createSpillway({
    ...resolveRoot(flags),
    surface: "cli",
    tools: builtInTools.map((tool) => tool.name),
  });
  const { allowPrivateAddresses } = flags;
  const registry = createToolRegistry({ spillway, tools: builtInTools, allowPrivateAddresses });
  if (name === undefined) {
    process.stdout.write(`${JSON.stringify(registry.list(), null, 2)}\n`);
    return;
  }
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  const { callId, query } = flags;
  const source = json === "-" ? await readAll(process.stdin) : json;
  const response = await callWithJson(registry, name, source, { callId, query, signal: stop.signal });
  process.stdout.write(forOutput(`${JSON.stringify(response, null, 2)}\n`));
  await spillway.flush();
  process.exitCode = response.status === "error" ? 1 : 0;
}

async function callWithJson(
  registry: ToolRegistry,
  name: string,
  source: string,
  options: Parameters<ToolRegistry["call"]>[2],
): Promise<ToolResponse> {
  let params: unknown;
  try {
    params = JSON.parse(source);
  } catch (error) {
    if (!registry.has(name)) return (await registry.call(name, {}, options)).response;
    const { failure } = await import("../protocol/builder.ts");
    return failure("INVALID_PARAM", `The parameters are not JSON: ${(error as Error).message}.`, {
      next: `Give an object in double quotes, such as '{"path":"."}'.`,
      stats: { time_ms: 0 },
      context: { cwd: ".", params_input: source },
    });
  }
  return (await registry.call(name, params, options)).response;
}
