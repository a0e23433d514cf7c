import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { createSpillway } from "../gate/spillway.ts";
import { formatPlural } from "../preview/omission.ts";
import { Redaction } from "../redact/redaction.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "./options.ts";
import { readFileOrInput } from "./read-input.ts";

interface RedactFlags extends RootOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

const EXIT_FOUND = 1;

/** `spillway redact [FILE|-]` */
export function createRedactCommand(): Command {
  return addProjectOptions(new Command("redact"))
    .description("Print a file or standard input with placeholders in place of its secrets.")
    .argument("[file]", "file to read; standard input if left out or -")
    .option("--check", "only say what was found; exit code 1 if there are secrets")
    .option("--json", "with --check: print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ kubectl describe secret app | spillway redact\n  $ spillway redact --check build.log && gh issue create --body-file build.log",
    )
    .action((file: string | undefined, flags: RedactFlags) => redact(file, flags));
}

async function redact(file: string | undefined, flags: RedactFlags): Promise<void> {
  if (flags.json === true && flags.check !== true)
    throw invalidArgument("--json says what --check found; without --check the text is printed.");
  const config = await createSpillway(resolveProject(flags)).config();
  const stream = new Redaction(config.redact || {}, process.env).stream();
  const give = async (parts: readonly Uint8Array[]): Promise<void> => {
    // Copied, since the input's buffer is used again.
    if (flags.check !== true && parts.length > 0) await writeOut(Buffer.concat(parts));
  };
  const take = (chunk: Uint8Array): Promise<void> => give(stream.write(chunk));
  await readFileOrInput(file, take).finally(() => give(stream.end()));
  await tell(stream.counts, flags);
}

async function tell(counts: ReadonlyMap<string, number>, { check, json }: RedactFlags): Promise<void> {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (check === true && total > 0) process.exitCode = EXIT_FOUND;
  if (check === true && json === true) return writeJson({ secrets: total, kinds: Object.fromEntries(counts) });
  const kinds = [...counts].map(([kind, count]) => `${kind} ${count}`).join(", ");
  const said = total === 0 ? "no secrets" : `${formatPlural(total, "secret")}: ${kinds}`;
  if (check === true) await writeOut(`${said}\n`);
  else if (total > 0) process.stderr.write(`spillway: replaced ${said}.\n`);
}
