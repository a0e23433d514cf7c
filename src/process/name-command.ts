/** As much of a command as is repeated when it ended badly. */
const NAMED_CHARS = 60;

/** A command as a sentence names it, on one line and not too long. */
export function nameCommand(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  const short = Array.from(line).slice(0, NAMED_CHARS).join("");
  return `\`${short === line ? line : `${short}…`}\``;
}

/** Variables that a shell line sets for its command, `CI=1 npm test`: their values may be secrets. */
const ASSIGNMENTS = /^\s*(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])*(?:\s+|$))*/;

/** The name of the tool that a command is: its program's, without folder. */
export function toolNameOf(command: string): string {
  return command.replace(ASSIGNMENTS, "").trim().split(/\s/, 1)[0]?.split(/[\\/]/).at(-1) || "run";
}
