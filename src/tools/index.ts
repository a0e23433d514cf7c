export type { GovernedResponse } from "../gate/observation.ts";
export { builtInTools } from "./built-in-tools.ts";
export type { Advice } from "./registry/define-tool.ts";
export { type CapturedResult, defineTool, type ToolDefinition, type ToolEnvironment } from "./registry/define-tool.ts";
export {
  createToolRegistry,
  type ToolCallOptions,
  type ToolListing,
  type ToolRegistry,
  type ToolRegistryOptions,
} from "./registry/registry.ts";
export type { ToolRun } from "./registry/tool-run.ts";
export type { Sandbox, SandboxedHandle, SandboxedPath } from "./sandbox/sandbox.ts";
