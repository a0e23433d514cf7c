import { latePattern } from "./late-pattern.ts";

/** A character of Chinese, Japanese or Korean, as a class of patterns with the flag `v`. */
export const CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]`;

/** What asks, joins and ends in these languages, longest first. */
const ASKING =
  "为什么|為什麼|是什么|是什麼|什么时候|什麼時候|什么|什麼|怎么样|怎麼樣|怎么|怎麼|怎样|如何|哪里|哪裡|哪儿|哪个|哪個|哪些|哪一|在哪|" +
  "多少|是否|有没有|有沒有|请问|請問|请|請|为何|為何|显示|顯示|一下|可以|我们|我們|这个|這個|那个|那個|以及|关于|關於|" +
  "どうして|なぜ|どこ|どの|どれ|いつ|だれ|何が|何を|何故|どう|ですか|ますか|でした|ました|します|です|ます|した|して|する|ください|について|という|から|まで|" +
  "어디에|어디|무엇|왜|어떻게|언제|어느|있습니까|입니까|습니까|합니까|인가요|나요|는지";
const ALONE =
  "的|了|吗|嗎|呢|吧|在|是|和|与|與|或|把|被|从|從|到|对|對|中|里|裡|の|に|は|を|が|で|と|も|へ|や|か|た|て";
const BETWEEN = latePattern(`${ASKING}|${ALONE}`, "u");

/** What a run of characters in a question names, without the words that ask and join. */
export function namesInRun(run: string): string[] {
  return run.split(BETWEEN()).filter((name) => [...name].length > 1);
}

/** Every two characters that stand side by side: words of which nobody has to know where they begin. */
export function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
