import type { ArtifactLocation, Manifest } from "../artifacts/types.ts";
import { ToolFailure } from "../protocol/tool-failure.ts";
import type { ToolRun } from "./tool-run.ts";

/** The artifact that a path or id names; undefined when it names none. */
export async function findArtifact(
  run: ToolRun,
  given: string,
): Promise<(ArtifactLocation & { readonly manifest?: Manifest }) | undefined> {
  return run.environment.spillway.store.find(given).catch(() => undefined);
}

/** Tries a path below the root first; when it is not there or not allowed, it may still name an artifact. */
export async function orArtifact<T, A>(
  run: ToolRun,
  given: string,
  open: () => Promise<T>,
  openArtifact: (artifact: ArtifactLocation) => Promise<A>,
): Promise<T | A> {
  try {
    return await open();
  } catch (error) {
    const elsewhere = error instanceof ToolFailure && (error.code === "NOT_FOUND" || error.code === "ACCESS_DENIED");
    const artifact = elsewhere ? await findArtifact(run, given) : undefined;
    if (artifact === undefined) throw error;
    return openArtifact(artifact);
  }
}
