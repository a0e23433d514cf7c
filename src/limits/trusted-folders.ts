import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cryptoModule } from "../builtin-modules.ts";
import { userFolder } from "../platform/folders.ts";

/** The user's configuration folder: `XDG_CONFIG_HOME`, or the platform's default. */
export function userConfigFolder(): string {
  return path.join(userFolder("config"), "spillway");
}

/** The user's own config file, whether or not it is there. */
export function userConfigFile(): string {
  return path.join(userConfigFolder(), "config.yaml");
}

/** That a user trusts the config file of a folder, as it was when it was looked at. */
export interface TrustedFolder {
  readonly root: string;
  /** Of the config file's bytes: a file that was changed since then is a stranger's again. */
  readonly sha256: string;
}

/** The trust record of a folder whose configuration file has these bytes. */
export function trustIn(root: string, source: Uint8Array): "trusted" | "changed" | "unknown" {
  const known = readTrust(recordFile(root));
  if (known === undefined || known.root !== realRoot(root)) return "unknown";
  return known.sha256 === digest(source) ? "trusted" : "changed";
}

/** Takes the config file of a folder, with these bytes, for the user's own from now on. */
export function trustFolder(root: string, source: Uint8Array): void {
  const file = recordFile(root);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const record: TrustedFolder = { root: realRoot(root), sha256: digest(source) };
  const staging = `${file}.${process.pid}`;
  writeFileSync(staging, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(staging, file);
}

/** Ends the trust in a folder; false when there was none. */
export function distrustFolder(root: string): boolean {
  const file = recordFile(root);
  const known = readTrust(file) !== undefined;
  rmSync(file, { force: true });
  return known;
}

export function listTrusted(): readonly TrustedFolder[] {
  let names: readonly string[];
  try {
    names = readdirSync(recordFolder());
  } catch {
    return [];
  }
  const records = names.map((name) => readTrust(path.join(recordFolder(), name)));
  return records.filter((record) => record !== undefined).sort((a, b) => (a.root < b.root ? -1 : 1));
}

function readTrust(file: string): TrustedFolder | undefined {
  try {
    const { root, sha256 } = JSON.parse(readFileSync(file, "utf8")) as Partial<TrustedFolder>;
    return typeof root === "string" && typeof sha256 === "string" ? { root, sha256 } : undefined;
  } catch {
    return undefined;
  }
}

function recordFolder(): string {
  return path.join(userConfigFolder(), "trusted");
}

function recordFile(root: string): string {
  return path.join(recordFolder(), `${digest(realRoot(root)).slice(0, 32)}.json`);
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return path.resolve(root);
  }
}

function digest(source: Uint8Array | string): string {
  return cryptoModule().createHash("sha256").update(source).digest("hex");
}
