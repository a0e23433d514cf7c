import {
  evaluatePermission,
  isOutright,
  matchesWildcard,
  namesPermission,
  type PermissionRule,
} from "../gate/permissions.ts";
import { type InnerCommand, innerCommands, programOf, runsMore, textItMayRun } from "./command-runners.ts";
import { COMPUTED, commandText, type ReadShellLine, type ShellCommand, type ShellLine } from "./shell-line.ts";

/** What the rules say of a shell line. */
export interface LineVerdict {
  readonly action: PermissionRule["action"];
  /** The command that decided. */
  readonly pattern: string;
  /** True if what the line runs cannot be told, and a rule that denies might hold for it. */
  readonly mayBeDenied: boolean;
  /** True if rules without a pattern allowed every command. */
  readonly isOutright: boolean;
}

/** A command that is still to be judged. */
interface Waiting {
  readonly words: readonly string[];
  /** True if more words come from somewhere else. */
  readonly appended: boolean;
  /** True if the first word is a file of commands, which gets the others as arguments. */
  readonly isScript: boolean;
  readonly allowedBy: PermissionRule | undefined;
}

const MAX_DEPTH = 8;
const MAX_COMMANDS = 2_000;
/** Characters of arguments, and of one command in them, that are looked at. */
const MAX_MENTIONED = 20_000;
const MAX_COMMAND = 400;

/** Judges every command of a line, and what these run in turn; the strictest verdict wins. */
export function judgeLine(
  line: string,
  tool: string,
  rules: readonly PermissionRule[],
  readLine: ReadShellLine | undefined,
): LineVerdict {
  const judge = new Judge(tool, rules, readLine);
  judge.judge(line, 0, undefined);
  return judge.verdict(line.trim());
}

class Judge {
  readonly #tool: string;
  readonly #rules: readonly PermissionRule[];
  /** Rules with a pattern that do not allow, each with its place. */
  readonly #strict: readonly (readonly [place: number, rule: PermissionRule])[];
  readonly #readLine: ReadShellLine | undefined;
  #denied: string | undefined;
  #asked: string | undefined;
  #unknown = false;
  #narrow = false;
  #judged = 0;

