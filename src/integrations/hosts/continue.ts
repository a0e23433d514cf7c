import { cutAlike, type Host, inHome, NO_READ_LIMIT, PATIENCE_MS, SAFE } from "./host.ts";

/** Continue CLI: no setting of its own reaches its shell, so that it has to be started with BASH_ENV. */
export const continueCli: Host = {
  name: "continue",
  title: "Continue CLI",
  folder: () => process.env.CONTINUE_GLOBAL_DIR || inHome(".continue"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 50_000, overLines: 1000, leavesBytes: 49_990 }),
  // Its Read takes whole files of at most 100,000 characters.
  readers: ["Bash"],
  shellTool: "Bash",
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  idleMs: 180_000,
  errorsOnly: true,
  shell: { by: "launcher", program: "cn" },
};
