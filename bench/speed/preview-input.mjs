import { importBuilt } from "../measure.mjs";

// Reads standard input to its end, with a preview of the strategy given, or with none.
const [strategy = "none"] = process.argv.slice(2);
const limits = { maxLines: 2000, maxBytes: 51_200, maxChars: Infinity, maxTokens: Infinity };
const { createAccumulator } = await importBuilt("preview");
const accumulator = strategy === "none" ? undefined : createAccumulator({ limits, strategy });
for await (const chunk of process.stdin) accumulator?.write(chunk);
accumulator?.finish();
