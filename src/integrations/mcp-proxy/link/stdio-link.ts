import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { SpillwayError } from "../../../errors.ts";
import { PLATFORM } from "../../../platform/platform.ts";
import { serverEnvironment } from "../../../process/command-environment.ts";
import { describeEnd, describeUnstartable } from "../../../process/process-end.ts";
import { signalGroup, trackGroup } from "../../../process/process-group.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import { withContext } from "../../../telemetry/telemetry.ts";
import type { Spool } from "../spool/spool.ts";
import { BytePeer } from "./byte-peer.ts";
import type { Link, LinkEvents, OpenLink, Report } from "./link.ts";

/** Time for the server to end by itself after its input closed, and again after SIGTERM. */
const GRACE_MS = 2000;
/** No process stays for the sake of a wait. */
const UNHELD = { ref: false };

export interface StdioLinkOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly spool: Spool;
  readonly report: Report;
  /** The redactor of its stderr. */
  readonly redaction?: Redaction | undefined;
}

/** Starts a server process and talks to it over its standard streams; its stderr goes to ours, redacted on request. */
export function createStdioLinks(options: StdioLinkOptions): OpenLink {
  return async (events) => {
    const env = await withContext(options.env ? { ...options.env } : serverEnvironment(process.env));
    const child = spawn(options.command, [...options.args], {
      stdio: ["pipe", "pipe", options.redaction ? "pipe" : "inherit"],
      cwd: options.cwd,
      env,
      // Its own process group, so that processes it started end with it.
      detached: PLATFORM.hasProcessGroups,
      windowsHide: true,
    });
    await once(child, "spawn").catch((error: unknown) => {
      const { error: failure } = describeUnstartable(options.command, error);
      const unstartable = failure.code !== "EXECUTION_ERROR";
      throw new SpillwayError("UPSTREAM_FAILED", failure.message, { cause: error, details: { unstartable } });
    });
    if (child.stderr && options.redaction) passOn(child.stderr, options.redaction);
    return connect(child, options, events);
  };
}

function passOn(from: Readable, redaction: Redaction): void {
  const stream = redaction.stream();
  const write = (parts: readonly Uint8Array[]): void => {
    for (const part of parts) process.stderr.write(part);
  };
  from.on("data", (chunk: Uint8Array) => write(stream.write(chunk)));
  from.once("end", () => write(stream.end()));
  from.on("error", () => {});
}

function connect(child: ChildProcess, options: StdioLinkOptions, events: LinkEvents): Link {
  const pid = child.pid as number;
  // No server outlives this process, however it ends.
  const untrack = trackGroup(pid);
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  child.on("error", () => {});
  const peer = new BytePeer(child.stdout!, child.stdin!, options.spool, {
    onFrame: (frame) => events.onFrame(frame),
    onLarge: (arrival) => events.onLarge(arrival),
    expected: () => events.expected(),
    onGarbage: (line) =>
      options.report(`the server wrote a line that is not JSON-RPC, skipped: ${JSON.stringify(line)}`),
    onEnd: () => {
      // Output closed for good: whatever still runs cannot answer.
      void stop(child, exited);
    },
  });
  void exited.then(async ([exitCode, signal]) => {
    // Output that the process wrote before it died is still in the pipe.
    const open = [child.stdout, child.stderr].filter((pipe) => pipe && !pipe.readableEnded && !pipe.destroyed);
    if (open.length > 0)
      await Promise.race([Promise.all(open.map((pipe) => once(pipe!, "close"))), delay(200, undefined, UNHELD)]);
    untrack();
    signalGroup(pid, "SIGKILL");
    events.onDown(`the server ${describeEnd({ exitCode, signal })}`);
  });
  return {
    send: (frame) => peer.send(frame),
    close: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await Promise.race([exited.then(() => true), delay(GRACE_MS, false, UNHELD)])) return;
    signalGroup(child.pid as number, signal);
  }
  await exited;
}
