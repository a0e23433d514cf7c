import { forwardRef } from "preact/compat";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { KeptLines } from "../api.ts";
import { Coloured } from "./ansi.tsx";
import { count } from "./format.ts";
import { LinePages } from "./line-pages.ts";
import { Minimap } from "./minimap.tsx";
import { word } from "./words.ts";

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
/** Browsers cut taller elements; beyond it one step of the scroll bar stands for several lines. */
const TALLEST = 8_000_000;
const LONGEST = 2000;

/** Any number of lines: only those in view are there, read as they come into it. */
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
