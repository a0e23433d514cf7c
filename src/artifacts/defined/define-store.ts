import { invalidArgument, SpillwayError } from "../../errors.ts";
import { checkOptions, kinds, type OptionChecks } from "../../limits/options.ts";
import { createArtifactId, createArtifactName, isArtifactId, parseArtifactName } from "../artifact-name.ts";
import { type ByteSource, readChunks } from "../byte-source.ts";
import { compareWithManifest, digestSource } from "../digest.ts";
import { hasToGo, QuotaKeeper, resolveKeeping } from "../keeping-rules.ts";
import { decodeLineIndex } from "../line-index.ts";
import { describeUnfinished, parseManifest } from "../manifest.ts";
import { STORE_CHECKS } from "../option-checks.ts";
import { readLinesFrom, scanLineIndex } from "../read-lines.ts";
import type {
  ArtifactLocation,
  ArtifactStore,
  ArtifactWriter,
  ByteRange,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  FoundArtifact,
  LinesAnswer,
  LinesRequest,
  Manifest,
  Verification,
} from "../types.ts";
import {
  ARTIFACTS,
  callKey,
  DefinedWriter,
  type KeptPieces,
  keepBy,
  keyOf,
  openPieces,
  PINS,
  pinKey,
  removePieces,
  type StoreFunctions,
} from "./defined-writer.ts";

export type { StoreFunctions };

const BEING_WRITTEN = "incomplete: it is being written";

export interface DefineStoreOptions {
  /** Begins the artifacts' addresses, such as `redis:tool_….txt`. @default "store" */
  readonly scheme?: string | undefined;
  /** Saved outputs older than this are removed. @default 7 */
  readonly retentionDays?: number | undefined;
  /** Most bytes of saved outputs; the oldest go first. @default no quota */
  readonly quotaBytes?: number | undefined;
  /** The clock that ids and retention follow, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

const FUNCTIONS = { put: kinds.call, get: kinds.call, list: kinds.call, remove: kinds.call };
const OPTIONS = { ...STORE_CHECKS, scheme: kinds.text } satisfies OptionChecks;

/** Makes an artifact store of four functions: pieces, manifest, line index, ranges and retention are seen to. */
export function defineStore(functions: StoreFunctions, options: DefineStoreOptions = {}): ArtifactStore {
  checkOptions(functions, FUNCTIONS, "defineStore()", { ownFields: true });
  const missing = Object.keys(FUNCTIONS).filter((name) => functions[name as keyof StoreFunctions] === undefined);
  if (missing.length > 0) throw invalidArgument(`defineStore() needs ${missing.join(", ")}.`);
  return new DefinedStore(keepBy(functions), checkOptions(options, OPTIONS, "defineStore()"));
}

interface Located extends ArtifactLocation {
  readonly manifest?: Manifest;
  /** Of an artifact that is being written. */
  readonly request?: CreateArtifact;
}

class DefinedStore implements ArtifactStore {
  readonly #keep: KeptPieces;
  readonly #options: DefineStoreOptions;
  /** Artifacts that this process is writing. */
  readonly #open = new Set<string>();
  readonly #quota: QuotaKeeper;

  constructor(keep: KeptPieces, options: DefineStoreOptions) {
    this.#keep = keep;
    this.#options = options;
    this.#quota = new QuotaKeeper(options.quotaBytes, () => this.cleanup({ automatic: true }));
  }

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    kinds.object(request, "The request for create()");
    const id = request.id ?? createArtifactId(this.#options.now?.());
    const name = createArtifactName({ ...request, id });
    this.#open.add(id);
    await this.#putJson(keyOf(id, "open"), request);
    if (request.callId !== undefined) await this.#keep.put(callKey(request.callId, id), new Uint8Array());
    const location = { id, name, path: this.#pathOf(name) };
    return new DefinedWriter(this.#keep, location, request, (bytes) => {
      this.#open.delete(id);
      this.#quota.add(bytes);
    });
  }

