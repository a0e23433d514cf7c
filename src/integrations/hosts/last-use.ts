import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateFolder } from "../../artifacts/local/store-folder.ts";

/** Below the temporary folder, for agents whose sandbox forbids writing to the user's state folder. */
export const TEMPORARY_STAMPS = "spillway-used";

/** Holds one empty file per agent; its time is when the agent last ran a wrapper, hook or plugin of ours. */
export function stampFolder(): string {
  return join(stateFolder(), "used");
}

export function makeStampFolder(): void {
  mkdirSync(stampFolder(), { recursive: true, mode: 0o700 });
}

/** When an agent last used Spillway; undefined if never. */
export function lastUse(host: string): Date | undefined {
  const times = [stampFolder(), join(tmpdir(), TEMPORARY_STAMPS)]
    .map((folder) => statSync(join(folder, host), { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
