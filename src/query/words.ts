import { latePattern } from "./late-pattern.ts";

const AFTER_CAPITALS = latePattern(String.raw`(\p{Lu})(\p{Lu}\p{Ll})`, "gu");
const NEXT_WORD = latePattern(String.raw`([\p{Ll}\p{N}])(\p{Lu})`, "gu");
/** Most names are nothing but small letters. */
const PLAIN_WORD = /^[a-z0-9]+$/;

/** What words do in a question that tell little or nothing of what is asked for. */
const KINDS = {
  asking: "how this what when where which who whose why",
  grammar:
    "a about above after again all also am an and any are aren as at be because been before being below between both but by " +
    "can cannot could couldn did didn do does doesn doing don down during each either else ever every few for from further " +
    "get gets give go goes got had hadn has hasn have haven having he her here him his i if in into is isn it its itself " +
    "just let like made make makes many may me might more most much must my need needs no nor not now of off on once one " +
    "only or other our out over own please same shall she should shouldn so some such than that the their them then there " +
    "these they those through to too two under until up upon us use used uses using very via want was wasn we well were " +
    "weren whether while whom will with within without would wouldn you your yes",
  order: "explain find happen happened show tell went",
  /** What is asked, its parts, and what is to be done with them. */
  output:
    "answer article bug bugs carries carry change code contain contains describe file files fix fixed function happens hit " +
    "hits line lines list log logs look looking main matter matters occur occurred output outputs page place question read " +
    "report run say says shown shows summarise summarize summary text thing things tool website",
  /** What almost every question about an output says; who says nothing else means just that. */
  general:
    "break breaks broke broken build builds built caused causes changed changes check commit detail details error errors " +
    "evaluation fail failed failing fails failure failures important information interesting issue issues key kind later " +
    "message messages overview part pass passed passes problem problems reason result results runs state step stop stopped " +
    "stops target test tests wrong",
  /** What the names of faults say of any code. */
  code:
    "allow avoid correct correctly ensure handle handling incorrect incorrectly instead located longer match matches missing " +
    "prevent properly regression sometimes support",
} as const;

type WordKind = keyof typeof KINDS;

let kinds: ReadonlyMap<string, WordKind> | undefined;

/** What a lower-case word does in a question; undefined for one that tells what is asked for. */
export function kindOf(word: string): WordKind | undefined {
  kinds ??= new Map(
    (Object.keys(KINDS) as WordKind[]).flatMap((kind) => KINDS[kind].split(" ").map((word) => [word, kind] as const)),
  );
  return kinds.get(word);
}

/** True for a word that grammar needs. */
export function isGrammar(word: string): boolean {
  const kind = kindOf(word);
  return kind === "grammar" || kind === "asking";
}

/** True for a word that stands in any question about an output. */
export function isStopWord(word: string): boolean {
  const kind = kindOf(word);
  return kind !== undefined && kind !== "code";
}

/** `createFooBar`, `create_foo_bar` and `HTTPServer2` in parts, lower case. */
export function splitIdentifier(name: string): string[] {
  if (PLAIN_WORD.test(name)) return [name];
  return name
    .replace(NEXT_WORD(), "$1 $2")
    .replace(AFTER_CAPITALS(), "$1 $2")
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((part) => part !== "");
}

/** Cuts the commonest English endings, so that the rest is found in every form of the word. */
export function stem(word: string): string {
  if (word.length < 6) return word.length > 3 ? word.replace(/([^s])s$/, "$1") : word;
  return word.replace(/(?<=...)(?:ations?|ions?|ings?|ures?|ies|ied|ers?|ed|es|ly|s)$/, "");
}

/** A pattern that matches this text only. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
