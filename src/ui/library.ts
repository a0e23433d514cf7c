import { artifactIdTime } from "../artifacts/artifact-name.ts";
import { closing } from "../artifacts/byte-source.ts";
import { openArtifact } from "../artifacts/open-artifact.ts";
import type { ArtifactLocation, ArtifactStore, Manifest } from "../artifacts/types.ts";
import { SpillwayError } from "../errors.ts";
import type { TruncationRecord } from "../gate/records.ts";
import { roughTokens } from "../preview/measure.ts";
import type { OutputDetail, OutputList, OutputRow } from "./api.ts";
import { imageType } from "./image-type.ts";
import type { RecordLog } from "./record-log.ts";

/** A store and how to call it on the page. */
export interface NamedStore {
  readonly store: ArtifactStore;
  readonly label: string;
}

/** An artifact and where it is. */
export interface Found extends ArtifactLocation {
  readonly store: ArtifactStore;
  readonly manifest: Manifest | undefined;
}

/** Which outputs to list. */
export interface OutputFilter {
  readonly tool?: string | undefined;
  readonly surface?: string | undefined;
  readonly shape?: string | undefined;
  readonly outcome?: string | undefined;
  /** A part of the tool's name, the command, the call id or the artifact's id. */
  readonly text?: string | undefined;
  /** Only entries older than this time. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const SAMPLE_BYTES = 16;

/** All bounded outputs below a root: artifacts in the stores, and records. */
export class Library {
  readonly stores: readonly NamedStore[];
  readonly #log: RecordLog;

  constructor(stores: readonly NamedStore[], log: RecordLog) {
    this.stores = stores;
    this.#log = log;
  }

  async list(filter: OutputFilter): Promise<OutputList> {
    const rows = await this.#rows();
    const words = filter.text?.toLowerCase() ?? "";
    const chosen = rows.filter(
      (row) =>
        (filter.tool === undefined || row.tool === filter.tool) &&
        (filter.surface === undefined || row.surface === filter.surface) &&
        (filter.shape === undefined || row.shape === filter.shape) &&
        (filter.outcome === undefined || row.outcome === filter.outcome) &&
        (filter.before === undefined || row.at < filter.before) &&
        `${row.tool} ${row.command ?? ""} ${row.callId ?? ""} ${row.id ?? ""}`.toLowerCase().includes(words),
    );
    const values = (key: "tool" | "surface" | "shape") => [...new Set(rows.flatMap((row) => row[key] ?? []))].sort();
    return {
      total: chosen.length,
      outputs: chosen.slice(0, filter.limit),
      tools: values("tool"),
      surfaces: values("surface"),
      shapes: values("shape"),
    };
  }

  /** Every artifact, oldest first. */
  async *artifacts(): AsyncIterable<Manifest & { readonly path: string; readonly store: ArtifactStore }> {
    for (const { store } of this.stores) for await (const row of store.list()) yield { ...row, store };
  }

  async find(id: string): Promise<Found> {
    for (const { store } of this.stores) {
      const found = await store.find(id);
      if (found !== undefined) return { ...found, manifest: found.manifest, store };
    }
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `There is no artifact ${JSON.stringify(id)}.`);
  }

  async detail(id: string): Promise<OutputDetail> {
    const found = await this.find(id);
    const { manifest } = found;
    const record = this.recordOf(found.id);
    const row =
      record !== undefined
        ? rowOf(record, manifest)
        : manifest !== undefined
          ? rowOfManifest(manifest)
          : await this.#rowOfUnfinished(found);
    const image = imageType(await readStart(found, SAMPLE_BYTES));
    return {
      row,
      path: found.path,
      name: found.name,
      sha256: manifest?.sha256 ?? "",
      ...(manifest?.shown === undefined ? {} : { shown: manifest.shown }),
      ...(image === undefined ? {} : { image }),
    };
  }

  /** The record of how the output was shown. */
  recordOf(id: string): TruncationRecord | undefined {
    return this.#log.records.findLast((each) => each.id === id);
  }

  async #rows(): Promise<readonly OutputRow[]> {
    await this.#log.refresh();
    const manifests = new Map<string, Manifest>();
    for await (const { store: _, path: __, ...manifest } of this.artifacts()) manifests.set(manifest.id, manifest);
    const recorded = new Set<string>();
    const rows = this.#log.records.map((record) => {
      if (record.id !== undefined) recorded.add(record.id);
      return rowOf(record, record.id === undefined ? undefined : manifests.get(record.id));
    });
    for (const manifest of manifests.values()) if (!recorded.has(manifest.id)) rows.push(rowOfManifest(manifest));
    return rows.sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : 0));
  }

  async #rowOfUnfinished(found: Found): Promise<OutputRow> {
    for await (const row of found.store.list()) if (row.id === found.id) return rowOfManifest(row);
    return {
      id: found.id,
      at: new Date(artifactIdTime(found.id)).toISOString(),
      surface: "sdk",
      tool: "tool",
      ...NONE,
    };
  }
}

const NONE = { lines: 0, bytes: 0, tokens: 0 };

/** A record as a row; outputs no longer in the store cannot be opened. */
export function rowOf(record: TruncationRecord, manifest: Manifest | undefined): OutputRow {
  const gone = manifest === undefined && record.id !== undefined ? "no longer in the store" : undefined;
  const trouble = record.lost ?? manifest?.reason ?? gone;
  return {
    ...(record.id === undefined || gone !== undefined ? {} : { id: record.id }),
    at: record.at,
    surface: record.surface,
    tool: record.tool,
    ...(record.callId === undefined ? {} : { callId: record.callId }),
    ...(manifest?.command === undefined ? {} : { command: manifest.command }),
    lines: record.before.lines,
    bytes: record.before.bytes,
    tokens: record.before.tokens,
    shown: record.after,
    ...(record.shape === undefined ? {} : { shape: record.shape }),
    strategy: record.strategy,
    ...(record.outcome === undefined ? {} : { outcome: record.outcome }),
    ...(trouble === undefined ? {} : { trouble }),
    ...(record.redacted === undefined ? {} : { redacted: record.redacted }),
  };
}

function rowOfManifest(manifest: Manifest): OutputRow {
  const shown = manifest.shown as { surface?: string; strategy?: string; outcome?: { kind?: string } } | undefined;
  const { id, tool, callId, command, createdAt, lines, bytes, reason, redacted } = manifest;
  return {
    id,
    at: createdAt,
    surface: shown?.surface ?? "sdk",
    tool,
    ...(callId === undefined ? {} : { callId }),
    ...(command === undefined ? {} : { command }),
    lines,
    bytes,
    tokens: roughTokens({ chars: bytes, bytes }),
    ...(shown?.strategy === undefined ? {} : { strategy: shown.strategy }),
    ...(shown?.outcome?.kind === undefined ? {} : { outcome: shown.outcome.kind }),
    ...(reason === undefined ? {} : { trouble: reason }),
    ...(redacted === undefined ? {} : { redacted }),
  };
}

/** The first bytes of an artifact. */
export async function readStart({ store, id }: Pick<Found, "store" | "id">, bytes: number): Promise<Uint8Array> {
  return closing(await openArtifact(store, id), (source) => source.read(0, bytes));
}
