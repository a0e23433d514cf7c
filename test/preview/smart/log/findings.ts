/** What linters and compilers print, made up: each form writes findings of several files. */

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly error: boolean;
  readonly rule: string;
  readonly message: string;
}

export interface Form {
  /** What stands above the findings of a file, if the file is named only there. */
  readonly heading?: (file: string) => string;
  /** Rows of one finding; the first is the one that counts. */
  readonly rows: (finding: Finding) => readonly string[];
  /** What stands above and below the heading, and below the findings. */
  readonly bar?: string;
  readonly before?: readonly string[];
  readonly after?: (count: number) => readonly string[];
  /** A rule as the form writes it. */
  readonly rule?: (rule: string) => string;
  /** The name of a file as the form writes it. */
  readonly ending: string;
}

const RULES = ["unused-name", "no-shadow", "max-length", "bad-indent", "loose-equals", "dead-code", "missing-docs"];

/** Findings with a few common rules and some rare ones; `spread` of them in a file. */
export function makeFindings(count: number, spread: number, ending: string): Finding[] {
  return Array.from({ length: count }, (_, at) => {
    const file = Math.floor(at / spread);
    const rule = at % 97 === 13 ? 5 + (at % 2) : at % 11 === 4 ? 3 + (at % 2) : at % 3 === 0 ? 1 + (at % 2) : 0;
    return {
      file: `src/part${file % 7}/module-${file}.${ending}`,
      line: 3 + 7 * (at % spread),
      column: 1 + (at % 70),
      error: at % 4 !== 0,
      rule: RULES[rule] as string,
      message: `The name pear${at} is written in a way that ${RULES[rule]} forbids`,
    };
  });
}

export function write(form: Form, findings: readonly Finding[]): string {
  const lines: string[] = [...(form.before ?? [])];
  let file = "";
  for (const finding of findings) {
    if (form.heading !== undefined && finding.file !== file) {
      const bar = form.bar === undefined ? [] : [form.bar];
      if (file !== "") lines.push(...bar, "");
      lines.push(...bar, form.heading(finding.file), ...bar);
      file = finding.file;
    }
    lines.push(...form.rows(finding));
  }
  return `${[...lines, ...(form.after?.(findings.length) ?? [])].join("\n")}\n`;
}

/** A rule such as `unused-name` as a code: one letter and three digits. */
export const codeOf = (rule: string): string => `E${100 + 7 * RULES.indexOf(rule)}`;
const camel = (rule: string): string => rule.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const total = (count: number): string[] => ["", `✖ ${count} problems (${count} errors, 0 warnings)`];

