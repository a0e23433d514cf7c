import { isObject } from "../bytes/json/is-object.ts";
import { invalidArgument, type SpillwayError } from "../errors.ts";
import { checkLimit, parseStrategy } from "./check.ts";
import { guessName, isNear } from "./near-name.ts";

/** Throws a sentence that names the option when a value makes no sense. */
type Check = (value: unknown, name: string) => void;

/** Checks of a function's options, by name. */
export type OptionChecks = Readonly<Record<string, Check>>;

const SHOWN_CHARS = 200;

function rule(what: string, holds: (value: unknown) => boolean): Check {
  return (value, name) => {
    if (holds(value)) return;
    throw invalidArgument(`${name} must be ${what}, not ${showValue(value)}.`, {
      details: { name, value },
    });
  };
}

const innerChecks = new WeakSet<Check>();

/** The check of an option that only Spillway's own modules set: no error offers it to users. */
export function inner(check: Check): Check {
  const own: Check = (value, name) => check(value, name);
  innerChecks.add(own);
  return own;
}

/** Kinds of values that options have. */
export const kinds = {
  any: () => undefined,
  text: rule("a text", (value) => typeof value === "string"),
  flag: rule("true or false", (value) => typeof value === "boolean"),
  call: rule("a function", (value) => typeof value === "function"),
  object: rule("an object", (value) => isObject(value) && !isPromise(value)),
  /** An object with these fields; `what` describes it in errors. */
  having: (what: string, ...fields: readonly string[]): Check =>
    rule(what, (value) => typeof value === "object" && value !== null && fields.every((field) => field in value)),
  bytes: rule("a Uint8Array", (value) => value instanceof Uint8Array),
  class: rule(
    "a class",
    (value) => typeof value === "function" && isObject((value as { prototype?: unknown }).prototype),
  ),
  texts: rule(
    "a list of texts",
    (value) => Array.isArray(value) && value.every((item: unknown) => typeof item === "string"),
  ),
  list: rule("a list", Array.isArray),
  number: rule("a number", (value) => typeof value === "number"),
  above0: rule("a number above 0", (value) => typeof value === "number" && value > 0),
  from0: rule("a number of at least 0", (value) => typeof value === "number" && value >= 0),
  fileOrFalse: rule("a path or false", (value) => value === false || (typeof value === "string" && value !== "")),
  limit: (value: unknown, name: string) => void checkLimit(value, name),
  strategy: (value: unknown, name: string) => void parseStrategy(value, name),
  oneOf: (...values: readonly string[]): Check =>
    rule(`one of ${values.join(", ")}`, (value) => values.includes(value as string)),
} as const;

/** The options that say limits. */
export const LIMIT_CHECKS = {
  maxLines: kinds.limit,
  maxBytes: kinds.limit,
  maxChars: kinds.limit,
  maxTokens: kinds.limit,
  strategy: kinds.strategy,
  markersOnTop: kinds.flag,
} satisfies OptionChecks;

/**
 * The same options if all are known and valid; `place` names the function in errors. If the caller may add fields
 * of its own, only a name close to an option's is reported as a mistake. Values that are
 * needed must be there.
 */
export function checkOptions<T extends object>(
  options: T,
  checks: OptionChecks,
  place: string,
  {
    ownFields = false,
    needs = [],
  }: { readonly ownFields?: boolean; readonly needs?: readonly (keyof T & string)[] } = {},
): T {
  kinds.object(options, `The options of ${place}`);
  for (const name of needs) checks[name]?.(options[name], name);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check !== undefined) {
      if (value !== undefined) check(value, name);
    } else if (!ownFields || Object.keys(checks).some((known) => isNear(name, known))) {
      throw unknownOption(name, offered(checks), place);
    }
  }
  return options;
}

function offered(checks: OptionChecks): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => (innerChecks.has(check) ? [] : [name]));
}

function unknownOption(name: string, known: readonly string[], place: string): SpillwayError {
  return invalidArgument(
    `${place} has no option ${JSON.stringify(name)}.${guessName(name, known)} Options: ${known.join(", ")}.`,
    {
      details: { name, known },
    },
  );
}

function isPromise(value: unknown): boolean {
  return value instanceof Promise;
}

/** A value as complaints name it. */
export function showValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value);
  if (isPromise(value)) return "a promise (await it first)";
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : String(value);
}

/** The strategy of options that have two names for it. */
export function pickStrategy<S extends string>(options: {
  readonly direction?: S | undefined;
  readonly strategy?: S | undefined;
}): S | undefined {
  const { direction, strategy } = options;
  if (direction === undefined || strategy === undefined || direction === strategy) return strategy ?? direction;
  throw invalidArgument(
    `direction ${JSON.stringify(direction)} and strategy ${JSON.stringify(strategy)} contradict each other; give one of them.`,
  );
}

/** Only the given options, so that defaults are not overwritten by undefined. */
export function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