  async find(reference: string): Promise<FoundArtifact | undefined> {
    kinds.text(reference, "The id, path or call id for find()");
    const name = reference.startsWith(`${this.#scheme}:`) ? reference.slice(this.#scheme.length + 1) : reference;
    const id = isArtifactId(reference) ? reference : parseArtifactName(name)?.id;
    if (id !== undefined) {
      const found = await this.#locate(id);
      if (found !== undefined && [found.id, found.name, found.path].includes(reference)) return found;
    }
    return this.#findCall(reference);
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    for (const id of await this.#ids()) {
      const found = await this.#locate(id);
      if (found === undefined) continue;
      const { name, path, request, manifest } = found;
      const index = manifest ?? (await scanLineIndex(await this.#source(found)));
      yield { ...(manifest ?? describeUnfinished(name, request, index, BEING_WRITTEN)), path };
    }
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const source = await this.#source(await this.#require(id));
    for await (const chunk of readChunks(source, range?.startByte, range?.endByte)) yield new Uint8Array(chunk);
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    const source = await this.#source(await this.#require(id));
    const index = await this.#keep.get(keyOf(id, "index"));
    return readLinesFrom(source, (index && decodeLineIndex(index)) || (await scanLineIndex(source)), request);
  }

  async verify(id: string): Promise<Verification> {
    const found = await this.#require(id);
    if (found.manifest === undefined) return { ok: false, problem: BEING_WRITTEN };
    return compareWithManifest(found.manifest, await digestSource(await this.#source(found)));
  }

  async remove(id: string): Promise<boolean> {
    const found = isArtifactId(id) ? await this.#locate(id) : undefined;
    if (found === undefined) return false;
    const { callId } = found.manifest ?? found.request ?? {};
    if (callId !== undefined) await this.#keep.remove(callKey(callId, id));
    await removePieces(this.#keep, id);
    this.#open.delete(id);
    return true;
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    const rules = resolveKeeping(options, this.#options);
    const pinned = await this.#pinned();
    const manifests: Manifest[] = [];
    for await (const manifest of this.list()) manifests.push(manifest);
    let keptBytes = manifests.reduce((sum, { bytes }) => sum + bytes, 0);
    let freedBytes = 0;
    const removed: string[] = [];
    for (const { id, bytes } of manifests) {
      if (this.#open.has(id) || pinned.has(id)) continue;
      if (!hasToGo(rules, { id }, keptBytes)) continue;
      if (rules.dryRun !== true && !(await this.remove(id))) continue;
      removed.push(id);
      keptBytes -= bytes;
      freedBytes += bytes;
    }
    return { removed, freedBytes, keptBytes };
  }

  async pin(owner: string, ids: readonly string[]): Promise<void> {
    await this.#putJson(pinKey(owner), ids);
  }

  async unpin(owner: string): Promise<void> {
    await this.#keep.remove(pinKey(owner));
  }

  get #scheme(): string {
    return this.#options.scheme ?? "store";
  }

  #pathOf(name: string): string {
    return `${this.#scheme}:${name}`;
  }

  async #putJson(key: string, value: unknown): Promise<void> {
    await this.#keep.put(key, Buffer.from(JSON.stringify(value)));
  }

  /** All artifacts, oldest first. */
  async #ids(): Promise<readonly string[]> {
    const ids = new Set<string>();
    for await (const key of await this.#keep.list(ARTIFACTS)) ids.add(key.slice(ARTIFACTS.length).split("/", 1)[0]!);
    return [...ids].filter(isArtifactId).sort();
  }

  async #locate(id: string): Promise<Located | undefined> {
    const written = await this.#keep.get(keyOf(id, "manifest"));
    const manifest = written ? parseManifest(Buffer.from(written).toString()) : undefined;
    if (manifest !== undefined) {
      const { name } = manifest;
      return { id, name, path: this.#pathOf(name), manifest };
    }
    const opened = await this.#keep.get(keyOf(id, "open"));
    if (!opened) return undefined;
    const request = JSON.parse(Buffer.from(opened).toString()) as CreateArtifact;
    const name = createArtifactName({ ...request, id });
    return { id, name, path: this.#pathOf(name), request };
  }

  async #require(id: string): Promise<Located> {
    const found = isArtifactId(id) ? await this.#locate(id) : undefined;
    if (found === undefined) throw new SpillwayError("ARTIFACT_NOT_FOUND", `there is no artifact ${id}`);
    return found;
  }

  /** The newest artifact of a call; companions are used only if there is no main artifact. */
  async #findCall(callId: string): Promise<Located | undefined> {
    if (callId === "") return undefined;
    const prefix = callKey(callId, "");
    const ids: string[] = [];
    for await (const key of await this.#keep.list(prefix)) ids.push(key.slice(prefix.length));
    let beside: Located | undefined;
    for (const id of ids.sort().reverse()) {
      const found = await this.#locate(id);
      if (found === undefined) continue;
      if ((found.manifest ?? found.request)?.relatedTo === undefined) return found;
      beside ??= found;
    }
    return beside;
  }

  async #source({ id, manifest }: Located): Promise<ByteSource> {
    return openPieces(this.#keep, id, manifest?.bytes);
  }

  async #pinned(): Promise<ReadonlySet<string>> {
    const pinned = new Set<string>();
    for await (const key of await this.#keep.list(PINS)) {
      const bytes = await this.#keep.get(key);
      if (bytes) for (const id of JSON.parse(Buffer.from(bytes).toString()) as string[]) pinned.add(id);
    }
    return pinned;
  }
}
