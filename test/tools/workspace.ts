import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { SpillwayOptions } from "../../src/gate/types.ts";
import type { ToolResponse } from "../../src/protocol/types.ts";
import {
  builtInTools,
  createToolRegistry,
  type ToolCallOptions,
  type ToolRegistryOptions,
} from "../../src/tools/index.ts";
import { expectEnvelope } from "../support/envelope.ts";

export interface Workspace {
  readonly root: string;
  /** Calls a tool; every envelope is checked. */
  call(name: string, params?: unknown, options?: ToolCallOptions): Promise<ToolResponse>;
  write(file: string, content: string | Uint8Array): string;
  read(file: string): Buffer;
  path(file: string): string;
}

export interface WorkspaceOptions extends Partial<Omit<ToolRegistryOptions, "spillway">> {
  readonly gate?: SpillwayOptions;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A root of its own with the built-in tools; removed after the tests of the file. */
export function createWorkspace(options: WorkspaceOptions = {}): Workspace {
  const outer = realpathSync(mkdtempSync(path.join(tmpdir(), "spillway-tools-")));
  folders.push(outer);
  const root = path.join(outer, "root");
  mkdirSync(root);
  const { gate, ...registryOptions } = options;
  const spillway = createSpillway({ root, env: {}, ...gate });
  const registry = createToolRegistry({ spillway, tools: builtInTools, ...registryOptions });
  const at = (file: string) => path.join(root, file);
  return {
    root,
    path: at,
    call: async (name, params = {}, callOptions) => {
      const { response } = await registry.call(name, params, callOptions);
      // Infinity becomes null on the wire; what counts is what the reader gets.
      return expectEnvelope(JSON.parse(JSON.stringify(response)));
    },
    write(file, content) {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
      return at(file);
    },
    read: (file) => readFileSync(at(file)),
  };
}
