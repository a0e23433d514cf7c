import { bashTool } from "./bash.ts";
import { editTool } from "./edit/edit.ts";
import { writeTool } from "./edit/write.ts";
import { globTool } from "./files/glob.ts";
import { lsTool } from "./files/ls.ts";
import { repoStructureTool } from "./files/repo-structure.ts";
import { grepTool } from "./grep/grep.ts";
import { readTool } from "./read/read.ts";
import type { ToolDefinition } from "./registry/define-tool.ts";
import { repoMapTool } from "./repo-map/repo-map.ts";
import { webFetchTool } from "./web/web-fetch.ts";

/** The tools that come with Spillway. */
export const builtInTools: readonly ToolDefinition[] = [
  lsTool,
  globTool,
  grepTool,
  readTool,
  writeTool,
  editTool,
  bashTool,
  webFetchTool,
  repoMapTool,
  repoStructureTool,
];
