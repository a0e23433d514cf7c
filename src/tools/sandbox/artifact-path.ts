import { constants } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ArtifactLocation, FoundArtifact } from "../../artifacts/types.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import type { SandboxedHandle } from "./sandbox.ts";

/** The artifact that a path or id names; undefined when it names none. */
export async function findArtifact(run: ToolRun, given: string): Promise<FoundArtifact | undefined> {
  return run.environment.spillway.store.find(given).catch(() => undefined);
}

/** Tries a path below the root first; when it is not there or not allowed, it may still name an artifact. */
export async function orArtifact<T, A>(
  run: ToolRun,
  given: string,
  openPath: () => Promise<T>,
  openArtifact: (artifact: ArtifactLocation) => Promise<A>,
): Promise<T | A> {
  try {
    return await openPath();
  } catch (error) {
    const elsewhere = error instanceof ToolFailure && (error.code === "NOT_FOUND" || error.code === "ACCESS_DENIED");
    const artifact = elsewhere ? await findArtifact(run, given) : undefined;
    if (artifact === undefined) throw error;
    return openArtifact(artifact);
  }
}

/**
 * Opens an artifact as a file. One of a local store may lie outside the root and is named by its id; of any other a copy
 * is created that nobody else can see and that disappears when it is closed.
 */
export async function openArtifactFile(run: ToolRun, artifact: ArtifactLocation): Promise<SandboxedHandle> {
  if (!path.isAbsolute(artifact.path)) return openCopy(run, artifact);
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(artifact.path, flags).catch((cause) => {
    throw new ToolFailure("NOT_FOUND", `The artifact ${artifact.id} is not a file here.`, {
      next: `Page through it with Read ${JSON.stringify({ path: artifact.id })}.`,
      cause,
    });
  });
  return { handle, stats: await handle.stat(), real: artifact.path, relative: artifact.id };
}

async function openCopy(run: ToolRun, { id, path: location }: ArtifactLocation): Promise<SandboxedHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), "spillway-copy-"));
  const handle = await open(path.join(folder, "artifact"), "wx+", 0o600);
  try {
    for await (const chunk of run.environment.spillway.store.read(id)) await handle.write(chunk);
    const stats = await handle.stat();
    return { handle, stats, real: location, relative: location };
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
