import type { ArtifactWriter } from "../../src/artifacts/types.ts";

/** A writer that does what another does, but for some of its members. */
export function changedWriter(writer: ArtifactWriter, members: Partial<ArtifactWriter>): ArtifactWriter {
  const { id, name, path } = writer;
  return {
    id,
    name,
    path,
    write: (chunk) => writer.write(chunk),
    finish: (completion) => writer.finish(completion),
    discard: () => writer.discard(),
    ...members,
  };
}
