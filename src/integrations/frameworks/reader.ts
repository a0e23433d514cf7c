import type { Spillway } from "../../gate/types.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { callReader, READER_NAME, READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import { type ReaderToolsOptions, readableGate } from "./options.ts";

/** A schema that tells its JSON Schema, by the Standard Schema interfaces. */
export interface StandardSchema<Value> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Value } | { readonly issues: readonly Issue[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

interface Issue {
  readonly message: string;
}

/** The reader's parameters; it reports invalid ones to the model itself. */
export const readerStandardSchema: StandardSchema<ReaderInput> = {
  "~standard": {
    version: 1,
    vendor: "spillway",
    validate: (value) =>
      typeof (value as Partial<ReaderInput> | null)?.id === "string"
        ? { value: value as ReaderInput }
        : { issues: [{ message: "id must be a text." }] },
    jsonSchema: { input: () => ({ ...READER_SCHEMA }), output: () => ({ ...READER_SCHEMA }) },
  },
};

/** The reader's input. */
export interface ReaderInput {
  readonly id: string;
  readonly pattern?: string | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly query?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly bytes?: string | undefined;
  readonly all?: boolean | undefined;
  readonly part?: number | undefined;
  readonly max_bytes?: number | undefined;
}

/** Reads for a model; errors in a call are returned as text. */
export function createReader(options: ReaderToolsOptions): (input: unknown) => Promise<string> {
  const spillway = readableGate(options);
  return (input) => read(spillway, input);
}

async function read(spillway: Spillway, input: unknown): Promise<string> {
  // An image is described in words if only text can be returned.
  const { maxBytes } = (await spillway.limits({ tool: READER_NAME })).limits;
  const { content } = await callReader(input, spillway.store, {
    maxMediaBytes: 0,
    maxBytes: Math.min(maxBytes, MAX_BYTES),
  });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return text;
}
