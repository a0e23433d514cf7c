import type { Spillway } from "../../gate/types.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { callQuery, QUERY_NAME, QUERY_SCHEMA } from "../mcp-shared/query-tool.ts";
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

/** The parameters of a reader tool; the tool reports invalid ones to the model itself. */
function standardSchema<Input extends { readonly id: string }>(schema: Record<string, unknown>): StandardSchema<Input> {
  return {
    "~standard": {
      version: 1,
      vendor: "spillway",
      validate: (value) =>
        typeof (value as Partial<Input> | null)?.id === "string"
          ? { value: value as Input }
          : { issues: [{ message: "id must be a text." }] },
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}

export const readerStandardSchema = standardSchema<ReaderInput>(READER_SCHEMA);
export const queryStandardSchema = standardSchema<QueryInput>(QUERY_SCHEMA);

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

/** The input of the query tool. */
export interface QueryInput {
  readonly id: string;
  readonly sql?: string | undefined;
}

/** Answers SQL questions for a model; errors in a call are returned as text. */
export function createQuery(options: ReaderToolsOptions): (input: unknown) => Promise<string> {
  const spillway = readableGate(options);
  return async (input) => {
    const { maxBytes } = (await spillway.limits({ tool: QUERY_NAME })).limits;
    return textOf(await callQuery(input, spillway.store, { maxBytes: Math.min(maxBytes, MAX_BYTES) }));
  };
}

/** Reads for a model; errors in a call are returned as text. */
export function createReader(options: ReaderToolsOptions): (input: unknown) => Promise<string> {
  const spillway = readableGate(options);
  return (input) => read(spillway, input);
}

async function read(spillway: Spillway, input: unknown): Promise<string> {
  // An image is described in words if only text can be returned.
  const { maxBytes } = (await spillway.limits({ tool: READER_NAME })).limits;
  return textOf(await callReader(input, spillway.store, { maxMediaBytes: 0, maxBytes: Math.min(maxBytes, MAX_BYTES) }));
}

function textOf({ content }: { readonly content?: unknown }): string {
  const [{ text } = { text: "" }] = content as { text: string }[];
  return text;
}
