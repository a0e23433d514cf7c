export { type DefineStoreOptions, defineStore, type StoreFunctions } from "./defined/define-store.ts";
export { createLocalStore, type LocalStore, type LocalStoreOptions } from "./local/local-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export {
  type AnsweredQuery,
  type ColumnInfo,
  type QueryAnswer,
  type QueryOptions,
  queryArtifact,
  type SqlValue,
  type TableInfo,
  type TablesInfo,
} from "./query/query-artifact.ts";
export { type GrepAnswer, type GrepMatch, type GrepOptions, grepFile } from "./search/grep-file.ts";
export { type Passage, type SearchOptions, searchPassages } from "./search/search-passages.ts";
export type {
  ArtifactLocation,
  ArtifactStore,
  ArtifactWriter,
  ByteRange,
  CleanupOptions,
  CleanupReport,
  Completion,
  CreateArtifact,
  FinishedArtifact,
  LinesAnswer,
  LinesRequest,
  Manifest,
  Verification,
} from "./types.ts";
