import { READER_SCHEMA } from "../mcp-shared/reader-tool.ts";
import type { ReaderInput } from "./reader.ts";

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

/** The reader's parameters; what is wrong in them it tells the model itself. */
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
