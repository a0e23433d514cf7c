import { bashTool } from "./bash.ts";
import type { ToolDefinition } from "./define-tool.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { lsTool } from "./ls.ts";
import { readTool } from "./read.ts";
import { repoMapTool } from "./repo-map/repo-map.ts";
import { repoStructureTool } from "./repo-structure.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeTool } from "./write.ts";

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

export type { ProcessEnd } from "../process/process-end.ts";
export { type RunProcessOptions, runProcess } from "../process/run-process.ts";
export { type CapturedResult, defineTool, type ToolDefinition, type ToolEnvironment } from "./define-tool.ts";
export {
  createToolRegistry,
  type ToolCallOptions,
  type ToolListing,
  type ToolRegistry,
  type ToolRegistryOptions,
} from "./registry.ts";
export { Sandbox, type SandboxedHandle, type SandboxedPath } from "./sandbox.ts";
export { ToolRun } from "./tool-run.ts";
export {
  bashTool,
  editTool,
  globTool,
  grepTool,
  lsTool,
  readTool,
  repoMapTool,
  repoStructureTool,
  webFetchTool,
  writeTool,
};
