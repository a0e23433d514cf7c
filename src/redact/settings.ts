import { SpillwayError } from "../errors.ts";
import type { OwnPattern } from "./pattern-finder.ts";

/** What to take for a secret beside what is known to be one; `true` is short for no more than that. */
export interface RedactOptions {
  /** Patterns by the kind they are shown as. A group named `secret`, or else the first group, is what is replaced. */
  readonly patterns?: Readonly<Record<string, string | RegExp>> | undefined;
  /** Texts that are no secrets whatever they look like; a text like `/…/` is a pattern of such. */
  readonly allow?: readonly (string | RegExp)[] | undefined;
  /** Whether values of this process's environment that look secret are replaced too. @default true */
  readonly environment?: boolean | undefined;
}

/** The same, checked. */
export interface RedactSettings {
  readonly patterns: readonly OwnPattern[];
  readonly allow: readonly (string | RegExp)[];
  readonly environment: boolean;
}

const KIND = /^[a-z0-9][a-z0-9_-]*$/;
const FIELDS = ["patterns", "allow", "environment"];

/** Checks what an option or a config file says; undefined when it says no. Throws a sentence that names `name`. */
export function parseRedact(value: unknown, name: string): RedactSettings | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return { patterns: [], allow: [], environment: true };
  const given = mapping(value, name, "true, false or a mapping of patterns, allow and environment");
  const unknown = Object.keys(given).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined)
    throw wrong(`${name} has no ${JSON.stringify(unknown)}; it may have ${FIELDS.join(", ")}.`);
  const { patterns = {}, allow = [], environment = true } = given;
  if (typeof environment !== "boolean") throw wrong(`${name}.environment must be true or false.`);
  if (!Array.isArray(allow)) throw wrong(`${name}.allow must be a list of texts.`);
  return {
    patterns: Object.entries(mapping(patterns, `${name}.patterns`, "a mapping of kinds to patterns")).map(
      ([kind, pattern]) => ({ kind: checkKind(kind, name), pattern: toPattern(pattern, `${name}.patterns.${kind}`) }),
    ),
    allow: allow.map((one: unknown, index) => toAllowed(one, `${name}.allow[${index}]`)),
    environment,
  };
}

function checkKind(kind: string, name: string): string {
  if (KIND.test(kind)) return kind;
  throw wrong(`${name}.patterns: a kind is made of a-z, 0-9, - and _, not ${JSON.stringify(kind)}.`);
}

function toAllowed(value: unknown, name: string): string | RegExp {
  return typeof value === "string" && !isSlashed(value) ? value : toPattern(value, name);
}

/** A pattern, written as such, as its source, or as `/source/flags`. */
function toPattern(value: unknown, name: string): RegExp {
  if (value instanceof RegExp) return value;
  if (typeof value !== "string" || value === "") throw wrong(`${name} must be a pattern.`);
  const [, source = value, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(value) ?? [];
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch (error) {
    throw wrong(`${name} is not a pattern: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function isSlashed(text: string): boolean {
  return /^\/.+\/[a-z]*$/s.test(text);
}

function mapping(value: unknown, name: string, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw wrong(`${name} must be ${what}.`);
}

function wrong(message: string): SpillwayError {
  return new SpillwayError("INVALID_ARGUMENT", message);
}
