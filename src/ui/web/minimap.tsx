import { useEffect, useRef } from "preact/hooks";
import type { KeptLines } from "../api.ts";
import { word } from "./words.ts";

interface MinimapProps {
  readonly totalLines: number;
  readonly kept: readonly KeptLines[];
  readonly hits: readonly number[];
  readonly top: number;
  readonly inView: number;
  readonly show: (line: number) => void;
}

/** The whole output as one strip: what was kept, what was found, where one is. */
export function Minimap({ totalLines, kept, hits, top, inView, show }: MinimapProps) {
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
