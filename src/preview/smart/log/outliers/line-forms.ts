import { FRAME } from "../continuation.ts";
import type { Candidate, Row } from "../row.ts";
import { FACTOR, hashOf, isShortName, isTime, isUnit, numberOf, SEED, tokenEnd } from "./token.ts";
import { FEWEST_ROWS, type Outlier, ValueTrack } from "./value-track.ts";

/** How much of a row is read. */
const MOST_BYTES = 1024;
const MOST_TOKENS = 96;
const MOST_FORMS = 128;
/** A form is made of the second line with its separators and keys, as far as so many of these can be remembered. */
const MOST_SEEN = 4096;
/** A row is of a form when it has this share of the words that the form's rows have in common. */
const ALIKE = 0.5;
/** Where so large a share of a window's rows is of no known form, the next rows are not read, each time more of them. */
const WINDOW_ROWS = 64;
const UNKNOWN_SHARE = 0.3;
const LEAST_PAUSE = 192;
const MOST_PAUSE = 3072;
/** Rows held as possible outliers; where there are more, lines differ too much to be of forms. */
const MOST_HELD_ROWS = 8192;
/** Outliers are worth less than what is surely wrong, and more than mere words of trouble and the output's end. */
const VALUE = 74;
const FADE = 0.4;
const MOST_SHOWN = 12;

const BLANK = 32;
const NONE = -1;
const QUOTE = 34;
const COLON = 58;
const EQUALS = 61;

/** Lines with the same separators and keys, and mostly the same words. Its first row stands for those that do not differ. */
interface Form {
  readonly row: Row;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  /** 1 for a token without a digit. */
  readonly words: Uint8Array;
  /** For each token what stood there; undefined while it was always that of the first row. */
  readonly tracks: (ValueTrack | undefined)[];
  /** Tokens with a track, in order, and how long each was last. */
  varying: Int32Array;
  lengths: Int32Array;
  count: number;
  /** The form that came after this one last. */
  next: Form | undefined;
}

/** Tokens of the row that is being read. */
const rowStarts = new Int32Array(MOST_TOKENS);
const rowEnds = new Int32Array(MOST_TOKENS);
const rowHashes = new Int32Array(MOST_TOKENS);
const rowWords = new Uint8Array(MOST_TOKENS);
const rowNumbers = new Float64Array(MOST_TOKENS);

/**
 * Finds rows that differ from others of their form at one position, by a value that is rare or out of range. A form is a
 * line with its values masked. Most rows are only compared with the first one of their form.
 */
export class LineForms {
  readonly #forms = new Map<number, Form[]>();
  readonly #seen = new Set<number>();
  #size = 0;
  #watching = true;
  #latest: Form | undefined;
  #window = 0;
  #unknown = 0;
  #pause = 0;
  #nextPause = LEAST_PAUSE;
  #heldRows = 0;
  /** The row that is being read, once it is to be held. */
  #row: Row | undefined;
  readonly #holdRow: () => Row;
  /** What rows are read from. */
  #bytes: Uint8Array = new Uint8Array();
  #view = viewOf(this.#bytes);
  #tokens = 0;

