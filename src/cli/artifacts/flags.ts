import { Command } from "commander";
import { invalidArgument } from "../../errors.ts";
import { addProjectOptions, type RootOptions } from "../options.ts";

export interface JsonFlags extends RootOptions {
  readonly json?: boolean;
}

/** A subcommand of `artifacts` with the options that all have, and examples in its help. */
export function createSubcommand(name: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  spillway artifacts ${example}`).join("\n");
  return addProjectOptions(new Command(name).description(description))
    .option("--json", "print JSON")
    .addHelpText("after", `\nExamples:\n${lines}`);
}

/** "A-B" or "A-": bytes from 0, the end not included. */
export function parseByteRange(text: string): { readonly startByte: number; readonly endByte: number } {
  const match = /^(\d+)-(\d*)$/.exec(text.trim());
  const startByte = Number(match?.[1]);
  const endByte = match?.[2] === "" ? Number.POSITIVE_INFINITY : Number(match?.[2]);
  if (match !== null && startByte <= endByte) return { startByte, endByte };
  throw invalidArgument(
    `--bytes must be A-B or A-, from 0 and B not included, such as 0-4096, not ${JSON.stringify(text)}.`,
  );
}

export function checkQuestion(words: string): void {
  if (words.trim() === "")
    throw invalidArgument('The question is empty; say what to look for, such as "which test failed?".');
}
