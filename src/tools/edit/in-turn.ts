import type { ToolRun } from "../registry/tool-run.ts";

const turns = new Map<string, Promise<void>>();

/** Lets those who change one file at once do it one after the other: each begins with what the one before it wrote. */
export async function inTurn<T>(run: ToolRun, path: string, change: () => Promise<T>): Promise<T> {
  const { real } = await run.sandbox.resolve(path);
  const changing = (turns.get(real) ?? Promise.resolve()).then(change);
  const done = changing.then(
    () => undefined,
    () => undefined,
  );
  turns.set(real, done);
  try {
    return await changing;
  } finally {
    if (turns.get(real) === done) turns.delete(real);
  }
}
