import { cutAlike, type Host, inHome, PATIENCE_MS, SAFE } from "./host.ts";

/** Knows no MCP; its result event has the whole output in a file. */
export const pi: Host = {
  name: "pi",
  title: "pi",
  folder: () => inHome(".pi"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 51_200, overLines: 2000, leavesBytes: 51_320 }),
  readers: ["read"],
  shellTool: "bash",
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 50_000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  results: {
    by: "plugin",
    kind: "pi",
    userFile: () => inHome(".pi", "agent", "extensions", "spillway.ts"),
  },
};
