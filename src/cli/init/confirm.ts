import { createInterface } from "node:readline/promises";
import { invalidArgument } from "../../errors.ts";

/** Asks on the terminal; without one nobody can agree, and nothing may be done unasked. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw invalidArgument(`${question}? There is no terminal to ask on; use --yes to go ahead.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** A text with something before each line that is not empty. */
export function indentLines(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

/** Tells the user what was done, or would be. */
export function say(message: string): void {
  process.stdout.write(`${message}\n`);
}
