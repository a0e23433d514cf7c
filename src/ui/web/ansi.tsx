const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Control characters, and those that turn the order of letters around. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

interface Run {
  readonly text: string;
  readonly style: string;
}

/** A line with its terminal colours; every other control character becomes visible. */
export function Coloured({ text }: { readonly text: string }) {
  if (!HIDDEN.test(text)) return <>{text}</>;
  return (
    <>
      {runsOf(text).map((run, index) =>
        run.style === "" ? (
          run.text
        ) : (
          <span key={index} class={run.style}>
            {run.text}
          </span>
        ),
      )}
    </>
  );
}

const CODES = /\u001b\[([0-9;]*)m|\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  const shown = text.includes("\r") ? (text.replace(/\r+$/, "").split("\r").at(-1) ?? "") : text;
  let style = "";
  let at = 0;
  for (const match of shown.matchAll(CODES)) {
    push(runs, shown.slice(at, match.index), style);
    at = match.index + match[0].length;
    if (match[1] !== undefined) style = styleAfter(style, match[1]);
  }
  push(runs, shown.slice(at), style);
  return runs;
}

function push(runs: Run[], text: string, style: string): void {
  if (text === "") return;
  const visible = text.replaceAll(new RegExp(HIDDEN, "g"), (char) =>
    char === "\t" ? char : char < "\u0020" ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : "\u2426",
  );
  runs.push({ text: visible, style });
}

function styleAfter(before: string, codes: string): string {
  const classes = new Set(before.split(" ").filter(Boolean));
  const colour = (name: string) => {
    for (const each of [...classes]) if (each.startsWith("ansi-")) classes.delete(each);
    if (name !== "") classes.add(`ansi-${name}`);
  };
  for (const code of codes === "" ? [0] : codes.split(";").map(Number)) {
    if (code === 0) classes.clear();
    else if (code === 1) classes.add("bold");
    else if (code === 2) classes.add("dim");
    else if (code === 22) {
      classes.delete("bold");
      classes.delete("dim");
    } else if (code >= 30 && code <= 37) colour(COLOURS[code - 30] ?? "");
    else if (code >= 90 && code <= 97) colour(COLOURS[code - 90] ?? "");
    else if (code === 39) colour("");
  }
  return [...classes].join(" ");
}
