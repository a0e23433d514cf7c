import { fieldsOf } from "../bytes/json/is-object.ts";
import { quoteWord } from "./quote-word.ts";

/** As much of a command as manifests keep: a script inside a command can be as long as a file. */
const KEPT_CHARS = 2000;
/** How Node starts a line with `shell: true`. */
const NODE_SHELL = ["/bin/sh", "-c"];

/** A program with its arguments as a shell would read them, or the line that Node's shell was given. */
export function commandLineOf(argv: readonly string[]): string {
  if (argv.length === 3 && NODE_SHELL.every((word, at) => word === argv[at])) return argv[2]!;
  // Newlines stay: a list shows them as spaces.
  return argv.map((word) => (/[\n\t]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : quoteWord(word))).join(" ");
}

/** The command among a tool's arguments; undefined if there is none. */
export function commandIn(args: unknown): string | undefined {
  const { command } = fieldsOf(args);
  if (typeof command === "string" && command.trim() !== "") return command;
  const words = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string");
  return words ? commandLineOf(command) : undefined;
}

/** A command as its manifest keeps it. */
export function keptCommand(command: string | undefined): string | undefined {
  if (command === undefined || command.trim() === "") return undefined;
  return command.length > KEPT_CHARS ? `${command.slice(0, KEPT_CHARS).toWellFormed()}…` : command;
}
