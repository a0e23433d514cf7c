import { describe, expect, test } from "vitest";
import { preview } from "../../../../src/preview/index.ts";
import { detectShape } from "../../../../src/preview/smart/detect-shape.ts";

let mark = 0;
const ref = (): string => `[ref=e${++mark}]`;

/** A shop as Playwright MCP shows it: 300 products, a notice above, a form and orders below. */
function playwright(): string {
  mark = 0;
  const product = (at: number): string[] => [
    `      - listitem ${ref()}:`,
    `        - article ${ref()}:`,
    `          - heading "Product ${at}" [level=2] ${ref()}`,
    `          - paragraph ${ref()}: A fine thing number ${at}.`,
    `          - button "Add to cart" ${ref()}`,
    `          - link "Details" ${ref()} [cursor=pointer]:`,
    `            - /url: /p/${at}`,
  ];
  return [
    "### Snapshot",
    "```yaml",
    `- generic [active] ${ref()}:`,
    `  - banner ${ref()}:`,
    `    - textbox "Search products" ${ref()}`,
    `  - main ${ref()}:`,
    `    - alert ${ref()}: "Payment failed: card expired"`,
    `    - list ${ref()}:`,
    ...Array.from({ length: 300 }, (_, at) => product(at)).flat(),
    `    - checkbox "I agree to the terms" ${ref()}`,
    `    - button "Send message" [disabled] ${ref()}`,
    `    - table ${ref()}:`,
    ...Array.from({ length: 60 }, (_, at) => [
      `      - row ${ref()}:`,
      `        - cell "#${1000 + at}" ${ref()}`,
      `        - cell "${at === 37 ? "refunded" : "shipped"}" ${ref()}`,
    ]).flat(),
    `  - contentinfo ${ref()}: Imprint`,
    "```",
  ].join("\n");
}

/** The same as Chrome DevTools MCP shows it. */
function devtools(): string {
  let uid = 0;
  const line = (depth: number, text: string): string => `${"  ".repeat(depth)}uid=1_${++uid} ${text}`;
  return [
    "## Latest page snapshot",
    line(0, 'RootWebArea "Shop" url="http://127.0.0.1/"'),
    line(1, "main"),
    line(2, 'textbox "Search products"'),
    line(2, "alert atomic"),
    line(3, '"Payment failed: card expired"'),
    ...Array.from({ length: 300 }, (_, at) => [
      line(2, `heading "Product ${at}" level="2"`),
      line(2, `"A fine thing number ${at}."`),
      line(2, 'button "Add to cart"'),
      line(2, `link "Details" url="http://127.0.0.1/p/${at}"`),
    ]).flat(),
    line(2, 'checkbox "I agree to the terms"'),
    line(2, 'button "Send message" disableable disabled'),
    ...Array.from({ length: 60 }, (_, at) => [
      line(2, `"#${1000 + at}"`),
      line(2, `"${at === 37 ? "refunded" : "shipped"}"`),
    ]).flat(),
    line(1, "contentinfo"),
    line(2, '"Imprint"'),
  ].join("\n");
}

describe.each([
  ["Playwright", playwright()],
  ["Chrome DevTools", devtools()],
])("a page's snapshot of %s", (_, text) => {
  const shown = (query?: string): string =>
    preview(text, { strategy: "smart", maxBytes: 4000, ...(query === undefined ? {} : { query }) }).text;

  test("is known as one", () => {
    expect(detectShape(Buffer.from(text))).toBe("outline");
  });

  test("shows what can be noticed and done, and what repeats a few times only", () => {
    const short = shown();
    for (const name of [
      "Search products",
      "Payment failed: card expired",
      "I agree to the terms",
      "Send message",
      "refunded",
      "Imprint",
    ])
      expect(short).toContain(name);
    expect(short).toContain("[outline: ");
    expect(short.match(/Add to cart/g)!.length).toBeLessThan(60);
    // An element without its mark could not be used.
    for (const line of short.split("\n").filter((each) => /button|checkbox/.test(each)))
      expect(line).toMatch(/ref=e\d+|uid=1_\d+/);
  });

  test("opens what the question names", () => {
    expect(shown("put product 237 into the cart")).toMatch(/"Product 237"[^…]*Add to cart/);
  });
});
