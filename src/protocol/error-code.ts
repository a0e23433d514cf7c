import { ownValue } from "../bytes/own-value.ts";
import { isSpillwayError } from "../errors.ts";
import { TOOL_ERROR_CODES, type ToolErrorCode } from "./types.ts";

const BY_ERRNO: Readonly<Record<string, ToolErrorCode>> = {
  ENOENT: "NOT_FOUND",
  ENOTDIR: "NOT_FOUND",
  ENOTFOUND: "NOT_FOUND",
  EACCES: "PERMISSION_DENIED",
  EPERM: "PERMISSION_DENIED",
  EISDIR: "IS_DIRECTORY",
  ETIMEDOUT: "TIMEOUT",
  ESOCKETTIMEDOUT: "TIMEOUT",
  ETIME: "TIMEOUT",
  EINVAL: "INVALID_PARAM",
  ENAMETOOLONG: "INVALID_PARAM",
  ERR_INVALID_ARG_VALUE: "INVALID_PARAM",
  ERR_INVALID_URL: "INVALID_PARAM",
};

const BY_SPILLWAY_CODE: Readonly<Record<string, ToolErrorCode>> = {
  INVALID_LIMIT: "INVALID_PARAM",
  INVALID_ARGUMENT: "INVALID_PARAM",
  ARTIFACT_NOT_FOUND: "NOT_FOUND",
  STORE_FAILED: "EXECUTION_ERROR",
  UPSTREAM_FAILED: "EXECUTION_ERROR",
  MODEL_FAILED: "EXECUTION_ERROR",
  ABORTED: "EXECUTION_ERROR",
};

const BY_NAME: Readonly<Record<string, ToolErrorCode>> = {
  TimeoutError: "TIMEOUT",
  AbortError: "EXECUTION_ERROR",
  ZodError: "INVALID_PARAM",
  $ZodError: "INVALID_PARAM",
};

/** An error may be its own cause. */
const MAX_CAUSES = 10;

/** Any other errno ("ENOSPC", "EIO", …) is an input/output failure. */
const ERRNO = /^E[A-Z0-9]{2,}$/;

const BY_WORDS: readonly (readonly [RegExp, ToolErrorCode])[] = [
  [
    /\b(outside|escapes?) (of )?(the )?(project |workspace )?(root|sandbox|workspace)\b|access denied/i,
    "ACCESS_DENIED",
  ],
  [/permission denied|operation not permitted|\bEACCES\b|\bEPERM\b/i, "PERMISSION_DENIED"],
  [/is a directory|\bEISDIR\b/i, "IS_DIRECTORY"],
  [/no such file|not found|does not exist|\bENOENT\b/i, "NOT_FOUND"],
  [/timed? ?out|timeout|\bETIMEDOUT\b/i, "TIMEOUT"],
  [/binary file/i, "BINARY_FILE"],
  [/no space left|disk (is )?full|input\/output error|\bENOSPC\b|\bEIO\b/i, "EXECUTION_ERROR"],
  [/invalid (param|argument|regex|regular expression|path)|must be an? /i, "INVALID_PARAM"],
  [/(changed|modified) (on disk )?since/i, "CONFLICT"],
];

/** The protocol's code for a thrown value: by its own code, its errno, its name, and only then INTERNAL_ERROR. */
export function errorCodeOf(thrown: unknown, causes = MAX_CAUSES): ToolErrorCode {
  if (typeof thrown === "string") return errorCodeOfMessage(thrown);
  if (typeof thrown !== "object" || thrown === null) return "INTERNAL_ERROR";
  const { code, name, cause } = thrown as { code?: unknown; name?: unknown; cause?: unknown };
  if (isSpillwayError(thrown)) return ownValue(BY_SPILLWAY_CODE, thrown.code) ?? "INTERNAL_ERROR";
  if (typeof code === "string") {
    if (TOOL_ERROR_CODES.includes(code as never)) return code as ToolErrorCode;
    const known = ownValue(BY_ERRNO, code);
    if (known !== undefined) return known;
    if (ERRNO.test(code)) return "EXECUTION_ERROR";
  }
  const named = typeof name === "string" ? ownValue(BY_NAME, name) : undefined;
  if (named !== undefined) return named;
  return causes > 0 && typeof cause === "object" ? errorCodeOf(cause, causes - 1) : "INTERNAL_ERROR";
}

/** The code that the words of an old error message point to; INTERNAL_ERROR when they point nowhere. */
export function errorCodeOfMessage(message: string): ToolErrorCode {
  return BY_WORDS.find(([words]) => words.test(message))?.[1] ?? "INTERNAL_ERROR";
}
