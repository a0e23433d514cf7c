import { build } from "tsdown";

// Not by its command line, which greets Node 20 with a warning.
await build({ logLevel: "warn" });
