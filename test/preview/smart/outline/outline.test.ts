import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("\n");
const show = (text: string, query?: string) =>
  preview(text, { strategy: "smart", maxBytes: 2500, ...(query === undefined ? {} : { query }) });

const xml = `<?xml version="1.0"?>
<!--
  Nothing in this comment says what the file holds:
  an error of its parser was fatal once.
-->
<project>
  <name>shop</name>
${many(60, (i) => `  <module-${i}>\n    <error-page>failed-${i}.html</error-page>\n    <retries>${i}</retries>\n  </module-${i}>`)}
</project>
`;
const conf = many(
  200,
  (i) =>
    `# What to do when connection ${i} failed: an error is logged,\n# and a timeout is fatal.\nretry-${i} always\n`,
);
const lock = many(
  300,
  (i) => `error-${i}@^1.${i}.0:\n  version "1.${i}.2"\n  dependencies:\n    failed-${i} "^2.0.0"\n`,
);

describe("outline", () => {
  it("shows XML that is no page by its outer elements, without its comments", () => {
    const { text, shape } = show(xml);
    expect(shape).toBe("outline");
    expect(text).toContain("  <name>shop</name>");
    for (const part of [0, 29, 59]) expect(text).toContain(`  <module-${part}>`);
    expect(text).not.toContain("an error of its parser");
  });

  it("shows the settings of a commented file before its comments", () => {
    const { text, shape } = show(conf);
    expect(shape).toBe("outline");
    expect(text.split("\nretry-").length).toBeGreaterThan(60);
    expect(text).not.toContain("a timeout is fatal");
  });

  it("shows drawn comments as headings", () => {
    const drawn = many(
      30,
      (i) => `########## SECTION ${i} ##########\n\n# Says ${i}.\n${many(4, (n) => `key-${i}-${n} yes`)}\n`,
    );
    const { text } = show(drawn);
    for (let i = 0; i < 30; i++) expect(text).toContain(`########## SECTION ${i} ##########`);
  });

  it("finds what is asked for in a part that is very long", () => {
    const classes = many(
      600,
      (i) => `      <class name="f${i}.js">\n${many(12, (n) => `        <line number="${n}"/>`)}\n      </class>`,
    );
    const { text } = show(
      `<coverage>\n  <packages>\n    <classes>\n${classes}\n    </classes>\n  </packages>\n</coverage>\n`,
      "Which class of f454 is covered least?",
    );
    expect(text).toContain('<class name="f454.js">');
  });

  it("shows entries, and the one that is asked for whole", () => {
    const { text } = show(lock, "which version of failed-217 is needed?");
    expect(text).toContain('error-217@^1.217.0:\n  version "1.217.2"\n  dependencies:\n    failed-217 "^2.0.0"');
  });
});

describe("a text that begins as a file does is a log after all", () => {
  for (const [name, text] of Object.entries({ xml, conf, lock })) {
    it.each([
      ["a build that fails", "make: *** [shop.o] Error 1"],
      ["an exception", 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: "shop"'],
      ["a compiler's error", "src/shop.c:12:5: error: unknown type name 'cart'"],
    ])(`${name} and %s`, (_, report) => {
      const { text: shown, shape } = show(`${text}\n${report}\n${text}`);
      expect(shape).not.toBe("outline");
      expect(shown).toContain(report);
    });
  }

  it("where tests fail in a report in XML", () => {
    const cases = (from: number) =>
      many(200, (i) => `  <testcase classname="shop.Cart" name="adds_${from + i}" time="0.01"/>`);
    const failure =
      '  <testcase classname="shop.Cart" name="pays" time="0.02">\n    <failure message="expected 3 but was 4" type="AssertionError"/>\n  </testcase>';
    const { text } = show(
      `<?xml version="1.0"?>\n<testsuite tests="401" failures="1">\n${cases(0)}\n${failure}\n${cases(200)}\n</testsuite>\n`,
    );
    expect(text).toContain("expected 3 but was 4");
  });

  it("where a report of states says in mere words that one failed", () => {
    const states = (from: number) =>
      many(150, (i) => `unit-${from + i}\n    loaded yes\n    state running\n    since monday`);
    const { text } = show(`${states(0)}\nunit-x\n    loaded yes\n    state failed\n${states(150)}`);
    expect(text).toContain("    state failed");
  });

  it("where one record of many in braces has another state", () => {
    const tasks = (from: number) =>
      many(120, (i) => `task {\n  name: "shard-${from + i}"\n  state: STATE_DONE\n  attempts: 1\n}`);
    const { text } = show(
      `${tasks(0)}\ntask {\n  name: "shard-x"\n  state: STATE_FAILED\n  attempts: 5\n}\n${tasks(120)}`,
    );
    expect(text).toContain("  state: STATE_FAILED");
    expect(text).toContain('name: "shard-x"');
  });

  it("where threads are dumped", () => {
    const threads = many(
      120,
      (i) =>
        `"till-${i}" #${i} prio=5 tid=0x00007f9e98${i + 100000}\n   State: WAITING\n\tat shop.Till.sell(Till.java:${i})\n`,
    );
    expect(show(threads).shape).not.toBe("outline");
  });

  it("where a database tells how it would look something up", () => {
    const plan = many(
      200,
      (i) => `Hash Join  (cost=0.00..${i} rows=100)\n  ->  Seq Scan on orders_${i}  (cost=0.10..30 rows=10)`,
    );
    expect(show(plan).shape).not.toBe("outline");
  });
});
