/** What a fault is called, and what stands in code where such a fault may lie. */
const CONCEPTS: readonly (readonly [asked: RegExp, shown: RegExp])[] = [
  [
    /\b(?:comments?|docs?|docstrings?|documentation|javadocs?|typos?|spelling|grammar)\b/i,
    /^(?:\/\/|\/?\*|#(?!\s*(?:define|if|include|el|end))|--\s|"""|\.\.\s)/,
  ],
  [
    /\b(?:messages?|wording|typos?|spelling|texts?|logs?|logging|logged|prints?|printing|printf|formats?|formatting|strings?)\b/i,
    /["'`][^"'`]*[A-Za-z%]{2,}[^"'`]* [^"'`]*["'`]?/,
  ],
  [
    /\b(?:leak\w*|memory|free[ds]?|freeing|cleanup|release[ds]?|dispos\w+|use.after|refcount\w*)\b/i,
    /alloc|free|close|release|destroy|dispose|unref|delete|\bnew\b|cleanup|drop|clear|strdup|_put\b|_get\b/i,
  ],
  [
    /\b(?:rac(?:e|es|y)|deadlocks?|lock\w*|concurren\w+|threads?|atomic\w*|synchroni\w+|hangs?|hung|stuck)\b/i,
    /lock|mutex|atomic|synchron|await|thread|notify|wait|volatile|signal|\bgo func|chan\b|select/i,
  ],
  [
    /\b(?:null|nil|none|undefined|nullable|crash\w*|segfault\w*|segv|panics?|panick\w+|dereferenc\w*|npe|nullpointer\w*|uninitiali[sz]ed)\b/i,
    /null|\bnil\b|\bNone\b|undefined|unwrap|expect\(|->|\?\.|is not|panic|\[[^\]]+\]/i,
  ],
  [
    /\b(?:overflow\w*|underflow\w*|bounds?|off.by.one|lengths?|sizes?|truncat\w+|buffers?|ranges?|oob|out.of)\b/i,
    /len|size|\[[^\]]*[\w\]][^\]]*\]|[<>]=?(?!>)|[+-] ?1\b|\bmax|\bmin|count|offset/i,
  ],
  [
    /\b(?:timeouts?|delays?|waits?|waiting|slow|poll\w*|sleeps?|intervals?|timers?|expir\w+|dates?|times?|timestamps?)\b/i,
    /time|delay|wait|sleep|poll|interval|second|date|\bms\b|clock|expir/i,
  ],
  [
    /\b(?:initiali[sz]\w+|uninitiali[sz]ed|defaults?|reset\w*|missing init|unset)\b/i,
    /=\s*(?:0|NULL|null|nil|None|false|true|False|True|\{\}|\[\]|""|'')\s*[,;)]?$|init|default|reset|memset/i,
  ],
  [
    /\b(?:returns?|returned|returning|exit codes?|errno|status)\b/i,
    /\breturn\b|\bret\b|\berr\b|\brc\b|\bexit\b|status|result/i,
  ],
];

/** What code looks like where the faults lie that a question speaks of; undefined when it speaks of none. */
export function askedConcepts(question: string): ((said: string) => boolean) | undefined {
  const shown = CONCEPTS.filter(([asked]) => asked.test(question)).map(([, pattern]) => pattern);
  if (shown.length === 0) return undefined;
  return (said) => shown.some((pattern) => pattern.test(said));
}
