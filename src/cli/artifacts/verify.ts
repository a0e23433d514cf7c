import type { Command } from "commander";
import type { Verification } from "../../artifacts/types.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import { writeJson, writeOut } from "../emit.ts";
import { createSubcommand, findArtifact, type JsonFlags, type OpenArtifacts, openArtifacts } from "./open-artifacts.ts";

interface Checked {
  readonly id: string;
  readonly path: string;
  readonly ok: boolean;
  readonly problem?: string;
}

/** `spillway artifacts verify` */
export function createVerifyCommand(): Command {
  return createSubcommand("verify", "Check size, line count and sha256 against the manifest; exit 1 if one differs.", [
    "verify",
    "verify ID",
  ])
    .argument("[id|path...]", "artifacts (default: all)")
    .action((references: string[], _flags: JsonFlags, command: Command) =>
      verify(references, command.optsWithGlobals()),
    );
}

async function verify(references: readonly string[], flags: JsonFlags): Promise<void> {
  const artifacts = await openArtifacts(flags);
  const checked: Checked[] = [];
  for await (const entry of references.length === 0 ? all(artifacts) : named(artifacts, references))
    checked.push(entry);
  const failed = checked.filter(({ ok }) => !ok);
  if (failed.length > 0) process.exitCode = 1;
  if (flags.json === true) return writeJson({ artifacts: checked });
  const { colors } = await import("../colors.ts");
  const rows = checked.map(
    ({ ok, path, problem }) =>
      `${ok ? colors.green("ok") : colors.red("failed")}  ${path}${ok ? "" : `: ${problem}`}\n`,
  );
  await writeOut(`${rows.join("")}${checked.length} checked, ${failed.length} failed\n`);
}

async function* all({ root, stores }: OpenArtifacts): AsyncIterable<Checked> {
  for (const store of stores) {
    for await (const { id, path } of store.list()) yield check(id, relativeTo(root, path), await store.verify(id));
  }
}

async function* named(artifacts: OpenArtifacts, references: readonly string[]): AsyncIterable<Checked> {
  for (const reference of references) {
    const { artifact, label } = await findArtifact(artifacts, reference);
    yield check(artifact.id, label, await artifact.store.verify(artifact.id));
  }
}

function check(id: string, path: string, result: Verification): Checked {
  return result.ok ? { id, path, ok: true } : { id, path, ok: false, problem: result.problem };
}
