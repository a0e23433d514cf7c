export {
  ARTIFACT_DIR as AGENTS_DIR,
  RETENTION_DAYS as DEFAULT_RETENTION_DAYS,
  TRUNCATE_DIR,
} from "../limits/defaults.ts";
export { artifactIdTime, createArtifactId, isArtifactId } from "./artifact-id.ts";
export { createArtifactName, type ParsedArtifactName, parseArtifactName } from "./artifact-name.ts";
export { type ByteSource, createMemorySource, openFileSource } from "./byte-source.ts";
export { cleanupOnce } from "./cleanup-once.ts";
export {
  createLocalStore,
  type LocalStore,
  type LocalStoreOptions,
} from "./local/local-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { type FoundArtifact, findInStores, openStores } from "./open-stores.ts";
export { readLinesFrom, readTextRange, scanLineIndex, type TextAnswer } from "./read-lines.ts";
export { type Conclusion, concludeFromPassages, type Evidence } from "./search/conclude.ts";
export { type GrepAnswer, type GrepMatch, type GrepOptions, grepFile, grepSource } from "./search/grep-file.ts";
export { type Passage, type SearchOptions, searchPassages, searchSource } from "./search/search-passages.ts";
export type * from "./types.ts";
