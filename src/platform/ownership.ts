import type { Stats } from "node:fs";

type Owned = Pick<Stats, "uid" | "mode">;

const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;

/**
 * True for what belongs to another user than this one and root. With sudo, what the calling user owns is no other's.
 * Always false on Windows, which has no owners to ask for.
 */
export function isForeign({ uid }: Owned): boolean {
  const own = process.getuid?.();
  if (own === undefined || uid === own || uid === 0) return false;
  return own !== 0 || String(uid) !== process.env.SUDO_UID;
}

/** True for a folder in which other users can exchange files: theirs, or one that everybody may write to. */
export function isShared(folder: Owned): boolean {
  return (
    isForeign(folder) || (process.getuid !== undefined && (folder.mode & (WORLD_WRITABLE | STICKY)) === WORLD_WRITABLE)
  );
}
