import { readdirSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";

const folder = path.join(import.meta.dirname, "../../src/cli");

async function loadCommands(): Promise<Command[]> {
  const commands: Command[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
    const module: Record<string, unknown> = await import(path.join(folder, file));
    for (const [name, create] of Object.entries(module))
      if (/^create\w+Command$/.test(name) && typeof create === "function") commands.push(create(async () => new Map()));
  }
  return commands.flatMap(withSubcommands);
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((sub) => withSubcommands(sub as Command))];
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent as Command)} ${command.name()}` : command.name();
const commands = (await loadCommands()).map((command) => [nameOf(command), command] as const);

describe("--help", () => {
  it("is there for every command of the command line", () => {
    expect(commands.length).toBeGreaterThan(25);
  });

  it.each(commands)("%s says the default of every option that takes a value", (_, command) => {
    const help = command.createHelp();
    const silent = command.options
      .filter((option) => (option.required || option.optional) && !option.hidden)
      .filter((option) => !/default: [^)]+\)|required|may be repeated/.test(help.optionDescription(option)))
      .map((option) => option.flags);
    expect(silent).toEqual([]);
  });

  it.each(commands)("%s tells defaults as a user would write them", (_, command) => {
    const help = command.createHelp();
    for (const option of command.options) {
      const text = help.optionDescription(option);
      expect(text).not.toMatch(/default: (\[\]|"|false|true|undefined|null)/);
      expect(text.match(/default/g)?.length ?? 0, text).toBeLessThanOrEqual(1);
    }
  });
});
