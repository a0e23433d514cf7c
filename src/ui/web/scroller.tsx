import { forwardRef } from "preact/compat";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { remember } from "../../bytes/remember.ts";
import type { KeptLines } from "../api.ts";
import { Coloured } from "./ansi.tsx";
import { readLines } from "./source.ts";
import { count, word } from "./words.ts";

const PAGE = 200;
const REMEMBERED = 60;
const SETTLE_MS = 30;

/** Pages of an output's lines, loaded when they come into view and dropped when there are many. */
class LinePages {
  readonly #id: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Map<number, string>>();
  readonly #asked = new Set<number>();
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, changed: () => void) {
    this.#id = id;
    this.#changed = changed;
  }

  line(line: number): string | undefined {
    return this.#pages.get(Math.floor((line - 1) / PAGE))?.get(line);
  }

  /** Reports the visible lines; lines that are only scrolled past are not loaded. */
  want(from: number, length: number): void {
    const first = Math.floor((from - 1) / PAGE);
    const last = Math.floor((from + length - 2) / PAGE);
    const wanted: number[] = [];
    for (let page = first; page <= last; page++)
      if (!this.#pages.has(page) && !this.#asked.has(page)) wanted.push(page);
    if (wanted.length === 0) return;
    this.#wanted = wanted;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const page of this.#wanted) void this.#read(page);
    }, SETTLE_MS);
  }

  async #read(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    try {
      const lines = new Map<number, string>();
      const end = (page + 1) * PAGE;
      for (let at = page * PAGE + 1; at <= end; ) {
        const answer = await readLines(this.#id, at, end - at + 1);
        if (answer.lines.length === 0) break;
        for (const [index, text] of answer.lines.entries()) lines.set(answer.from + index, text);
        at = answer.from + answer.lines.length;
        if (at > answer.totalLines) break;
        this.#keep(page, lines);
      }
      this.#keep(page, lines);
    } finally {
      this.#asked.delete(page);
    }
  }

  #keep(page: number, lines: Map<number, string>): void {
    remember(this.#pages, page, lines, REMEMBERED);
    this.#changed();
  }
}

export interface ScrollerHandle {
  /** Brings a line into view and marks it. */
  show(line: number): void;
}

interface ScrollerProps {
  readonly id: string;
  readonly totalLines: number;
  readonly kept: readonly KeptLines[];
  readonly hits: readonly number[];
  readonly first: number;
}

const ROW = 18;
/** Browsers limit an element's height; beyond it, one step of the scroll bar covers several lines. */
const TALLEST = 8_000_000;
const LONGEST = 2000;

