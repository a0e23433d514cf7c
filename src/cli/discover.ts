import { Command, Option } from "commander";
import { formatBytes } from "../bytes/format-bytes.ts";
import { invalidArgument } from "../errors.ts";
import { findHost } from "../integrations/hosts/find-host.ts";
import { TRANSCRIPTS } from "../integrations/hosts/transcripts/find-transcripts.ts";
import { formatCount, formatPlural } from "../preview/omission.ts";
import type { JudgedCall } from "./discover/judge-call.ts";
import { type Discovered, discoverHost } from "./discover/judge-call.ts";
import { writeJson, writeOut } from "./emit.ts";

interface DiscoverFlags {
  readonly host?: string;
  readonly days: string;
  readonly most: string;
  readonly json?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const READABLE = TRANSCRIPTS.map(({ host }) => host).join(", ");

/** `spillway discover` */
export function createDiscoverCommand(): Command {
  return new Command("discover")
    .description(
      "Read the transcripts your agents keep, and show which results Spillway would have bounded and whether the agent had hidden an error line from its model. Nothing is changed or sent.",
    )
    .option("--host <name>", `only this agent: ${READABLE} (default: all)`)
    .addOption(new Option("--days <n>", "how many days back to look").default("30", "30"))
    .addOption(new Option("--most <n>", "how many of the largest results to list per agent").default("5", "5"))
    .option("--json", "print JSON")
    .action((flags: DiscoverFlags) => discover(flags));
}

async function discover(flags: DiscoverFlags): Promise<void> {
  const since = Date.now() - parseCount("--days", flags.days) * DAY_MS;
  const most = parseCount("--most", flags.most);
  if (flags.host !== undefined) findHost(flags.host);
  const places = TRANSCRIPTS.filter(({ host }) => flags.host === undefined || host === flags.host);
  if (places.length === 0)
    throw invalidArgument(`Transcripts of ${flags.host} cannot be read; those of ${READABLE} can.`);
  const found: Discovered[] = [];
  for (const place of places) found.push(await discoverHost(findHost(place.host), place, since));
  if (flags.json === true) return writeJson({ hosts: found });
  const read = found.filter(({ transcripts }) => transcripts > 0);
  if (read.length === 0)
    return writeOut(`No transcripts of ${places.map(({ host }) => host).join(", ")} in the last ${flags.days} days.\n`);
  await writeOut(`${read.map((one) => render(one, most)).join("\n\n")}\n`);
}

function render(
  { title, host, calls, transcripts, boundedAlready, tooLong, unread }: Discovered,
  most: number,
): string {
  const lines = [
    `${title} (${host}): ${formatPlural(calls, "call")} in ${formatPlural(transcripts, "transcript")}, ` +
      `${formatCount(tooLong.length)} would have been bounded, ${formatCount(boundedAlready)} were.`,
  ];
  if (tooLong.length > 0) {
    const sum = (pick: (call: JudgedCall) => number): string =>
      formatBytes(tooLong.reduce((total, call) => total + pick(call), 0));
    const hidden = tooLong.filter((call) => call.hidden != null).length;
    const unknown = tooLong.filter((call) => call.hidden === undefined).length;
    lines.push(
      `  ${sum(({ bytes }) => bytes)} of output, ${sum(({ shownBytes }) => shownBytes)} shown; with Spillway at most ${sum(({ mostBytes }) => mostBytes)}.`,
      `  An error line was hidden from the model: ${formatCount(hidden)} yes, ${formatCount(tooLong.length - hidden - unknown)} no` +
        `${unknown === 0 ? "" : `, ${formatCount(unknown)} not known, because nobody kept the output`}.`,
      ...tooLong.slice(0, most).map(renderCall),
    );
  }
  return [...lines, ...unread.map((reason) => `  not read: ${reason}`)].join("\n");
}

function renderCall({ tool, asked, bytes, exact, shownBytes, hidden }: JudgedCall): string {
  const said = `  ${exact ? "" : "at least "}${formatBytes(bytes)}, ${formatBytes(shownBytes)} shown  ${tool}: ${asked}`;
  if (hidden == null) return hidden === null ? said : `${said}\n      not known whether an error was hidden`;
  return `${said}\n      hidden: ${hidden.line.slice(0, 160)}${hidden.preview ? "" : " (and not in Spillway's preview either)"}`;
}

function parseCount(flag: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw invalidArgument(`${flag} takes a whole number, not ${JSON.stringify(value)}.`);
}
