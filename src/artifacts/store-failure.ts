import { ownValue } from "../bytes/own-value.ts";
import { messageOf, SpillwayError } from "../errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENAMETOOLONG: "the path is too long",
  EFBIG: "the file is too large for the file system",
  EIO: "the disk reported an input/output error",
};

/** The system's code of an error ("ENOENT"), or undefined. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** A plain reason for a failed file operation. */
export function plainReason(error: unknown): string {
  const code = errorCode(error);
  const known = code === undefined ? undefined : ownValue(REASONS, code);
  if (known !== undefined) return `${known} (${code})`;
  return messageOf(error);
}

/** The error of a store that could not do `action`, such as "write the artifact". */
export function storeFailed(action: string, error: unknown): SpillwayError {
  if (error instanceof SpillwayError) return error;
  const code = errorCode(error);
  const details = code === undefined ? {} : { systemCode: code };
  return new SpillwayError("STORE_FAILED", `cannot ${action}: ${plainReason(error)}`, { cause: error, details });
}

/** Waits for an operation that may find its file or folder already gone. */
export async function ignoreMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
