import { z } from "zod";
import { TOOL_ERROR_CODES, type ToolResponse } from "./types.ts";
import { validateToolResponse } from "./validate.ts";

const finite = z.number().finite();

const stats = z
  .object({ time_ms: finite.min(0).describe("Milliseconds the tool took.") })
  .catchall(z.union([finite, z.string()]));

const context = z.looseObject({
  cwd: z.string().min(1).describe('Working directory relative to the root, "." for the root itself.'),
  params_input: z.unknown().describe("The parameters exactly as they were given."),
  path_resolved: z.string().min(1).optional().describe("The path that was used, relative to the root, POSIX."),
  truncation_skip: z.boolean().optional().describe("True when the tool bounds its own output."),
});

const data = z.record(z.string(), z.unknown());
const sayingText = z.string().regex(/\S/);
const noError = z.null().optional();

const shape = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("success"),
    data: z.looseObject({ truncated: z.literal(false).optional(), applied: z.literal(true).optional() }),
    text: z.string(),
    error: noError,
    stats,
    context,
  }),
  z.strictObject({ status: z.literal("partial"), data, text: sayingText, error: noError, stats, context }),
  z.strictObject({
    status: z.literal("error"),
    data,
    text: sayingText,
    error: z.strictObject({
      code: z
        .string()
        .regex(/\S/)
        .describe(`One of ${TOOL_ERROR_CODES.join(", ")}, or a code of the tool's own.`),
      message: z.string().min(1),
    }),
    stats,
    context,
  }),
]);

/**
 * The envelope as a zod schema: the shape, and every rule of `validateToolResponse` (the rule's id is in the
 * issue's `params.rule`). Parsing drops `error: null`.
 */
export const toolResponseSchema = shape
  .superRefine((value, check) => {
    const result = validateToolResponse(value);
    if (result.ok) return;
    for (const { rule, path, message } of result.issues) {
      check.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message, params: { rule } });
    }
  })
  .transform((value): ToolResponse => {
    const { error, ...rest } = value;
    return (error ? { ...rest, error } : rest) as ToolResponse;
  });

/** The shape of the envelope as JSON Schema (draft 2020-12), for programs in other languages. */
export const toolResponseJsonSchema: Readonly<Record<string, unknown>> = z.toJSONSchema(shape, { io: "input" });
