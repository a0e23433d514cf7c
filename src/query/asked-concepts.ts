import { readQuestion, saysAny } from "./question.ts";

/** What a fault is called, and what stands in code where such a fault may lie. */
const CONCEPTS: readonly (readonly [asked: string, shown: RegExp])[] = [
  [
    "comment, comments, doc, docs, docstring, docstrings, documentation, javadoc, javadocs, typo, typos, " +
      "spelling, grammar",
    /^(?:\/\/|\/?\*|#(?!\s*(?:define|if|include|el|end))|--\s|"""|\.\.\s)/,
  ],
  [
    "message, messages, wording, typo, typos, spelling, text, texts, log, logs, logging, logged, print, prints, " +
      "printing, printf, format, formats, formatting, string, strings",
    /["'`][^"'`]*[A-Za-z%]{2,}[^"'`]* [^"'`]*["'`]?/,
  ],
  [
    "leak*, memory, free, freed, frees, freeing, cleanup, release, released, releases, dispos*, use after, " +
      "refcount*",
    /alloc|free|close|release|destroy|dispose|unref|delete|\bnew\b|cleanup|drop|clear|strdup|_put\b|_get\b/i,
  ],
  [
    "race, races, racy, deadlock, deadlocks, lock*, concurren*, thread, threads, atomic*, synchroni*, hang, " +
      "hangs, hung, stuck",
    /lock|mutex|atomic|synchron|await|thread|notify|wait|volatile|signal|\bgo func|chan\b|select/i,
  ],
  [
    "null, nil, none, undefined, nullable, crash*, segfault*, segv, panic, panics, panick*, dereferenc*, npe, " +
      "nullpointer*, uninitialised, uninitialized",
    /null|\bnil\b|\bNone\b|undefined|unwrap|expect\(|->|\?\.|is not|panic|\[[^\]]+\]/i,
  ],
  [
    "overflow*, underflow*, bound, bounds, off by one, length, lengths, size, sizes, truncat*, buffer, buffers, " +
      "range, ranges, oob, out of",
    /len|size|\[[^\]]*[\w\]][^\]]*\]|[<>]=?(?!>)|[+-] ?1\b|\bmax|\bmin|count|offset/i,
  ],
  [
    "timeout, timeouts, delay, delays, wait, waits, waiting, slow, poll*, sleep, sleeps, interval, intervals, " +
      "timer, timers, expir*, date, dates, time, times, timestamp, timestamps",
    /time|delay|wait|sleep|poll|interval|second|date|\bms\b|clock|expir/i,
  ],
  [
    "initialis*, initializ*, uninitialised, uninitialized, default, defaults, reset*, missing init, unset",
    /=\s*(?:0|NULL|null|nil|None|false|true|False|True|\{\}|\[\]|""|'')\s*[,;)]?$|init|default|reset|memset/i,
  ],
  [
    "return, returns, returned, returning, exit code, exit codes, errno, status",
    /\breturn\b|\bret\b|\berr\b|\brc\b|\bexit\b|status|result/i,
  ],
];

/** What code looks like where the faults lie that a question speaks of; undefined when it speaks of none. */
export function askedConcepts(query: string): ((said: string) => boolean) | undefined {
  const question = readQuestion(query);
  const shown = CONCEPTS.filter(([asked]) => saysAny(question, asked.split(", "))).map(([, pattern]) => pattern);
  if (shown.length === 0) return undefined;
  return (said) => shown.some((pattern) => pattern.test(said));
}
