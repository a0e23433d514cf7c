import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { ArtifactLocation } from "../artifacts/types.ts";
import { ToolFailure } from "../protocol/tool-failure.ts";
import type { SandboxedHandle } from "./sandbox.ts";

/** Opens an artifact of a local store, which may lie outside the root; it is then named by its id. */
export async function openArtifactFile(artifact: ArtifactLocation): Promise<SandboxedHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(artifact.path, flags).catch((cause) => {
    throw new ToolFailure("NOT_FOUND", `The artifact ${artifact.id} is not a file here.`, {
      next: `Page through it with Read ${JSON.stringify({ path: artifact.id })}.`,
      cause,
    });
  });
  return { handle, stats: await handle.stat(), real: artifact.path, relative: artifact.id };
}
