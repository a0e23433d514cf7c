export {
  type ArtifactNameParts,
  artifactIdTime,
  createArtifactId,
  createArtifactName,
  isArtifactId,
  type ParsedArtifactName,
  parseArtifactName,
} from "./artifact-name.ts";
export { type ByteSource, createMemorySource, type FileSourceOptions, openFileSource } from "./byte-source.ts";
export type { LineIndex } from "./line-index.ts";
export { readLinesFrom, readTextRange, scanLineIndex, type TextAnswer } from "./read-lines.ts";
export { type GrepAnswer, type GrepMatch, type GrepOptions, grepSource } from "./search/grep-file.ts";
export { type Passage, type SearchOptions, searchSource } from "./search/search-passages.ts";
