import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeclarationPlace } from "../../../../src/preview/smart/code/declaration-place.ts";
import type { Language } from "../../../../src/preview/smart/code/language.ts";
import { mayDeclare } from "../../../../src/preview/smart/code/may-declare.ts";
import { type DeclarationKind, readDeclaration } from "../../../../src/preview/smart/code/read-declaration.ts";
import { SourcePage } from "../../../../src/preview/smart/code/source-page.ts";
import { SourceText } from "../../../../src/preview/smart/code/source-text.ts";

const LANGUAGES: readonly Language[] = [
  "python",
  "ruby",
  "go",
  "rust",
  "kotlin",
  "swift",
  "php",
  "javascript",
  "java",
  "csharp",
  "c",
  "shell",
  "perl",
];
const WITHIN: readonly (DeclarationKind | undefined)[] = [undefined, "class", "function", "test", "value", "prototype"];
/** What declarations of all these are made of, and what breaks them. */
const PARTS =
  "export default async static get set public private private[x] pub pub(crate) const let var type declare template<T> typedef struct enum class interface trait impl impl<T> mod module namespace function function* func fn fun def init subscript it test describe.only Deno.test t.Run return if for while switch operator+ name name$x a.b a:b #x *x [x] \"x\" 'x y' `z` ( ) () (a,b) (a) { } {} => = := : ; , < <T> > -> . + - ! & @deco # #define #include \\ \u00a0 é 1".split(
    " ",
  );

/** Judges one line as the parser does. */
function judge(
  line: string,
  next: string,
  language: Language,
  within: DeclarationKind | undefined,
): [boolean, boolean] {
  const page = new SourcePage(2);
  const text = new SourceText(`${line}\n${next}`);
  page.add(text, 0, line.length);
  page.add(text, line.length + 1, text.text.length);
  if ((page.indents[0] as number) < 0) return [false, false];
  const declares = readDeclaration(new DeclarationPlace(page, 0, language, within)) !== undefined;
  return [declares, mayDeclare(page, 0, language, within)];
}

describe("what rules a line out", () => {
  it("never rules out a declaration, whatever the language and the place", () => {
    const line = fc
      .tuple(
        fc.constantFrom("", " ", "\t", "    "),
        fc.array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom("", " ", "  ", "\t")), { maxLength: 7 }),
      )
      .map(([indent, parts]) => indent + parts.flat().join(""));
    const next = fc.constantFrom("", "{", "  x: 1", ") => {", "}");
    const properties = fc.tuple(line, next, fc.constantFrom(...LANGUAGES), fc.constantFrom(...WITHIN));
    fc.assert(
      fc.property(properties, ([text, after, language, within]) => {
        const [declares, may] = judge(text, after, language, within);
        expect(may || !declares).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it("rules out what most lines of a body are", () => {
    for (const line of ["  foo.bar(a, b);", "  const x = call({", "  if (a) {", "  } else {", "  expect(a).toBe(b)"])
      expect(judge(line, "", "javascript", "function")[1], line).toBe(false);
  });

  it("takes no two words that stand together for what goes before a method", () => {
    expect(judge("setprivate pub(crate)", "{", "javascript", undefined)[0]).toBe(false);
    expect(judge("async *pub(crate)", "{", "javascript", undefined)).toEqual([true, true]);
  });

  it("reads a long line, of which only the beginning is looked at", () => {
    const line = `function ${"a".repeat(300)}(${"b, ".repeat(100)}) {`;
    expect(judge(line, "", "javascript", undefined)).toEqual([true, true]);
  });
});
