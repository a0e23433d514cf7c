import type { Command } from "commander";
import { writeJson, writeOut } from "../emit.ts";
import { createSubcommand, findArtifact, type JsonFlags, openArtifacts } from "./open-artifacts.ts";

/** `spillway artifacts rm` */
export function createRmCommand(): Command {
  return createSubcommand("rm", "Remove artifacts with their manifests and indexes.", ["rm ID", "rm toolu_01AbC"])
    .argument("<id|path...>", "ids, file names, call ids or paths")
    .action((references: string[], _flags: JsonFlags, command: Command) =>
      remove(references, command.optsWithGlobals()),
    );
}

async function remove(references: readonly string[], flags: JsonFlags): Promise<void> {
  const artifacts = await openArtifacts(flags);
  const targets = [];
  for (const reference of references) targets.push(await findArtifact(artifacts, reference));
  for (const { artifact } of targets) await artifact.store.remove(artifact.id);
  const removed = targets.map(({ artifact, label }) => ({ id: artifact.id, path: label }));
  if (flags.json === true) return writeJson({ removed });
  await writeOut(removed.map(({ path }) => `removed ${path}\n`).join(""));
}
