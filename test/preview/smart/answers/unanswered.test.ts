import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const LOG = Array.from({ length: 900 }, (_, at) =>
  at === 400 ? "src/pool.ts(3,1): error TS2339: Property 'x' is missing" : `[${at}/900] Compiling part_${at}.c`,
).join("\n");
const unanswered = (query: string): boolean =>
  preview(LOG, { strategy: "smart", maxBytes: 2000, query }).unanswered === true;

describe("natural questions", () => {
  it.each([
    "tell me what went wrong",
    "what failed?",
    "What is the root cause here?",
    "did anything look suspicious?",
    "is everything okay?",
    "anything unusual or surprising?",
    "please give me a brief overview of the situation",
    "why did it not work?",
    "what should I do next",
    "how did it end, and was it successful?",
    "Can you help me understand what is happening?",
    "what stands out?",
    "warum ist das fehlgeschlagen?",
    "pourquoi cela n'a pas marché ?",
    "¿qué salió mal?",
    "почему не работает?",
    "出了什么问题？",
    "何が失敗しましたか？",
  ])("are not answered with nothing: %s", (query) => {
    expect(unanswered(query)).toBe(false);
  });

  it.each([
    "where is the zebra mentioned?",
    "is retry_limit set to 7777?",
    "which line mentions kubernetes?",
    "what does src/zebra/stripes.ts say?",
    "did testUnicodeEscapes pass?",
    'where does it say "giraffe enclosure"?',
  ])("with a rare word that is missing are: %s", (query) => {
    expect(unanswered(query)).toBe(true);
  });

  it.each(["which property is missing in pool.ts?", "what is TS2339?"])("that match are not: %s", (query) => {
    expect(unanswered(query)).toBe(false);
  });
});
