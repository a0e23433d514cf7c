import { latePattern } from "./late-pattern.ts";

const AFTER_CAPITALS = latePattern(String.raw`(\p{Lu})(\p{Lu}\p{Ll})`, "gu");
const NEXT_WORD = latePattern(String.raw`([\p{Ll}\p{N}])(\p{Lu})`, "gu");
/** Most names are nothing but small letters. */
const PLAIN_WORD = /^[a-z0-9]+$/;
const FUNCTION_WORDS =
  "a about above after again all also am an and any are as at be because been before being below between both but by " +
  "can cannot could did do does doing down during each either else ever every few for from further get gets give go goes " +
  "got had has have having he her here him his how i if in into is it its itself just let like made make makes many may me " +
  "might more most much must my need needs no nor not now of off on once one only or other our out over own please same " +
  "shall she should so some such than that the their them then there these they this those through to too two under until " +
  "up upon us use used uses using very via want was we well were what when where whether which while who whom whose why " +
  "will with within without would you your yes";

// What almost every question about an output says; the patterns look for these anyway.
const OUTPUT_WORDS =
  "answer article bug bugs build builds built carry carries caused causes change changed changes check commit contain contains " +
  "describe error errors evaluation explain fail failed failing fails failure failures file files find fix fixed happen " +
  "happened happens issue issues key later line lines list log logs look main matter matters message messages occur " +
  "occurred output outputs part problem problems question read reason report result results run runs say says show shown " +
  "shows state step summarise summarize summary target tell test tests text thing things tool wrong went pass passed " +
  "passes break breaks broke broken important interesting overview detail details information kind page " +
  "stop stops stopped website";

/** Words that grammar needs. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(FUNCTION_WORDS.split(" "));

/** Words that say nothing about what is asked for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`${FUNCTION_WORDS} ${OUTPUT_WORDS}`.split(" "));

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