export const FORMS: Readonly<Record<string, Form>> = {
  "ESLint, stylish": {
    ending: "js",
    heading: (file) => `/srv/app/${file}`,
    rows: (one) => [
      `  ${String(one.line).padStart(4)}:${String(one.column).padEnd(3)} ${one.error ? "error  " : "warning"}  ${one.message}  ${one.rule}`,
    ],
    after: total,
  },
  stylelint: {
    ending: "css",
    heading: (file) => file,
    rows: (one) => [` ${String(one.line).padStart(4)}:${String(one.column).padEnd(3)}  ✖  ${one.message}  ${one.rule}`],
    after: total,
  },
  yamllint: {
    ending: "yaml",
    heading: (file) => file,
    rows: (one) => [`  ${one.line}:${one.column}       error    ${one.message}  (${one.rule})`],
  },
  Vale: {
    ending: "md",
    heading: (file) => ` ${file}`,
    rows: (one) => [` ${one.line}:${one.column}  warning  ${one.message}.  ${one.rule}`],
  },
  "TSLint, stylish": {
    ending: "ts",
    heading: (file) => file,
    rows: (one) => [`ERROR: ${one.line}:${one.column}  ${one.message} (${one.rule})`],
  },
  "Pylint with the module above": {
    ending: "py",
    heading: (file) => `************* Module ${file}`,
    rows: (one) => [
      `C:${String(one.line).padStart(3)},${String(one.column).padStart(2)}: ${one.message} (${one.rule})`,
    ],
  },
  "RuboCop, simple": {
    ending: "rb",
    heading: (file) => `== ${file} ==`,
    rows: (one) => [
      `C:${String(one.line).padStart(3)}:${String(one.column).padStart(3)}: Style/${camel(one.rule)}: ${one.message}`,
    ],
    rule: (rule) => `Style/${camel(rule)}`,
    after: (count) => ["", `320 files inspected, ${count} offenses detected`],
  },
  PHP_CodeSniffer: {
    ending: "php",
    heading: (file) => `FILE: /srv/app/${file}`,
    rows: (one) => [` ${String(one.line).padStart(3)} | ERROR | Wrong by rule ${one.rule}`],
    rule: (rule) => `Wrong by rule ${rule}`,
  },
  PHPStan: {
    ending: "php",
    heading: (file) => `  Line   src/${file}`,
    rows: (one) => [`  ${String(one.line).padEnd(6)} ${one.message}.`, `         🪪  ${camel(one.rule)}.notFound`],
    rule: (rule) => `${camel(rule)}.notFound`,
    bar: ` ------ ${"-".repeat(60)}`,
    after: (count) => ["", ` [ERROR] Found ${count} errors`],
  },
  "PHPStan without rules": {
    ending: "php",
    heading: (file) => `  Line   src/${file}`,
    rows: (one) => [`  ${String(one.line).padEnd(6)} Wrong by rule ${one.rule}`],
    rule: (rule) => `Wrong by rule ${rule}`,
    bar: ` ------ ${"-".repeat(60)}`,
  },
  "TypeScript, pretty": {
    ending: "ts",
    rows: (one) => [
      `\x1b[96m${one.file}\x1b[0m:\x1b[93m${one.line}\x1b[0m:\x1b[93m${one.column}\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS${codeOf(one.rule).slice(1)}: \x1b[0m${one.message}.`,
      "",
      `\x1b[7m${one.line}\x1b[0m let pear = 2;`,
      "\x1b[7m  \x1b[0m \x1b[91m    ~~~~\x1b[0m",
      "",
    ],
    rule: (rule) => `TS${codeOf(rule).slice(1)}`,
  },
  "mypy, pretty": {
    ending: "py",
    rows: (one) => [`${one.file}:${one.line}: error: ${one.message}  [${one.rule}]`, "    pear = 2", "    ^~~~~~~~"],
  },
  ShellCheck: {
    ending: "sh",
    rows: (one) => [
      `In ${one.file} line ${one.line}:`,
      `echo $pear`,
      `     ^---^ ${codeOf(one.rule)} (warning): ${one.message}.`,
      "",
    ],
    rule: codeOf,
  },
  Flake8: {
    ending: "py",
    rows: (one) => [`./${one.file}:${one.line}:${one.column}: ${codeOf(one.rule)} ${one.message}`],
    rule: codeOf,
  },
  Pylint: {
    ending: "py",
    heading: (file) => `************* Module ${file.replace(/\.py$/, "").replaceAll("/", ".")}`,
    rows: (one) => [`${one.file}:${one.line}:${one.column}: ${codeOf(one.rule)}: ${one.message} (${one.rule})`],
    rule: codeOf,
    after: () => ["", "Your code has been rated at 3.21/10"],
  },
  mypy: {
    ending: "py",
    rows: (one) => [`${one.file}:${one.line}: error: ${one.message}  [${one.rule}]`],
    after: (count) => [`Found ${count} errors in 9 files (checked 80 source files)`],
  },
  "golangci-lint": {
    ending: "go",
    rows: (one) => [
      `${one.file}:${one.line}:${one.column}: ${one.message} (${one.rule})`,
      "\tdefer pear.Close()",
      "\t           ^",
    ],
  },
  markdownlint: {
    ending: "md",
    rows: (one) => [`${one.file}:${one.line} ${codeOf(one.rule).replace("E", "MD")}/${one.rule} ${one.message}`],
    rule: (rule) => `${codeOf(rule).replace("E", "MD")}/${rule}`,
  },
  Biome: {
    ending: "ts",
    rows: (one) => [
      `${one.file}:${one.line}:${one.column} lint/style/${camel(one.rule)} ━━━━━━━━━━━━━━━`,
      "",
      `  × ${one.message}.`,
      "",
      `  > ${one.line} │ let pear = 2;`,
      "",
    ],
    rule: (rule) => `lint/style/${camel(rule)}`,
  },
  RuboCop: {
    ending: "rb",
    before: ["Inspecting 320 files", "...C...W...", "", "Offenses:", ""],
    rows: (one) => [
      `${one.file}:${one.line}:${one.column}: C: [Correctable] Style/${camel(one.rule)}: ${one.message}`,
      "  pear = 2",
      "  ^^^^",
    ],
    rule: (rule) => `Style/${camel(rule)}`,
    after: (count) => ["", `320 files inspected, ${count} offenses detected`],
  },
  TypeScript: {
    ending: "ts",
    rows: (one) => [`${one.file}(${one.line},${one.column}): error TS${codeOf(one.rule).slice(1)}: ${one.message}.`],
    rule: (rule) => `TS${codeOf(rule).slice(1)}`,
  },
  GCC: {
    ending: "c",
    rows: (one) => [
      `${one.file}:${one.line}:${one.column}: warning: ${one.message} [-W${one.rule}]`,
      `  ${one.line} | pear = 2;`,
      "    | ^~~~",
    ],
    rule: (rule) => `-W${rule}`,
  },
  "ESLint, compact": {
    ending: "js",
    rows: (one) => [`/srv/app/${one.file}: line ${one.line}, col ${one.column}, Error - ${one.message}. (${one.rule})`],
    after: total,
  },
  "ESLint, unix": {
    ending: "js",
    rows: (one) => [`/srv/app/${one.file}:${one.line}:${one.column}: ${one.message}. [Error/${one.rule}]`],
  },
  Checkstyle: {
    ending: "java",
    before: ["Starting audit..."],
    rows: (one) => [`[WARN] /srv/app/${one.file}:${one.line}:${one.column}: ${one.message}. [${camel(one.rule)}]`],
    rule: camel,
    after: () => ["Audit done."],
  },
  rustc: {
    ending: "rs",
    rows: (one) => [
      `error[${codeOf(one.rule).replace("E", "E0")}]: ${one.message}`,
      `  --> ${one.file}:${one.line}:${one.column}`,
      "   |",
      `${one.line} |     let pear = 2;`,
      "   |         ^^^^",
      "",
    ],
    rule: (rule) => codeOf(rule).replace("E", "E0"),
  },
  oxlint: {
    ending: "js",
    rows: (one) => [
      `  ⚠ eslint(${one.rule}): ${one.message}`,
      `    ╭─[${one.file}:${one.line}:${one.column}]`,
      ` ${one.line} │ let pear = 2;`,
      "    ╰────",
    ],
    rule: (rule) => `eslint(${rule})`,
  },
};
