import { type Host, PATIENCE_MS, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

/** Knows no MCP; its result event has the whole output in a file. */
export const pi: Host = {
  name: "pi",
  title: "pi",
  folder: () => inHome(".pi"),
  maxBytes: SAFE,
  ownCut: "51,200 bytes or 2,000 lines",
  readers: ["read"],
  shellTool: "bash",
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 50_000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  results: {
    kind: "pi",
    userFile: () => inHome(".pi", "agent", "extensions", "spillway.ts"),
    projectFile: ".pi/extensions/spillway.ts",
  },
};
