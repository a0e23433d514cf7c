import pc from "picocolors";

/** Colours for what is printed to standard output: on a terminal, or where FORCE_COLOR asks; a CI's log is no terminal. */
export const colors = pc.createColors(
  pc.isColorSupported && (process.stdout.isTTY === true || "FORCE_COLOR" in process.env),
);
