import { useState } from "preact/hooks";
import type { OmittedLines, PreviewAnswer } from "../api.ts";
import { Coloured } from "./ansi.tsx";
import { readLines } from "./source.ts";
import { word } from "./words.ts";

interface PreviewPaneProps {
  readonly id: string;
  readonly preview: PreviewAnswer;
  readonly show: (line: number) => void;
  readonly waiting: boolean;
}

const OPENED_AT_ONCE = 200;

/** The text that the model saw, line by line; omissions can be expanded in place. */
export function PreviewPane({ id, preview, show, waiting }: PreviewPaneProps) {
  const rows = rowsOf(preview);
  return (
    <div class={waiting ? "scrolls code waiting" : "scrolls code"} tabIndex={0}>
      {rows.map(({ text, omission }, index) =>
        omission === undefined ? (
          <div class="line" key={index}>
            <Coloured text={text} />
          </div>
        ) : (
          <Omitted key={`${index} ${omission.startByte}`} id={id} text={text} omission={omission} show={show} />
        ),
      )}
      {preview.notice !== "" && <div class="notice">{preview.notice}</div>}
    </div>
  );
}

interface Row {
  readonly text: string;
  readonly omission?: OmittedLines;
}

/** Lines of a preview; a marker is known by the place that it names. */
function rowsOf({ text, omissions }: PreviewAnswer): readonly Row[] {
  let next = 0;
  return text.split("\n").map((line) => {
    // Lines of the output that look like a marker are quoted.
    if (line.startsWith("output> ") || !/(?:^|[\s[])…/.test(line) || next >= omissions.length) return { text: line };
    const numbers = (line.match(/\d[\d,]*/g) ?? []).map((digits) => Number(digits.replaceAll(",", "")));
    const at = omissions.findIndex(
      (each, index) =>
        index >= next &&
        ((numbers.includes(each.startLine) && numbers.includes(each.endLine)) ||
          (numbers.includes(each.startByte) && numbers.includes(each.endByte))),
    );
    const omission = omissions[at];
    if (omission === undefined) return { text: line };
    next = at + 1;
    return { text: line, omission };
  });
}

interface OmittedProps {
  readonly id: string;
  readonly text: string;
  readonly omission: OmittedLines;
  readonly show: (line: number) => void;
}

function Omitted({ id, text, omission, show }: OmittedProps) {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const total = Math.max(1, omission.endLine - omission.startLine + 1);
  const more = async () => {
    const from = omission.startLine + lines.length;
    const page = await readLines(id, from, Math.min(OPENED_AT_ONCE, total - lines.length));
    setLines([...lines, ...page.lines]);
  };
  const toggle = () => {
    if (!open && lines.length === 0) void more();
    setOpen(!open);
    show(omission.startLine);
  };
  return (
    <>
      <button type="button" class="omitted" aria-expanded={open} onClick={toggle} title={word(open ? "close" : "open")}>
        {text}
      </button>
      {open && (
        <div class="opened">
          {lines.map((line, index) => (
            <div class="line" key={index}>
              <Coloured text={line.slice(0, 4000)} />
            </div>
          ))}
          {lines.length < total && (
            <button type="button" onClick={() => void more()}>
              {word("open")} +{Math.min(OPENED_AT_ONCE, total - lines.length)}
            </button>
          )}
        </div>
      )}
    </>
  );
}
