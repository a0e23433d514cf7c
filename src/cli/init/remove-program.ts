import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Host } from "../../integrations/hosts/host.ts";
import { dataFolder } from "../../integrations/hosts/user-folders.ts";
import { editedFiles } from "./undoable-edit.ts";

/** Takes away what the host started, of every version, and the program with the last of them; gives what went. */
export async function removeProgram(host: Host): Promise<string | undefined> {
  const folder = dataFolder();
  // Other things of ours may lie beside them, as saved outputs do on some platforms.
  const versions = (await readdir(folder).catch(() => [])).filter((name) => /^\d+\.\d+\.\d+/.test(name));
  let others = 0;
  for (const version of versions) {
    const hosts = path.join(folder, version, "hosts");
    await rm(path.join(hosts, host.name), { recursive: true, force: true });
    others += (await readdir(hosts).catch(() => [])).length;
  }
  if (versions.length === 0 || others > 0 || (await isNamed(folder))) return undefined;
  for (const version of versions) await rm(path.join(folder, version), { recursive: true, force: true });
  await rmdir(folder).catch(() => undefined);
  return folder;
}

/** True when a file that we edited still starts something from the folder. */
async function isNamed(folder: string): Promise<boolean> {
  for (const file of await editedFiles()) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text.includes(folder) || text.includes(JSON.stringify(folder).slice(1, -1))) return true;
  }
  return false;
}