/** A virtual list of any length: only visible lines are rendered, and loaded as they appear. */
export const Scroller = forwardRef<ScrollerHandle, ScrollerProps>(function Scroller(
  { id, totalLines, kept, hits, first },
  handle,
) {
  const box = useRef<HTMLElement>(null);
  const [height, setHeight] = useState(600);
  const [top, setTop] = useState(0);
  const [marked, setMarked] = useState(0);
  const [, redraw] = useState(0);
  const pages = useMemo(() => new LinePages(id, () => redraw((drawn) => drawn + 1)), [id]);
  const inView = Math.ceil(height / ROW);
  const most = Math.max(0, totalLines - inView + 1);
  const tall = Math.min(TALLEST, totalLines * ROW);
  const scaled = totalLines * ROW > TALLEST;
  const settingTo = useRef(-1);

  const scrollTo = (line: number) => {
    const next = Math.max(0, Math.min(most, line));
    setTop(next);
    const element = box.current;
    if (element === null) return;
    const wanted = scaled ? (next / Math.max(1, most)) * (tall - height) : next * ROW;
    settingTo.current = Math.round(wanted);
    element.scrollTop = wanted;
  };
  useImperativeHandle(handle, () => ({
    show(line: number) {
      setMarked(line);
      scrollTo(line - 1 - Math.floor(inView / 3));
    },
  }));
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || first <= 1) return;
    begun.current = true;
    setMarked(first);
    scrollTo(first - 1 - Math.floor(inView / 3));
  }, [first, height]);

  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    if (Math.abs(element.scrollTop - settingTo.current) <= 1) return;
    settingTo.current = -1;
    const line = scaled ? (element.scrollTop / Math.max(1, tall - height)) * most : element.scrollTop / ROW;
    setTop(Math.max(0, Math.min(most, line)));
  };
  const onWheel = (event: WheelEvent) => {
    if (!scaled || event.ctrlKey) return;
    event.preventDefault();
    scrollTo(top + (event.deltaMode === 1 ? event.deltaY : event.deltaY / ROW));
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: inView - 2,
      PageUp: 2 - inView,
    };
    const step = steps[event.key];
    if (step !== undefined) scrollTo(Math.round(top) + step);
    else if (event.key === "Home") scrollTo(0);
    else if (event.key === "End") scrollTo(most);
    else return;
    event.preventDefault();
  };
  const from = Math.floor(top);
  const lines = Array.from({ length: Math.min(inView + 1, totalLines - from) }, (_, index) => from + index + 1);
  pages.want(from + 1, lines.length);
  const keptAt = useMemo(() => markerOf(kept), [kept]);
  const hitSet = useMemo(() => new Set(hits), [hits]);
  const digits = count(totalLines).length;
  const offset = box.current === null ? 0 : scaled ? box.current.scrollTop : from * ROW;
  return (
    <div class="scroller">
      <section
        ref={box}
        class="lines code"
        tabIndex={0}
        aria-label={`${word("whole")}, ${count(totalLines)} ${word("maxLines")}`}
        onScroll={onScroll}
        onWheel={onWheel}
        onKeyDown={onKey}
      >
        <div class="tall" style={{ height: `${tall}px` }}>
          <div class="window" style={{ transform: `translateY(${offset}px)` }}>
            {lines.map((line) => {
              const block = keptAt(line);
              const classes = ["line", block && "kept", hitSet.has(line) && "hit", line === marked && "marked"];
              const text = pages.line(line);
              return (
                <div key={line} class={classes.filter(Boolean).join(" ")} title={block?.reason}>
                  <span class="number" style={{ width: `${digits}ch` }}>
                    {count(line)}
                  </span>
                  <LongText text={text ?? ""} />
                  {block !== undefined && block.startLine === line && block.score > 0 && (
                    <span class="why">{block.reason}</span>
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </section>
      <Minimap
        totalLines={totalLines}
        kept={kept}
        hits={hits}
        top={from + 1}
        inView={inView}
        show={(line) => scrollTo(line - Math.floor(inView / 2))}
      />
    </div>
  );
});

/** A line of megabytes is drawn only as far as anyone asks. */
function LongText({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(LONGEST);
  if (text.length <= shown) return <Coloured text={text} />;
  return (
    <>
      <Coloured text={text.slice(0, shown)} />
      <button type="button" class="plain" onClick={() => setShown(Math.min(text.length, shown * 4))}>
        … {word("longLine")}
      </button>
    </>
  );
}

/** Tells of a line which kept block it is in; the blocks are in order. */
function markerOf(blocks: readonly KeptLines[]): (line: number) => KeptLines | undefined {
  return (line) => {
    let low = 0;
    let high = blocks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const block = blocks[middle] as KeptLines;
      if (line < block.startLine) high = middle - 1;
      else if (line > block.endLine) low = middle + 1;
      else return block;
    }
    return undefined;
  };
}

interface MinimapProps {
  readonly totalLines: number;
  readonly kept: readonly KeptLines[];
  readonly hits: readonly number[];
  readonly top: number;
  readonly inView: number;
  readonly show: (line: number) => void;
}

/** The whole output as a strip: kept lines, matches, and the current position. */
function Minimap({ totalLines, kept, hits, top, inView, show }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const scale = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = element;
    element.width = width * scale;
    element.height = height * scale;
    context.scale(scale, scale);
    const style = getComputedStyle(element);
    const at = (line: number) => ((line - 1) / Math.max(1, totalLines)) * height;
    const bar = (from: number, to: number, colour: string, inset: number) => {
      context.fillStyle = colour;
      context.fillRect(inset, at(from), width - 2 * inset, Math.max(2, at(to + 1) - at(from)));
    };
    context.clearRect(0, 0, width, height);
    for (const { startLine, endLine } of kept) bar(startLine, endLine, style.getPropertyValue("--kept"), 2);
    for (const line of hits) bar(line, line, style.getPropertyValue("--hit"), 8);
    context.strokeStyle = style.getPropertyValue("--ink");
    context.strokeRect(0.5, at(top) + 0.5, width - 1, Math.max(6, at(top + inView) - at(top)));
  });
  const click = (event: MouseEvent) => {
    const element = canvas.current;
    if (element === null) return;
    const { top: edge, height } = element.getBoundingClientRect();
    show(Math.round(((event.clientY - edge) / height) * totalLines));
  };
  return <canvas ref={canvas} class="minimap" role="img" aria-label={word("reasons")} onClick={click} />;
}
