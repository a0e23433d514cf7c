import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { addressOf, exported, readText } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { word } from "./words.ts";

/** Beyond it a text is not shown in another form than as lines. */
const LARGEST = 4 * 1024 * 1024;
const MOST_ROWS = 1000;

/** The views available for a shape, the text first. */
export function viewsFor(shape: string | undefined, image: string | undefined, bytes: number): readonly string[] {
  if (image !== undefined && exported === undefined) return ["text", "image"];
  if (bytes > LARGEST) return ["text"];
  if (shape === "json" || shape === "ndjson") return ["text", "json"];
  if (shape === "diff") return ["text", "diff"];
  if (shape === "csv" || shape === "table") return ["text", "table"];
  if (shape === "prose" || shape === "markdown") return ["text", "markdown"];
  return ["text"];
}

/** An output in another form than as lines. Foreign text only ever becomes text of the page, never part of its code. */
export function ShapeView({ id, view, bytes }: { readonly id: string; readonly view: string; readonly bytes: number }) {
  const text = useAnswer(`${id} ${view}`, () => (view === "image" ? Promise.resolve("") : readText(id)));
  if (text.error) return <p class="error">{text.error}</p>;
  if (text.value === undefined) return <p class="quiet">{word("reading")}</p>;
  return (
    <div class="scrolls" tabIndex={0}>
      {view === "image" && <img src={addressOf(`outputs/${encodeURIComponent(id)}/image`)} alt={`${bytes} bytes`} />}
      {view === "json" && <JsonView text={text.value} />}
      {view === "diff" && <DiffView text={text.value} />}
      {view === "table" && <TableView text={text.value} />}
      {view === "markdown" && <MarkdownView text={text.value} />}
    </div>
  );
}

function JsonView({ text }: { readonly text: string }) {
  const parse = (): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text.split("\n").flatMap((line) => {
        try {
          return line.trim() === "" ? [] : [JSON.parse(line) as unknown];
        } catch {
          return [line];
        }
      });
    }
  };
  const [value] = useState(parse);
  return <JsonNode name="" value={value} open />;
}

interface JsonNodeProps {
  readonly name: string;
  readonly value: unknown;
  readonly open?: boolean;
}

function JsonNode({ name, value, open: opened = false }: JsonNodeProps) {
  const [open, setOpen] = useState(opened);
  const [shown, setShown] = useState(100);
  const label = name === "" ? "" : `${name}: `;
  if (typeof value !== "object" || value === null) {
    return (
      <div class="json-leaf">
        {label}
        <span class={`json-${typeof value}`}>{JSON.stringify(value)?.slice(0, 2000)}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <div class="json-node">
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "▾" : "▸"} {label}
        <span class="quiet">{size}</span>
      </button>
      {open && (
        <div class="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <JsonNode key={key} name={key} value={child} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown * 4)}>
              +{entries.length - shown}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function DiffView({ text }: { readonly text: string }) {
  const kind = (line: string) => {
    if (/^(diff |index |--- |\+\+\+ )/.test(line)) return "diff-file";
    if (line.startsWith("@@")) return "diff-hunk";
    return line.startsWith("+") ? "diff-added" : line.startsWith("-") ? "diff-removed" : "";
  };
  return (
    <div class="code">
      {text
        .split("\n")
        .slice(0, 20_000)
        .map((line, index) => (
          <div key={index} class={`line ${kind(line)}`}>
            {line.slice(0, 2000)}
          </div>
        ))}
    </div>
  );
}

function TableView({ text }: { readonly text: string }) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const mark = ["\t", ";", ",", "|"].find((each) => (lines[0]?.split(each).length ?? 0) > 1);
  const cells = lines
    .slice(0, MOST_ROWS + 1)
    .map((line) => (mark === undefined ? line.trim().split(/\s{2,}/) : splitRow(line, mark)));
  const [head = [], ...rows] = cells;
  return (
    <table class="list">
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th scope="col" key={index}>
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{cell.slice(0, 300)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Cells of a row; quotes hold a cell together. */
function splitRow(line: string, mark: string): readonly string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (char === mark && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += char;
  }
  return [...cells, cell];
}

/** Headings, lists, code and emphasis; no links and no HTML, since the text is foreign. */
function MarkdownView({ text }: { readonly text: string }) {
  const blocks: ComponentChildren[] = [];
  let fenced: string[] | undefined;
  for (const [index, line] of text.split("\n").slice(0, 20_000).entries()) {
    if (/^\s*```/.test(line)) {
      if (fenced === undefined) fenced = [];
      else {
        blocks.push(<pre key={index}>{fenced.join("\n")}</pre>);
        fenced = undefined;
      }
    } else if (fenced !== undefined) fenced.push(line);
    else blocks.push(markdownLine(line, index));
  }
  if (fenced !== undefined) blocks.push(<pre key="last">{fenced.join("\n")}</pre>);
  return <div class="markdown">{blocks}</div>;
}

function markdownLine(line: string, key: number): ComponentChildren {
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) {
    const text = inline(heading[2] ?? "");
    return heading[1]?.length === 1 ? (
      <h2 key={key}>{text}</h2>
    ) : heading[1]?.length === 2 ? (
      <h3 key={key}>{text}</h3>
    ) : (
      <h4 key={key}>{text}</h4>
    );
  }
  const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
  if (item !== null)
    return (
      <div key={key} class="item" style={{ marginLeft: `${(item[1]?.length ?? 0) + 2}ch` }}>
        {inline(item[2] ?? "")}
      </div>
    );
  return line.trim() === "" ? null : <p key={key}>{inline(line)}</p>;
}

function inline(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (part.startsWith("`") && part.endsWith("`") && part.length > 2)
      return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**") && part.endsWith("**") && part.length > 4)
      return <strong key={index}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
