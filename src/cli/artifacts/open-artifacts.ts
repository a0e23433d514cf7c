import { stat } from "node:fs/promises";
import path from "node:path";
import { Command } from "commander";
import { mayBeginId } from "../../artifacts/artifact-name.ts";
import { type ByteSource, openFileSource } from "../../artifacts/byte-source.ts";
import type { LocalStore } from "../../artifacts/local/local-store.ts";
import { openArtifact } from "../../artifacts/open-artifact.ts";
import { findInStores, openStores } from "../../artifacts/open-stores.ts";
import { plainReason } from "../../artifacts/store-failure.ts";
import type { Manifest } from "../../artifacts/types.ts";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import { readConfiguration } from "../../limits/configuration.ts";
import { RETENTION_DAYS } from "../../limits/defaults.ts";
import { readEnvironment } from "../../limits/environment.ts";
import { SecretNumbers } from "../../redact/secret-numbers.ts";
import type { RedactSettings } from "../../redact/settings.ts";
import { addProjectOptions, type RootOptions, resolveProject } from "../options.ts";

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

export interface OpenArtifacts {
  readonly root: string;
  /** Folders, and before them the bucket where one is configured. */
  readonly stores: readonly LocalStore[];
  /** Opens the bucket of an address, with what the configuration says of its endpoint. */
  readonly openRemote: (uri: string) => Promise<LocalStore>;
  readonly retentionDays: number;
  readonly quotaBytes: number | undefined;
  /** Takes secrets out of what is printed if redaction is on now, whatever it was when the output was saved. */
  readonly clean: <T extends string | Uint8Array>(text: T) => T;
}

/** Opens the folder that `--dir` names; without it the configured one and both default folders. */
export async function openArtifacts(flags: RootOptions): Promise<OpenArtifacts> {
  const { root, dir, config, store } = resolveProject(flags);
  const file = await readConfiguration(root, config);
  const environment = readEnvironment(process.env);
  const folders = openStores(root, {
    dir,
    configuredDir: environment.dir ?? file.dir,
    // An agent or a server that was started in a folder below keeps to that folder.
    alsoBelow: flags.root === undefined ? process.cwd() : undefined,
  });
  const uri = store ?? (dir === undefined ? (environment.store ?? file.store?.uri) : undefined);
  const openRemote = async (address: string) => {
    const { openS3Store } = await import("../../artifacts/s3/open-s3-store.ts");
    return openS3Store({ ...file.store, uri: address, root });
  };
  return {
    root,
    stores: uri === undefined ? folders : [await openRemote(uri), ...folders],
    openRemote,
    retentionDays: environment.retentionDays ?? file.retentionDays ?? RETENTION_DAYS,
    quotaBytes: file.quotaBytes,
    clean: await openRedaction(file.redact),
  };
}

async function openRedaction(settings: RedactSettings | false | undefined): Promise<OpenArtifacts["clean"]> {
  if (!settings) return (text) => text;
  const { Redaction } = await import("../../redact/redaction.ts");
  const redaction = new Redaction(settings, process.env);
  const numbers = new SecretNumbers();
  return <T extends string | Uint8Array>(text: T): T => {
    const stream = redaction.stream(numbers);
    const cleaned = Buffer.concat([...stream.write(Buffer.from(text)), ...stream.end()]);
    if (stream.counts.size === 0) return text;
    return (typeof text === "string" ? cleaned.toString() : cleaned) as T;
  };
}

const LATEST = "latest";

/** What the commands take in place of an artifact; for their help. */
export const REFERENCE = `id or its beginning, "${LATEST}", file name, call id or path`;

/** What a command works on: an artifact, or any other file or folder by its path. */
export interface Target {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root where it lies below it; what to show. */
  readonly label: string;
  readonly artifact?: { readonly id: string; readonly store: LocalStore; readonly manifest?: Manifest };
}

/** Finds an artifact by id, name, call id or path, else a file or folder by path, else an artifact by `REFERENCE`. */
export async function findTarget(artifacts: OpenArtifacts, reference: string): Promise<Target> {
  const { root, stores } = artifacts;
  const elsewhere = reference.startsWith("s3://") && !stores.some(({ dir }) => path.posix.dirname(reference) === dir);
  const looked = elsewhere ? [await artifacts.openRemote(path.posix.dirname(reference))] : stores;
  const found = await findInStores(looked, reference);
  if (found !== undefined) {
    const { id, store, manifest } = found;
    const artifact = { id, store, ...(manifest === undefined ? {} : { manifest }) };
    return { path: found.path, label: relativeTo(root, found.path), artifact };
  }
  for (const candidate of [path.resolve(root, reference), path.resolve(reference)]) {
    const exists = await stat(candidate).then(
      () => true,
      () => false,
    );
    if (reference !== "" && exists) return { path: candidate, label: relativeTo(root, candidate) };
  }
  const listed = await findListed(stores, reference);
  if (listed !== undefined) return findTarget(artifacts, listed);
  const places = stores.map((store) => relativeTo(root, store.dir)).join(" or ");
  throw new SpillwayError(
    "ARTIFACT_NOT_FOUND",
    `no artifact ${JSON.stringify(reference)} in ${places}, and no such file. "spillway artifacts list" lists what there is.`,
  );
}

/** The full id of the newest artifact for "latest", or of the only one that begins as the reference does. */
async function findListed(stores: readonly LocalStore[], reference: string): Promise<string | undefined> {
  const latest = reference === LATEST;
  if (!latest && !mayBeginId(reference)) return undefined;
  const ids: string[] = [];
  for (const store of stores)
    for await (const { id } of store.list()) if (latest || id.startsWith(reference)) ids.push(id);
  if (latest) return ids.sort().at(-1);
  if (ids.length > 1)
    throw invalidArgument(`${ids.length} artifacts begin with ${reference}; give more of the id, or "${LATEST}".`);
  return ids[0];
}

/** The same, for commands that work on artifacts only. */
export async function findArtifact(
  artifacts: OpenArtifacts,
  reference: string,
): Promise<Target & { readonly artifact: NonNullable<Target["artifact"]> }> {
  const target = await findTarget(artifacts, reference);
  if (target.artifact !== undefined) return { ...target, artifact: target.artifact };
  throw new SpillwayError("ARTIFACT_NOT_FOUND", `${target.label} is a file, but not an artifact of Spillway's.`);
}

/** True when a target's bytes are in no file. */
export function isRemote({ path: location }: Target): boolean {
  return !path.isAbsolute(location);
}

export async function openTarget(target: Target): Promise<ByteSource> {
  if (target.artifact !== undefined && isRemote(target)) return openArtifact(target.artifact.store, target.artifact.id);
  await refuseFolder(target);
  try {
    return await openFileSource(target.path);
  } catch (error) {
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `cannot read ${target.label}: ${plainReason(error)}.`, {
      cause: error,
    });
  }
}

/** For commands that work on one file. */
export async function refuseFolder({ path: location, label, artifact }: Target): Promise<void> {
  if (artifact !== undefined || !(await stat(location).catch(() => undefined))?.isDirectory()) return;
  throw new SpillwayError(
    "ARTIFACT_NOT_FOUND",
    `${label} is a folder. Name a file in it; "spillway artifacts search" and "spillway explore" take folders.`,
  );
}
