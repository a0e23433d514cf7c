import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { createCleanCommand } from "./artifacts/clean.ts";
import { createGrepCommand } from "./artifacts/grep.ts";
import { createInfoCommand } from "./artifacts/info.ts";
import { createListCommand } from "./artifacts/list.ts";
import { createReadCommand } from "./artifacts/read.ts";
import { createRmCommand } from "./artifacts/rm.ts";
import { createSearchCommand } from "./artifacts/search.ts";
import { createVerifyCommand } from "./artifacts/verify.ts";
import { addProjectOptions } from "./options.ts";

/** `spillway artifacts` */
export function createArtifactsCommand(): Command {
  const command = addProjectOptions(new Command("artifacts"))
    .description("List, read, search, verify and remove saved outputs, in .agents/tool-output and tool-output.")
    .argument("[command]")
    .usage("list|info|read|grep|search|verify|clean|rm [options]")
    .action((name?: string) => {
      if (name === undefined) return command.outputHelp();
      const known = command.commands.map((each) => each.name()).join(", ");
      throw invalidArgument(`unknown command artifacts ${JSON.stringify(name)}; known: ${known}.`);
    });
  for (const create of [
    createListCommand,
    createInfoCommand,
    createReadCommand,
    createGrepCommand,
    createSearchCommand,
    createVerifyCommand,
    createCleanCommand,
    createRmCommand,
  ]) {
    command.addCommand(create());
  }
  return command;
}