  /** `readRow` reads the row that is being added. */
  constructor(readRow: () => Row) {
    this.#holdRow = () => {
      if (this.#row === undefined) {
        this.#row = readRow();
        this.#heldRows++;
      }
      return this.#row;
    };
  }

  /** False once no further row need be told. */
  get watching(): boolean {
    return this.#watching;
  }

  /** Takes the row that stands in these bytes. */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#pause > 0) {
      this.#pause--;
      return;
    }
    let first = start;
    let last = Math.min(end, start + MOST_BYTES);
    while (first < last && (bytes[first] as number) <= BLANK) first++;
    while (first < last && (bytes[last - 1] as number) <= BLANK) last--;
    if (first === last) return;
    this.#row = undefined;
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = viewOf(bytes);
    }
    const before = this.#latest;
    const guess = before?.next ?? before;
    if (guess !== undefined && this.#matches(guess, first, last)) this.#takeVarying(guess);
    else if (before !== undefined && before !== guess && this.#matches(before, first, last)) this.#takeVarying(before);
    else this.#find(bytes, first, last);
    if (before !== undefined) before.next = this.#latest;
    if (++this.#window === WINDOW_ROWS) this.#review();
  }

  /** The rows that stand out most; to be asked after the last row. */
  candidates(): readonly Candidate[] {
    const rarest = new Map<number, Outlier>();
    const take = (outlier: Outlier): void => {
      const { byte, text } = outlier.row;
      const known = rarest.get(byte)?.count ?? Number.POSITIVE_INFINITY;
      if (outlier.count < known && !FRAME.test(text)) rarest.set(byte, outlier);
    };
    for (const forms of this.#forms.values())
      for (const { count, tracks } of forms)
        if (count >= FEWEST_ROWS) for (const track of tracks) track?.outliers().forEach(take);
    return [...rarest.values()]
      .sort((a, b) => a.count - b.count || a.row.byte - b.row.byte)
      .slice(0, MOST_SHOWN)
      .map(({ row }, index) => ({ row, value: VALUE - FADE * index, reason: "rare value" }));
  }

  #review(): void {
    if (this.#unknown > UNKNOWN_SHARE * WINDOW_ROWS) {
      this.#pause = this.#nextPause;
      this.#nextPause = Math.min(MOST_PAUSE, 2 * this.#nextPause);
      this.#latest = undefined;
    } else this.#nextPause = LEAST_PAUSE;
    this.#unknown = 0;
    this.#window = 0;
    if (this.#heldRows > MOST_HELD_ROWS) this.#release();
  }

  /** True for a row that is as the first of a form but for tokens that vary; notes what those are. */
  #matches(form: Form, start: number, end: number): boolean {
    const { bytes: first, view: firstView, varying, lengths, starts, ends, tracks } = form;
    const bytes = this.#bytes;
    const view = this.#view;
    const count = varying.length;
    let at = start;
    let from = 0;
    for (let index = 0; index <= count; index++) {
      const token = index < count ? (varying[index] as number) : -1;
      const to = token < 0 ? first.length : (starts[token] as number);
      const length = to - from;
      if (at + length <= end && isSame(firstView, from, view, at, length)) {
        from = to;
        at += length;
      }
      while (from < to) {
        const byte = first[from] as number;
        const other = at < end ? (bytes[at] as number) : 0;
        if (byte === other) {
          from++;
          at++;
        } else if (other === BLANK && at > start && bytes[at - 1] === BLANK) at++;
        else if (byte === BLANK && from > 0 && first[from - 1] === BLANK) from++;
        else return false;
      }
      if (token < 0) break;
      while (bytes[at] === BLANK && at < end) at++;
      const track = tracks[token] as ValueTrack;
      from = ends[token] as number;
      if (at >= end) return false;
      // What follows the token in the first row ends it here too.
      const separator = from < first.length ? (first[from] as number) : NONE;
      const begin = at;
      const quoted = bytes[at] === QUOTE ? tokenEnd(bytes, at, end) : at;
      if (track.dropped) {
        // Most times and ids are as long as the one before.
        const after = at + (lengths[index] as number);
        if (after <= end && (after === end ? NONE : bytes[after]) === separator) at = after;
        else for (at = quoted; at < end && bytes[at] !== separator; ) at++;
      } else if (track.numeric) {
        let number = 0;
        for (let byte = bytes[at] as number; at < end && byte >= 48 && byte <= 57; byte = bytes[++at] as number)
          number = 10 * number + (byte - 48);
        if (at < end && bytes[at] !== separator) {
          while (at < end && bytes[at] !== separator) at++;
          number = numberOf(bytes, begin, at);
        }
        rowNumbers[index] = number;
      } else {
        let hash = hashOf(bytes, begin, quoted);
        at = quoted;
        for (let byte = bytes[at] as number; at < end && byte !== separator; byte = bytes[++at] as number)
          hash = Math.imul(hash ^ byte, FACTOR);
        rowHashes[index] = hash;
        rowStarts[index] = begin;
      }
      if (at === begin) return false;
      lengths[index] = at - begin;
    }
    return at === end;
  }

  /** Takes the values that `#matches` noted of a row of a form. */
  #takeVarying(form: Form): void {
    const { varying, tracks, lengths } = form;
    for (let index = 0; index < varying.length; index++) {
      const track = tracks[varying[index] as number] as ValueTrack;
      if (track.dropped) continue;
      if (track.numeric) track.addNumber(rowNumbers[index] as number, this.#holdRow);
      else {
        const hash = rowHashes[index] as number;
        if (track.count(hash, this.#holdRow)) continue;
        const start = rowStarts[index] as number;
        track.add(hash, numberOf(this.#bytes, start, start + (lengths[index] as number)), this.#holdRow);
      }
    }
    form.count++;
    this.#latest = form;
  }

  /** Reads a row token by token and gives it to the form that it is most like, or makes it the first of one. */
  #find(bytes: Uint8Array, start: number, end: number): void {
    const skeleton = this.#read(bytes, start, end);
    const others = this.#forms.get(skeleton);
    const form = others?.find((other) => this.#isAlike(other));
    if (form !== undefined) {
      this.#latest = form;
      this.#compare(form, bytes);
      form.count++;
      return;
    }
    this.#unknown++;
    if (this.#seen.size < MOST_SEEN && !this.#seen.has(skeleton)) {
      this.#seen.add(skeleton);
      return;
    }
    if (this.#size >= MOST_FORMS && !this.#forgetRare()) return;
    const made = this.#makeForm(bytes, start, end);
    this.#forms.set(skeleton, [...(this.#forms.get(skeleton) ?? []), made]);
    this.#size++;
    this.#latest = made;
  }

  /** Notes the tokens of a row; gives a hash of what stands between them and of the keys. */
  #read(bytes: Uint8Array, start: number, end: number): number {
    let skeleton = SEED;
    let tokens = 0;
    for (let at = start; at < end && tokens < MOST_TOKENS; ) {
      const byte = bytes[at] as number;
      const after = tokenEnd(bytes, at, end);
      if (after === at) {
        // Columns are padded.
        if (byte !== BLANK || bytes[at - 1] !== BLANK) skeleton = Math.imul(skeleton ^ byte, FACTOR);
        at++;
        continue;
      }
      let hash = SEED;
      let word = true;
      for (let index = at; index < after; index++) {
        const sign = bytes[index] as number;
        if (sign >= 48 && sign <= 57) word = false;
        hash = Math.imul(hash ^ sign, FACTOR);
      }
      rowStarts[tokens] = at;
      rowEnds[tokens] = after;
      rowHashes[tokens] = hash;
      const next = after < end ? (bytes[after] as number) : 0;
      rowWords[tokens] = word ? 1 : 0;
      const key = word && (next === COLON || next === EQUALS);
      skeleton = Math.imul(skeleton ^ (key ? hash : 1), FACTOR);
      tokens++;
      at = after;
    }
    this.#tokens = tokens;
    return skeleton;
  }

  /** Whether the row that was read has the words of a form, as far as that has any. */
  #isAlike({ hashes, words: isWord, tracks }: Form): boolean {
    let words = 0;
    let alike = 0;
    for (let token = 0; token < hashes.length; token++) {
      const track = tracks[token];
      if (track?.dropped === true || isWord[token] === 0) continue;
      words++;
      const hash = rowHashes[token] as number;
      if (hash === hashes[token] || track?.knows(hash) === true) alike++;
    }
    return alike >= ALIKE * words;
  }

  /** Takes all values of the row that was read, of which some may vary for the first time. */
  #compare(form: Form, bytes: Uint8Array): void {
    const { hashes, tracks, starts, ends } = form;
    let changed = false;
    for (let token = 0; token < hashes.length; token++) {
      const start = rowStarts[token] as number;
      const end = rowEnds[token] as number;
      let track = tracks[token];
      if (track === undefined) {
        if (rowHashes[token] === hashes[token]) continue;
        track = new ValueTrack();
        tracks[token] = track;
        changed = true;
        const [from, to] = [starts[token] as number, ends[token] as number];
        const day = token > 0 && isShortName(form.bytes, starts[token - 1] as number, ends[token - 1] as number);
        if (isUnit(form.bytes, from, to)) {
          // The number before it means another size each time.
          const size = tracks[token - 1] ?? new ValueTrack();
          if (token > 0) tracks[token - 1] = size;
          size.drop();
          track.drop();
        } else if (day || isTime(form.bytes, from, to)) track.drop();
        else track.addFirst(hashes[token] as number, numberOf(form.bytes, from, to), form.count, form.row);
      }
      if (track.dropped) continue;
      const hash = rowHashes[token] as number;
      if (track.numeric) track.addNumber(numberOf(bytes, start, end), this.#holdRow);
      else if (!track.count(hash, this.#holdRow)) track.add(hash, numberOf(bytes, start, end), this.#holdRow);
    }
    if (!changed) return;
    form.varying = Int32Array.from([...tracks.keys()].filter((token) => tracks[token] !== undefined));
    form.lengths = new Int32Array(form.varying.length);
  }

  #makeForm(bytes: Uint8Array, start: number, end: number): Form {
    const tokens = this.#tokens;
    const copy = bytes.slice(start, end);
    return {
      row: this.#holdRow(),
      bytes: copy,
      view: viewOf(copy),
      starts: rowStarts.slice(0, tokens).map((at) => at - start),
      ends: rowEnds.slice(0, tokens).map((at) => at - start),
      hashes: rowHashes.slice(0, tokens),
      words: rowWords.slice(0, tokens),
      tracks: new Array<ValueTrack | undefined>(tokens).fill(undefined),
      varying: new Int32Array(0),
      lengths: new Int32Array(0),
      count: 1,
      next: undefined,
    };
  }

  /** Lets go of rows with usual values; forgets all where too many are left. */
  #release(): void {
    const forms = [...this.#forms.values()].flat();
    this.#heldRows = forms.length;
    for (const { tracks } of forms) for (const track of tracks) this.#heldRows += track?.release() ?? 0;
    if (2 * this.#heldRows < MOST_HELD_ROWS) return;
    this.#forms.clear();
    this.#watching = false;
  }

  /** Makes room for new forms; false when all are in use. */
  #forgetRare(): boolean {
    let size = 0;
    for (const [skeleton, forms] of this.#forms) {
      const kept = forms.filter(({ count }) => count > 2);
      size += kept.length;
      for (const form of kept) form.next = undefined;
      if (kept.length > 0) this.#forms.set(skeleton, kept);
      else this.#forms.delete(skeleton);
    }
    this.#heldRows -= this.#size - size;
    this.#size = size;
    return size < MOST_FORMS;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isSame(a: DataView, from: number, b: DataView, at: number, length: number): boolean {
  let index = 0;
  for (; index + 4 <= length; index += 4)
    if (a.getInt32(from + index, true) !== b.getInt32(at + index, true)) return false;
  for (; index < length; index++) if (a.getUint8(from + index) !== b.getUint8(at + index)) return false;
  return true;
}
