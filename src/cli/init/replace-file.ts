import { randomBytes } from "node:crypto";
import { open, realpath, rename, stat, unlink } from "node:fs/promises";

/** Replaces a file whole or not at all; its mode stays, and a link to it (dotfiles often are links) stays a link. */
export async function replaceFile(file: string, content: string | Uint8Array, newMode = 0o644): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => newMode,
  );
  const draft = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(content);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}
