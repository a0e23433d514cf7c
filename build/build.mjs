import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { buildPage } from "./page.mjs";

// Not by its command line, which greets Node 20 with a warning.
await build({ logLevel: "warn" });
await buildPage(fileURLToPath(new URL("../dist/ui/", import.meta.url)));
