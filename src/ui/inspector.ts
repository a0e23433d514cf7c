import { remember } from "../bytes/remember.ts";
import type { PreviewAnswer } from "./api.ts";
import type { Housekeeping } from "./health.ts";
import { Library, type NamedStore } from "./library.ts";
import { RecordLog } from "./record-log.ts";
import { type ReplayOptions, replay } from "./replay.ts";
import type { SessionSource } from "./sessions.ts";

export interface InspectorOptions {
  readonly root: string;
  readonly stores: readonly NamedStore[];
  readonly rules: Housekeeping;
  readonly sessions: SessionSource;
  /** Lets the page remove artifacts. @default false */
  readonly writable?: boolean | undefined;
}

const REMEMBERED = 24;

/** Data sources below a root. */
export class Inspector {
  readonly root: string;
  readonly rules: Housekeeping;
  readonly writable: boolean;
  readonly sessions: SessionSource;
  readonly log: RecordLog;
  readonly library: Library;
  /** Previews that were made, since a large output takes seconds. */
  readonly #previews = new Map<string, Promise<PreviewAnswer>>();

  constructor(options: InspectorOptions) {
    this.root = options.root;
    this.rules = options.rules;
    this.sessions = options.sessions;
    this.writable = options.writable === true;
    this.log = new RecordLog(options.root);
    this.library = new Library(options.stores, this.log);
  }

  /** An output's preview as it was shown, or with other options. */
  async preview(id: string, options: ReplayOptions): Promise<PreviewAnswer> {
    const found = await this.library.find(id);
    const key = JSON.stringify([found.id, found.manifest?.bytes, options]);
    const known = this.#previews.get(key);
    if (known !== undefined) return known;
    const made = replay(found, options, this.library.recordOf(found.id)?.after.bytes);
    remember(this.#previews, key, made, REMEMBERED);
    made.catch(() => this.#previews.delete(key));
    return made;
  }
}
