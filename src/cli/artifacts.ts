import type { Command } from "commander";
import { createCleanCommand } from "./artifacts/clean.ts";
import { createGrepCommand } from "./artifacts/grep.ts";
import { createInfoCommand } from "./artifacts/info.ts";
import { createListCommand } from "./artifacts/list.ts";
import { createQueryCommand } from "./artifacts/query.ts";
import { createReadCommand } from "./artifacts/read.ts";
import { createRmCommand } from "./artifacts/rm.ts";
import { createSearchCommand } from "./artifacts/search.ts";
import { createVerifyCommand } from "./artifacts/verify.ts";
import { addProjectOptions, createGroup } from "./options.ts";

/** `spillway artifacts` */
export function createArtifactsCommand(): Command {
  return addProjectOptions(
    createGroup("artifacts", "List, read, search, query, verify and remove saved outputs.", [
      createListCommand(),
      createInfoCommand(),
      createReadCommand(),
      createGrepCommand(),
      createSearchCommand(),
      createQueryCommand(),
      createVerifyCommand(),
      createCleanCommand(),
      createRmCommand(),
    ]),
  );
}
