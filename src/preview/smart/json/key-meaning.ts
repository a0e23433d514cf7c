import { latePattern } from "../../../query/late-pattern.ts";
import { splitIdentifier } from "../../../query/words.ts";

const BETWEEN_WORDS = latePattern(String.raw`[^\p{L}\p{N}]+`, "u");

/** What a key's values say about how grave things are. */
export type Scale = "none" | "grade" | "mild grade" | "score" | "status" | "error" | "other";

/** What a key's values tell about the object they stand in. */
export type Role = "id" | "title" | "text" | "place" | "kind" | "none";

/** What the words of a key promise. */
export interface KeyMeaning {
  readonly scale: Scale;
  /** What each item of a list under it is worth at least. */
  readonly listed: number;
  readonly role: Role;
  /** How well it fits its role, 0 to 1. */
  readonly fit: number;
}

const NAMES_A_THING = /[/\\@]|\d\.\d|\.\w{1,4}$/;
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** How sure a tool is, or how hard something is, says nothing about how grave it is. */
const OTHER_SCALES =
  /^(?:confiden|certain|precision|likelihood|probab|accura|quality|complexity|effort|exploitab|percentil|maturity)/;
const GRADES = /^(?:sever|risk|critical|threat|danger|hazard)/;
const MILD_GRADES = setOf("level loglevel priority urgency impact grade rating importance label");
const SCORES = /^(?:cvss|score)/;
const STATUSES = setOf(
  "status state result outcome conclusion verdict success successful succeeded passed pass ok failed failing healthy valid",
);
const ERRORS = /^(?:errors?|err|exceptions?|failures?|fail|fatal|traceback|backtrace|stacktrace|crash(?:es)?|panic)$/;

const WARNINGS = /^warn(?:ing)?s?$/;
/** What the items of a list of errors are worth at least, and those of warnings. */
const LISTED_ERROR = 1.2;
const LISTED_WARNING = 0.6;
/** The lines on which something stands tell little before the file is named. */
const LINES = setOf("line lineno");
const LINE_FIT = 0.5;

const IDS = setOf(
  "id ids identifier identifiers cve cves ghsa rule check code key nodeid ruleid guid uuid alias aliases symbol slug",
);
const TITLES = setOf(
  "title message msg summary subject headline reason alert finding issue problem error exception failure longrepr messages",
);
const NAMES = setOf(
  "name label caption login email username hostname fullname question event test testcase suite scenario feature step task job",
);
const TEXTS = setOf("text description desc details detail body content explanation overview info note comment value");
const PLACES = setOf(
  "file filename filepath path paths uri url location line lineno package module component resource target host artifact dependency image class method function ref endpoint ip address source selector repository repo project purl library plugin",
);
const KINDS = setOf("type kind category version classname namespace group product");

/** Reads a key by its words, split at separators and case changes. */
export function readKey(key: string): KeyMeaning {
  // Names of packages, files and pages say nothing about the values under them.
  if (NAMES_A_THING.test(key)) return { scale: "none", listed: 0, role: "none", fit: 0 };
  const words = key.split(BETWEEN_WORDS()).flatMap(splitIdentifier);
  // A leading underscore marks what the store adds to a record, such as how well it matched.
  const scale = key.startsWith("_") ? "none" : scaleOf(words);
  const warned = WARNINGS.test(words.at(-1) ?? "") ? LISTED_WARNING : 0;
  return { scale, listed: scale === "error" ? LISTED_ERROR : warned, ...roleOf(words) };
}

function scaleOf(words: readonly string[]): Scale {
  const some = (test: (word: string) => boolean): boolean => words.some(test);
  if (some((word) => OTHER_SCALES.test(word))) return "other";
  if (some((word) => ERRORS.test(word))) return "error";
  if (some((word) => GRADES.test(word))) return "grade";
  if (some((word) => SCORES.test(word))) return "score";
  const last = words.at(-1) ?? "";
  if (MILD_GRADES.has(last)) return "mild grade";
  return STATUSES.has(last) || (words.length === 2 && STATUSES.has(words[0] ?? "")) ? "status" : "none";
}

function roleOf(words: readonly string[]): { readonly role: Role; readonly fit: number } {
  const last = words.at(-1) ?? "";
  // The plainer the key, the more it is about the object itself: `name` before `package_name`.
  const plain = 1 / (1 + 0.1 * (words.length - 1));
  if (IDS.has(last)) return { role: "id", fit: plain };
  if (TITLES.has(last)) return { role: "title", fit: plain };
  if (NAMES.has(last)) return { role: "title", fit: 0.85 * plain };
  if (PLACES.has(last)) return { role: "place", fit: LINES.has(last) ? LINE_FIT * plain : plain };
  if (TEXTS.has(last)) return { role: "text", fit: plain };
  if (KINDS.has(last)) return { role: "kind", fit: plain };
  if (words.some((word) => IDS.has(word) || TITLES.has(word))) return { role: "id", fit: 0.5 };
  if (words.some((word) => PLACES.has(word))) return { role: "place", fit: 0.5 };
  return { role: "none", fit: 0 };
}
