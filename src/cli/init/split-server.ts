import { invalidArgument, SpillwayError } from "../../errors.ts";
import { createProxyCommand } from "../proxy.ts";

/** What may not be said for a server that a host starts. */
const NOT_HERE = ["--url", "--servers", "--listen", "--name", "--reader"];

/** The words behind `--`: options of the proxy, another `--`, and the server's command; with `optionsOnly` no command. */
export function splitServer(
  words: readonly string[],
  optionsOnly: boolean,
): { readonly command: readonly string[]; readonly proxyFlags: readonly string[] } {
  if (!words[0]?.startsWith("-") && !(optionsOnly && words.length > 0)) return { command: words, proxyFlags: [] };
  const end = words.indexOf("--");
  const proxyFlags = end === -1 ? words : words.slice(0, end);
  const command = end === -1 ? [] : words.slice(end + 1);
  if (optionsOnly && command.length > 0)
    throw invalidArgument("--mcp wraps the servers that are there; give no command after --.");
  if (!optionsOnly && command.length === 0)
    throw invalidArgument(
      `After the options of the proxy (${proxyFlags.join(" ")}) another -- and the server's command must come.`,
    );
  checkFlags(proxyFlags);
  return { command, proxyFlags };
}

function checkFlags(flags: readonly string[]): void {
  const command = createProxyCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    const { operands, unknown } = command.parseOptions([...flags]);
    const [bad] = [...unknown, ...operands, ...flags.filter((flag) => NOT_HERE.includes(flag))];
    if (bad !== undefined) throw invalidArgument(`${bad} is not an option that the proxy takes here.`);
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    throw invalidArgument((error as Error).message);
  }
}
