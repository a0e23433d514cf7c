import { cleanupOnce } from "../artifacts/cleanup-once.ts";
import type { ArtifactStore } from "../artifacts/types.ts";
import type { Configuration } from "../limits/configuration.ts";
import { ARTIFACT_DIR, RETENTION_DAYS } from "../limits/defaults.ts";
import type { readEnvironment } from "../limits/environment.ts";
import type { GateSetup } from "./types.ts";

/** The store that options, environment and config file name, in this order; loaded here, since most outputs need none. */
export async function openConfiguredStore(
  root: string,
  options: GateSetup,
  environment: ReturnType<typeof readEnvironment>,
  config: Configuration,
): Promise<ArtifactStore> {
  const { dir, store } = options;
  const settings = {
    root,
    retentionDays: options.retentionDays ?? environment.retentionDays ?? config.retentionDays ?? RETENTION_DAYS,
    quotaBytes: options.quotaBytes ?? config.quotaBytes,
  };
  // A folder that the caller names is meant, whatever else is configured.
  const elsewhere = dir === undefined ? (environment.store ?? config.store?.uri) : undefined;
  const uri = typeof store === "string" ? store : elsewhere;
  if (uri !== undefined) {
    const { openS3Store } = await import("../artifacts/s3/open-s3-store.ts");
    return openS3Store({ ...config.store, ...settings, uri });
  }
  const { openStore } = await import("../artifacts/open-stores.ts");
  const named = dir ?? environment.dir;
  const folder = named ?? config.dir ?? options.defaultDir ?? ARTIFACT_DIR;
  return openStore({ ...settings, dir: folder }, named === undefined ? "by default" : "by name");
}

/** A bucket is many machines': it is cleaned by its own rule or by a command, never by each process that writes to it. */
export function cleanUp(store: ArtifactStore): void {
  if ("uri" in store) return;
  void cleanupOnce(store).then((report) => {
    if (report?.clockProblem !== undefined) process.emitWarning(report.clockProblem, "SpillwayWarning");
  });
}
