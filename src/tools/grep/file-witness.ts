import { closeSync, readSync } from "node:fs";
import { openBelow } from "../sandbox/open-below.ts";

/** ripgrep reads files that begin so in another encoding, so that its offsets are not those of the file. */
const BYTE_ORDER_MARK = /^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/;

/**
 * Says whether what a searcher found in a file stands in the file of that name below the root. The searcher goes by paths,
 * so that a link which is swapped in for a directory makes it read, and show, another file.
 */
export class FileWitness {
  readonly #root: string;
  readonly #locate: (file: string) => string;
  #fd: number | undefined;

  constructor(root: string, locate: (file: string) => string) {
    this.#root = root;
    this.#locate = locate;
  }

  /** A descriptor of the file below the root, to be closed; undefined when there is none. */
  open(file: string): number | undefined {
    return openBelow(this.#locate(file), this.#root);
  }

  /** Turns to a file; false when nothing can be said of it. */
  begin(file: string): boolean {
    this.end();
    this.#fd = this.open(file);
    if (this.#fd === undefined) return false;
    return !BYTE_ORDER_MARK.test(this.#read(0, 3).toString("latin1"));
  }

  /** True when the file has these bytes there. */
  confirms(offset: number, bytes: Buffer): boolean {
    return this.#read(offset, bytes.length).equals(bytes);
  }

  end(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    if (this.#fd === undefined) return buffer.subarray(0, 0);
    return buffer.subarray(0, readSync(this.#fd, buffer, 0, length, offset));
  }
}
