import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";
import { PAGES, readPage } from "./blocks.ts";
import { Sandbox } from "./sandbox.ts";

/** Commands with commands of their own. */
const GROUPS = new Set(["artifacts", "sessions", "store", "mcp"]);
const folder = mkdtempSync("/tmp/spillway-inline-");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform !== "linux")(
  "commands within sentences name commands and options that there are",
  async () => {
    const frameworks = readdirSync(join(PROJECT, "docs/frameworks")).map((name) => `docs/frameworks/${name}`);
    const named = [...PAGES, ...frameworks].flatMap((page) =>
      [...readPage(page).matchAll(/`(?:npx (?:-y )?)?spillway ([a-z][^`\n]*)`/g)].map(([, line = ""]) => ({
        page,
        line,
      })),
    );
    expect(named.length).toBeGreaterThan(80);
    const sandbox = new Sandbox(folder, await builtPackage(), {}, false);
    const helps = new Map<string, string>();
    const wrong: string[] = [];
    for (const { page, line } of named) {
      const [own = ""] = line.split(" -- ");
      const words = own.split(/\s+/);
      const subcommand = GROUPS.has(words[0]!) && /^[a-z]+$/.test(words[1] ?? "") ? [words[1]!] : [];
      const command = [words[0]!.split("|")[0]!, ...subcommand].join(" ");
      if (!helps.has(command)) {
        const { stdout, code } = await sandbox.shell(`spillway ${command} --help`);
        helps.set(command, code === 0 && stdout.startsWith(`Usage: spillway ${command}`) ? stdout : "");
      }
      const help = helps.get(command)!;
      const options = [...own.matchAll(/(?<=[\s[|])--[a-z][a-z-]*/g)].map(([option]) => option);
      const unknown = options.filter((option) => option !== "--help" && !new RegExp(`${option}\\b`).test(help));
      if (help === "" || unknown.length > 0)
        wrong.push(`${page}: spillway ${line}${help === "" ? " (no such command)" : ` (${unknown})`}`);
    }
    expect(wrong).toEqual([]);
  },
);