  constructor(tool: string, rules: readonly PermissionRule[], readLine: ReadShellLine | undefined) {
    this.#tool = tool;
    this.#rules = rules;
    this.#readLine = readLine;
    this.#strict = [...rules.entries()].filter(
      ([, rule]) => rule.action !== "allow" && !isOutright(rule) && namesPermission(rule, tool),
    );
  }

  verdict(line: string): LineVerdict {
    if (this.#denied !== undefined)
      return { action: "deny", pattern: this.#denied, mayBeDenied: false, isOutright: false };
    const mayBeDenied = this.#unknown && this.#strict.some(([, { action }]) => action === "deny");
    const isAsked = this.#asked !== undefined || this.#unknown;
    return { action: isAsked ? "ask" : "allow", pattern: this.#asked ?? line, mayBeDenied, isOutright: !this.#narrow };
  }

  /** `allowedBy` is the rule that allowed exactly the command that runs this line. */
  judge(text: string, depth: number, allowedBy: PermissionRule | undefined, isGuess = false): void {
    const line = depth > MAX_DEPTH ? undefined : this.#readLine?.(text);
    if (line === undefined) {
      if (!isGuess) this.#beUnsure(text);
      return;
    }
    for (const command of line.commands) this.#command(command, line, depth, allowedBy);
    for (const value of line.values) this.#mention(value);
    if (line.commands.length === 0 && line.hasEffects) this.#evaluate([text.trim()], text, line, undefined);
  }

  #command(command: ShellCommand, line: ShellLine, depth: number, allowedBy: PermissionRule | undefined): void {
    const waiting: Waiting[] = [{ words: command.words, appended: false, isScript: false, allowedBy }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (++this.#judged > MAX_COMMANDS) {
        this.#beUnsure(command.text);
        return;
      }
      const { words, appended } = next;
      const raw = words === command.words ? command.text : undefined;
      const rule = this.#evaluate(words, raw, line, next.allowedBy, appended);
      if (!next.isScript) this.#mention(textItMayRun(words, command.input));
      for (const inner of innerCommands(words)) {
        if (inner === "unknown") this.#beUnsure(command.text);
        else if (inner === "input") this.#input(command, line, depth);
        else if ("line" in inner) this.#inner(inner, words, depth, rule);
        else if (words.length > inner.at) {
          const allowedBy = rule && (inner.isScript || namesWords(rule, words, inner.at)) ? rule : undefined;
          waiting.push({
            words: words.slice(inner.at, inner.to),
            appended: appended || inner.appended === true,
            isScript: inner.isScript === true,
            allowedBy,
          });
        }
      }
    }
  }

  #inner(
    { line, isRemote, isGuess }: Extract<InnerCommand, { line: string }>,
    words: readonly string[],
    depth: number,
    rule: PermissionRule | undefined,
  ): void {
    const isExact = rule !== undefined && (isRemote || !/[*?]/.test(rule.pattern));
    if (line.includes(COMPUTED)) this.#beUnsure(words.join(" "));
    else if (line !== "") this.judge(line, depth + 1, isExact ? rule : undefined, isGuess);
  }

  /** A shell that runs what it reads. */
  #input(command: ShellCommand, line: ShellLine, depth: number): void {
    for (const input of line.inputs) this.#inner({ line: input }, command.words, depth, undefined);
    if (command.input === undefined) this.#beUnsure(command.text);
  }

  /** Asks if a text that may be run has a command in it that no rule may allow unasked. */
  #mention(text: string): void {
    if (this.#strict.length === 0) return;
    const mentions = (words: readonly string[]) =>
      this.#strict.some(([, { pattern }]) => {
        const program = pattern.split(/[\s*]/, 1)[0]!;
        return (
          (program === "" || program.includes("?") || program === programOf(words)) &&
          textsOf(words, undefined, false).some((one) => matchesWildcard(one, pattern))
        );
      });
    for (const { index } of text.slice(0, MAX_MENTIONED).matchAll(/[^\s'"`;|&()<>=,!:]+/g)) {
      const command = text.slice(index, index + MAX_COMMAND).split(/['"`;|&()<>\n]/, 1)[0]!;
      if (!mentions(command.trim().split(/\s+/))) continue;
      this.#beAsked(text);
      return;
    }
    if (text.length > MAX_MENTIONED) this.#beAsked(text);
  }

  #beAsked(text: string): void {
    this.#unknown = true;
    this.#asked ??= text.replaceAll(COMPUTED, "…");
  }

  #beUnsure(text: string): void {
    if (evaluatePermission(this.#tool, text, this.#rules).action === "deny")
      this.#denied ??= text.replaceAll(COMPUTED, "…");
    this.#beAsked(text);
  }

  /** Records what the rules say of one command; gives the rule that allows it. */
  #evaluate(
    words: readonly string[],
    raw: string | undefined,
    line: ShellLine,
    allowedBy: PermissionRule | undefined,
    appended = false,
  ): PermissionRule | undefined {
    const text = commandText(words);
    const isComputed = appended || text.includes(COMPUTED);
    const base = evaluatePermission(this.#tool, text, this.#rules);
    const from = this.#rules.lastIndexOf(allowedBy ?? base);
    let action = allowedBy === undefined ? base.action : "allow";
    const shown = (raw ?? text).replaceAll(COMPUTED, "…");
    if (action === "deny") this.#denied ??= shown;
    for (const [place, rule] of this.#strict) {
      if (place <= from) continue;
      const isMatch = textsOf(words, raw, appended).some((one) => matchesWildcard(one, rule.pattern));
      if (isMatch || matchesOptions(words, rule.pattern)) {
        if (rule.action === "deny") this.#denied ??= shown;
        action = "ask";
      } else if (isComputed && mayMatch(appended ? `${text}${COMPUTED}` : text, rule.pattern)) {
        this.#unknown = true;
        action = "ask";
      }
    }
    const isNarrow = action === "allow" && !isOutright(allowedBy ?? base);
    this.#narrow ||= isNarrow;
    if (isNarrow && (line.hasEffects || isComputed || runsMore(words))) action = "ask";
    if (action === "ask") this.#asked ??= shown;
    return action === "allow" ? (allowedBy ?? base) : undefined;
  }
}

/** True if a rule's text, before its first wildcard, names the word at `at` whole. */
function namesWords({ pattern }: PermissionRule, words: readonly string[], at: number): boolean {
  const named = pattern.split(/[*?]/, 1)[0]!;
  const lead = words.slice(0, at + 1).join(" ");
  return !isOutright({ pattern }) && (named.startsWith(`${lead} `) || pattern === lead);
}

/** A command as a rule may spell it: without its folder, without the options before a subcommand. */
function textsOf(words: readonly string[], raw: string | undefined, appended: boolean): string[] {
  const [, ...rest] = words;
  const program = programOf(words);
  const texts = raw === undefined ? [] : [raw];
  const starts = new Set([0]);
  for (const at of starts) {
    texts.push(commandText([program, ...rest.slice(at)]));
    if (!rest[at]?.startsWith("-")) continue;
    starts.add(at + 1);
    if (at + 1 < rest.length) starts.add(at + 2);
  }
  return appended ? texts.flatMap((text) => [text, `${text} `]) : texts;
}

/** True if the command has a pattern's options in any spelling and place, and its other words in their order. */
function matchesOptions(words: readonly string[], pattern: string): boolean {
  const wanted = pattern.split(/\s+/);
  const options = wanted.filter((word) => /^-./.test(word));
  if (options.length === 0) return false;
  const given = words.slice(1).filter((word) => /^-./.test(word));
  const letters = new Set(given.filter((word) => /^-[a-zA-Z]+$/.test(word)).flatMap((word) => [...word]));
  const hasOption = (option: string) =>
    given.some((word) => matchesWildcard(word, option)) ||
    (/^-[a-zA-Z]+\*?$/.test(option) && [...option.replace("*", "")].every((letter) => letters.has(letter)));
  if (!options.every(hasOption)) return false;
  const plain = (all: readonly string[]) => all.filter((word) => !/^-/.test(word)).join(" ");
  const text = plain([programOf(words), ...words.slice(1)]);
  return [plain(wanted), `${plain(wanted)} *`].some((one) => matchesWildcard(text, one));
}

/** True if a pattern matches a text for something in the place of what is computed. */
function mayMatch(text: string, pattern: string): boolean {
  let ends = new Set([0]);
  const closure = (places: Set<number>) => {
    for (const at of places) if (pattern[at] === "*") places.add(at + 1);
    return places;
  };
  ends = closure(ends);
  for (const character of text) {
    const next = new Set<number>();
    for (const at of ends) {
      if (character === COMPUTED) for (let to = at; to <= pattern.length; to++) next.add(to);
      else if (pattern[at] === "*") next.add(at);
      else if (pattern[at] === "?" || pattern[at] === character) next.add(at + 1);
    }
    if (next.size === 0) return false;
    ends = closure(next);
  }
  return ends.has(pattern.length);
}
