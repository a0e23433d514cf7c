import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { FORMS, type Form, makeFindings, write } from "./findings.ts";

const LIMITS = [300, 700, 1500, 8000, 32_000];
const format = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
const shown = (text: string, maxBytes: number, query?: string): string =>
  preview(text, { strategy: "smart", maxBytes, maxLines: 5000, ...(query && { query }) }).text;

/** Rules or files with their counts, most frequent first. */
function countsOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

describe("a storm of findings begins with a summary by rule and by file", () => {
  it.each(Object.entries(FORMS))("%s", (_, form) => {
    for (const [count, spread] of [
      [300, 3],
      [1200, 40],
    ] as const) {
      const findings = makeFindings(count, spread, form.ending);
      const text = write(form, findings);
      const files = countsOf(findings.map(({ file }) => file));
      const [rule, times] = countsOf(findings.map((one) => form.rule?.(one.rule) ?? one.rule))[0] as [string, number];
      for (const limit of LIMITS.filter((bytes) => bytes < text.length)) {
        const [title, byRule, byFile] = shown(text, limit).split("\n");
        const about = `${count} findings, ${limit} bytes`;
        expect(title, about).toBe(`[findings: ${format(count)} in ${format(files.length)} files]`);
        if (limit < 700) continue;
        expect(byRule, about).toContain(`[by rule: ${rule} ${format(times)}`);
        expect(byFile, about).toMatch(/^\[by file: /);
        expect(byFile, about).toContain(`${files[0]?.[0]} ${files[0]?.[1]}`);
      }
    }
  });

  it("stands above a log that has them in its middle, behind what a runner puts before its lines", () => {
    const form = FORMS["ESLint, stylish"] as Form;
    const steps = Array.from({ length: 900 }, (_, at) => `step ${at} took ${at % 9} ms`);
    const lines = [...steps, ...write(form, makeFindings(400, 8, "js")).split("\n"), ...steps];
    for (const prefix of ["", "web_1  | ", "#12 3.456 ", "2024-05-01T12:00:00.1234567Z "]) {
      const text = shown(lines.map((line) => prefix + line).join("\n"), 4000);
      expect(text).toMatch(/^\[findings: 400 in 50 files\]\n\[by rule: unused-name \d+, /);
    }
  });
});

describe("few findings have no summary", () => {
  it.each(Object.entries(FORMS))("%s", (_, form) => {
    const steps = Array.from({ length: 900 }, (__, at) => `step ${at} took ${at % 9} ms`).join("\n");
    const text = shown(`${steps}\n${write(form, makeFindings(20, 4, form.ending))}${steps}\n`, 4000);
    expect(text).not.toContain("[findings:");
  });

  it("nor has a log that names source lines without finding anything there", () => {
    const lines = Array.from({ length: 900 }, (_, at) => `src/main.go:${at + 3}: request ${at} answered`);
    expect(shown(lines.join("\n"), 4000)).not.toContain("[findings:");
  });
});

const HEADED = Object.entries(FORMS).filter(([name, { heading }]) => heading !== undefined && name !== "Pylint");

/** Findings in a preview that do not stand below the heading of their own file. */
function misplaced(text: string, form: Form, findings: ReturnType<typeof makeFindings>): string[] {
  const headings = new Set(findings.map(({ file }) => form.heading?.(file) ?? ""));
  const owners = new Map<string, Set<string>>();
  for (const one of findings) {
    const row = form.rows(one)[0] as string;
    owners.set(row, (owners.get(row) ?? new Set()).add(form.heading?.(one.file) ?? ""));
  }
  let heading = "";
  return text.split("\n").filter((line) => {
    if (headings.has(line)) heading = line;
    return owners.get(line)?.has(heading) === false;
  });
}

describe("each shown finding stands below the line of its file", () => {
  it.each(HEADED)("%s", (_, form) => {
    for (const [count, spread] of [
      [90, 30],
      [300, 3],
      [900, 400],
    ] as const) {
      const findings = makeFindings(count, spread, form.ending);
      const text = write(form, findings);
      for (const limit of LIMITS) {
        for (const query of [undefined, "what is wrong with pear77?"]) {
          const seen = shown(text, limit, query);
          expect(misplaced(seen, form, findings), `${count} in files of ${spread}, ${limit} bytes`).toEqual([]);
        }
      }
    }
  });

  it("and so does each message of Biome", () => {
    const form = FORMS.Biome as Form;
    for (const findings of [makeFindings(90, 3, "ts"), makeFindings(900, 40, "ts")]) {
      for (const limit of LIMITS) {
        let heading: string | undefined;
        for (const line of shown(write(form, findings), limit).split("\n")) {
          if (line.includes("━━━")) heading = line;
          const finding = findings.find(({ message }) => line === `  × ${message}.`);
          if (finding !== undefined) expect(heading).toBe(form.rows(finding)[0]);
        }
      }
    }
  });

  it("also where only the last lines of a table are shown", () => {
    const lines = Array.from({ length: 60 }, (_, file) => [
      ` ------ ${"-".repeat(60)}`,
      `  Line   src/part${file}.php`,
      ` ------ ${"-".repeat(60)}`,
      ...Array.from(
        { length: 40 },
        (__, at) => `  ${String(7 * at + file + 1).padEnd(4)}   Pear${file} is never read.`,
      ),
      ` ------ ${"-".repeat(60)}`,
      "",
    ]).flat();
    for (const limit of LIMITS) {
      let file = "";
      for (const line of shown(lines.join("\n"), limit).split("\n")) {
        file = /src\/part(\d+)\.php/.exec(line)?.[1] ?? file;
        const owner = /Pear(\d+) is/.exec(line)?.[1];
        if (owner !== undefined) expect(owner, line).toBe(file);
      }
    }
  });
});
