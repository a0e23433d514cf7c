import { readQuestion, saysAny } from "./question.ts";

/** What a fault is called, and what stands in code where such a fault may lie. */
const CONCEPTS: readonly (readonly [asked: string, shown: RegExp])[] = [
  [
    "comment, doc, docstring, documentation, javadoc, typo, spelling, grammar",
    /^(?:\/\/|\/?\*|#(?!\s*(?:define|if|include|el|end))|--\s|"""|\.\.\s)/,
  ],
  [
    "message, wording, typo, spelling, text, log, logging, logged, print, printing, printf, format, formatting, " +
      "string",
    /["'`][^"'`]*[A-Za-z%]{2,}[^"'`]* [^"'`]*["'`]?/,
  ],
  [
    "leak*, memory, free, freed, freeing, cleanup, release, released, dispos*, use after, refcount*",
    /alloc|free|close|release|destroy|dispose|unref|delete|\bnew\b|cleanup|drop|clear|strdup|_put\b|_get\b/i,
  ],
  [
    "race, racy, deadlock, lock*, concurren*, thread, atomic*, synchroni*, hang, hung, stuck",
    /lock|mutex|atomic|synchron|await|thread|notify|wait|volatile|signal|\bgo func|chan\b|select/i,
  ],
  [
    "null, nil, none, undefined, nullable, crash*, segfault*, segv, panic, panick*, dereferenc*, npe, nullpointer*, " +
      "uninitialised, uninitialized",
    /null|\bnil\b|\bNone\b|undefined|unwrap|expect\(|->|\?\.|is not|panic|\[[^\]]+\]/i,
  ],
  [
    "overflow*, underflow*, bound, off by one, length, size, truncat*, buffer, range, oob, out of",
    /len|size|\[[^\]]*[\w\]][^\]]*\]|[<>]=?(?!>)|[+-] ?1\b|\bmax|\bmin|count|offset/i,
  ],
  [
    "timeout, delay, wait, waiting, slow, poll*, sleep, interval, timer, expir*, date, time, timestamp",
    /time|delay|wait|sleep|poll|interval|second|date|\bms\b|clock|expir/i,
  ],
  [
    "initialis*, initializ*, uninitialised, uninitialized, default, reset*, missing init, unset",
    /=\s*(?:0|NULL|null|nil|None|false|true|False|True|\{\}|\[\]|""|'')\s*[,;)]?$|init|default|reset|memset/i,
  ],
  [
    "return, returned, returning, exit code, errno, status",
    /\breturn\b|\bret\b|\berr\b|\brc\b|\bexit\b|status|result/i,
  ],
];

/** What code looks like where the faults lie that a question speaks of; nothing when it speaks of none. */
export function askedConcepts(query: string): readonly RegExp[] {
  const question = readQuestion(query);
  return CONCEPTS.filter(([asked]) => saysAny(question, asked.split(", "))).map(([, pattern]) => pattern);
}

/** True when a text looks like one of these. */
export function showsAny(concepts: readonly RegExp[], text: string): boolean {
  for (const pattern of concepts) if (pattern.test(text)) return true;
  return false;
}
