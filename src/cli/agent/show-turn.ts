import pc from "picocolors";
import type { AgentOptions, AgentOutcome } from "../../agent/agent.ts";
import type { SessionEvent } from "../../agent/events.ts";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { pluralOf } from "../../preview/omission.ts";
import { writeOut } from "../emit.ts";
import { DIRECTIONS, forOutput } from "../terminal.ts";

/** Shows a turn while it runs, and its end. */
export interface TurnView extends Required<Pick<AgentOptions, "onEvent" | "onText">> {
  /** Clears what is only for the moment, so that something else can be printed. */
  pause(): void;
  end(outcome: AgentOutcome): Promise<void>;
}

/** Every event as a line of JSON, then the outcome. */
export function createJsonView(): TurnView {
  return {
    onEvent: (event, session) => process.stdout.write(forOutput(`${JSON.stringify({ session, ...event })}\n`)),
    onText: () => undefined,
    pause: () => undefined,
    end: (outcome) => writeOut(`${JSON.stringify({ type: "outcome", ...outcome })}\n`),
  };
}

/** The last answer only, for pipes. */
export function createPlainView(): TurnView {
  return {
    onEvent: () => undefined,
    onText: () => undefined,
    pause: () => undefined,
    end: (outcome) => writeOut(outcome.text === "" ? "" : `${outcome.text}\n`),
  };
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** Text as it comes on standard output; tools, and a spinner while something runs, on standard error. */
export function createTerminalView(): TurnView {
  const running = new Map<string, string>();
  let frame = 0;
  let spinning = false;
  let lineOpen = false;
  const clear = () => {
    if (spinning) process.stderr.write("\r\u001b[K");
    spinning = false;
  };
  const closeLine = () => {
    if (lineOpen) process.stdout.write("\n");
    lineOpen = false;
  };
  const say = (line: string) => {
    clear();
    closeLine();
    process.stderr.write(`${line}\n`);
  };
  let paused = false;
  const timer = setInterval(() => {
    if (lineOpen || paused) return;
    const what = running.size === 0 ? "thinking" : [...running.values()].join(pc.dim(" · "));
    process.stderr.write(
      `\r\u001b[K${pc.cyan(FRAMES[frame++ % FRAMES.length] ?? "")} ${cut(what, (process.stderr.columns || 80) - 3)}`,
    );
    spinning = true;
  }, FRAME_MS);
  timer.unref();

  const showEvent = (event: SessionEvent, child: boolean) => {
    const indent = child ? "  " : "";
    switch (event.type) {
      case "tool.call":
        running.set(event.callId, `${event.tool} ${describeInput(event.input)}`);
        break;
      case "tool.result": {
        const what = running.get(event.callId) ?? event.tool;
        running.delete(event.callId);
        const code = exitCodeIn(event.output);
        const failed = event.status === "error" || (code !== undefined && code !== 0);
        const mark = failed ? pc.red("✗") : event.status === "success" ? pc.green("✓") : pc.yellow("!");
        const ended = code === undefined || code === 0 ? "" : pc.red(` exit code ${code}`);
        const cutDown = event.artifact ? pc.yellow(` ${event.before.tokens} → ${event.after.tokens} tokens`) : "";
        say(`${indent}${mark} ${cut(what, 100)}${ended}${cutDown} ${pc.dim(`${event.timeMs} ms`)}`);
        break;
      }
      case "retry":
        say(pc.yellow(`${indent}↻ ${printable(event.reason)} Again in ${event.delayMs} ms.`));
        break;
      case "history.stubbed":
        say(
          pc.dim(
            `${indent}· ${event.stubs.length} older ${pluralOf(event.stubs.length, "result")} shortened: ${event.tokensBefore} → ${event.tokensAfter} tokens`,
          ),
        );
        break;
      case "notice":
        say(pc.dim(`${indent}· ${event.text}`));
    }
  };

  let main: string | undefined;
  return {
    onEvent(event, session) {
      main ??= session;
      paused = false;
      showEvent(event, session !== main);
    },
    onText(text) {
      clear();
      process.stdout.write(printable(text));
      lineOpen = !text.endsWith("\n");
    },
    pause() {
      paused = true;
      clear();
      closeLine();
    },
    async end({ session, reason }) {
      clearInterval(timer);
      clear();
      closeLine();
      if (reason === "done") process.stderr.write(pc.dim(`session ${session}\n`));
    },
  };
}

/** The exit code in a result as the model got it. */
function exitCodeIn({ stats }: Readonly<Record<string, unknown>>): number | undefined {
  const { exit_code: code } = fieldsOf(stats);
  return typeof code === "number" ? code : undefined;
}

/** What a call is about, on one line. */
export function describeInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return printable(JSON.stringify(input) ?? "");
  const [first] = Object.values(input).filter((value) => typeof value === "string");
  return printable((first ?? JSON.stringify(input)).replace(/\s+/g, " "));
}

/** Without the characters that could drive the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "").replace(DIRECTIONS, "");
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}
