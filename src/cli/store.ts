import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { given, parseLimit } from "../limits/check.ts";
import { readConfiguration } from "../limits/configuration.ts";
import { readEnvironment } from "../limits/environment.ts";
import { pluralOf } from "../preview/omission.ts";
import { addSessionsOption, openDatabase, type SessionsFlags } from "./agent/open-sessions.ts";
import { writeJson, writeOut } from "./emit.ts";
import { addProjectOptions, createGroup, resolveProject } from "./options.ts";

interface StoreFlags extends SessionsFlags {
  readonly json?: boolean;
  readonly expireDays?: string;
}

/** `spillway store` */
export function createStoreCommand(): Command {
  const command = createGroup("store", "Set up the bucket for artifacts, and upload what it missed.", [
    addSessionsOption(addProjectOptions(new Command("init")))
      .description(
        "Create the bucket if it does not exist, and create or update the tables for sessions. With --expire-days, the bucket removes old artifacts by itself.",
      )
      .option("--expire-days <n>", "days after which the bucket removes artifacts, even pinned ones (default: never)")
      .option("--json", "print JSON")
      .addHelpText("after", "\nExample:\n  spillway store init --store s3://my-bucket/agents --expire-days 30")
      .action((_flags: StoreFlags, own: Command) => init(own.optsWithGlobals())),
    addProjectOptions(new Command("sync"))
      .description(
        "Upload the artifacts that are still in the local spool because the bucket failed. Each is uploaded once.",
      )
      .option("--json", "print JSON")
      .action((_flags: StoreFlags, own: Command) => sync(own.optsWithGlobals())),
  ]);
  return addProjectOptions(command);
}

async function init(flags: StoreFlags): Promise<void> {
  const expireDays = given(flags.expireDays, "--expire-days", parseLimit);
  const database = await openDatabase(flags);
  const store = await openConfigured(flags, database !== undefined);
  const bucket = await store?.init({ expireDays });
  const schema = await database?.migrate().finally(() => database.close());
  if (flags.json === true) return writeJson({ store: store?.uri, ...bucket, sessions: schema });
  if (store !== undefined && bucket !== undefined) {
    const rule = bucket.rule === undefined ? "" : `; ${bucket.rule}`;
    await writeOut(`${store.uri}: ${bucket.createdBucket ? "bucket made" : "bucket is there"}${rule}\n`);
  }
  if (schema !== undefined) {
    const { from, to } = schema;
    await writeOut(`sessions: tables of version ${to}${from === to ? "" : from === 0 ? ", made" : `, were ${from}`}\n`);
  }
}

async function sync(flags: StoreFlags): Promise<void> {
  const store = await openConfigured(flags, false);
  if (store === undefined) return;
  const report = await store.sync();
  const { uploaded, present, failed } = report;
  if (failed.length > 0) process.exitCode = 1;
  if (flags.json === true) return writeJson({ store: store.uri, ...report });
  const known = present.length === 0 ? "" : `, ${present.length} were there already`;
  await writeOut(`${store.uri}: ${uploaded.length} ${pluralOf(uploaded.length, "artifact")} uploaded${known}\n`);
  for (const { id, reason } of failed) process.stderr.write(`spillway: ${id} stays in the spool: ${reason}\n`);
}

async function openConfigured(flags: StoreFlags, mayBeNone: boolean) {
  const { root, store, config } = resolveProject(flags);
  const file = await readConfiguration(root, config);
  const uri = store ?? readEnvironment(process.env).store ?? file.store?.uri;
  if (uri === undefined) {
    if (mayBeNone) return undefined;
    throw invalidArgument(
      "No store is configured: give --store s3://bucket/prefix, set SPILLWAY_STORE, or artifacts.store in your configuration.",
    );
  }
  const { openS3Store } = await import("../artifacts/s3/open-s3-store.ts");
  return openS3Store({ ...file.store, uri, root });
}
