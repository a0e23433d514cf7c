import { invalidConfig, SpillwayError } from "../errors.ts";
import { type ConfiguredStrategy, STRATEGIES } from "./types.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1024,
  kb: 1024,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
};

/** A limit as a number: a whole number from 1 on, or Infinity for no limit. Throws a sentence that names `name`. */
export function checkLimit(value: unknown, name: string): number {
  if (value === Infinity) return Infinity;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw new SpillwayError("INVALID_LIMIT", `${name} must be a whole number of at least 1, not ${show(value)}.`, {
    details: { name, value },
  });
}

/** A limit as files, variables and flags have it: a number, or digits (`2000`, `51_200`, `1e3`). */
export function parseLimit(value: unknown, name: string): number {
  return typeof value === "string" ? parseDigits(value, name, false) : checkLimit(value, name);
}

/** The same of bytes, which may have a unit (`50KB` = 51,200). */
export function parseBytes(value: unknown, name: string): number {
  return typeof value === "string" ? parseDigits(value, name, true) : checkLimit(value, name);
}

function parseDigits(text: string, name: string, units: boolean): number {
  const match = /^\s*(\d[\d_]*(?:\.\d+)?(?:e\d{1,2})?)\s*([a-z]{0,3})\s*$/i.exec(text);
  const unit = match?.[2]?.toLowerCase() ?? "";
  const factor = unit === "" ? 1 : units ? UNITS[unit] : undefined;
  if (match?.[1] === undefined || factor === undefined) {
    const example = units ? "such as 51200 or 50KB" : "such as 2000";
    throw new SpillwayError(
      "INVALID_LIMIT",
      `${name} must be a whole number of at least 1, ${example}, not ${show(text)}.`,
      { details: { name, value: text } },
    );
  }
  return checkLimit(Number(match[1].replaceAll("_", "")) * factor, name);
}

/** A strategy's name; `head_only` is an old name of `head`. */
export function parseStrategy(value: unknown, name: string): ConfiguredStrategy {
  if (value === "head_only") return "head";
  if (value === "summarize") return value;
  const known = STRATEGIES.find((strategy) => strategy === value);
  if (known !== undefined) return known;
  throw new SpillwayError(
    "INVALID_LIMIT",
    `${name} must be one of ${STRATEGIES.join(", ")}, summarize or head_only, not ${show(value)}.`,
    {
      details: { name, value },
    },
  );
}

/** The value of a name; undefined if there is none. */
export function given<T>(value: unknown, name: string, parse: (value: unknown, name: string) => T): T | undefined {
  return value === undefined ? undefined : parse(value, name);
}

export function parseText(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw invalidConfig(`${name} must be a text, not ${JSON.stringify(value)}.`);
}

export function parseFlag(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  throw invalidConfig(`${name} must be true or false, not ${JSON.stringify(value)}.`);
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
