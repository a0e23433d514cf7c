import type { SessionAccount } from "../../agent/accounting.ts";
import type { SessionEvent } from "../../agent/events.ts";
import type { DamagedSession, SessionSummary } from "../../agent/list-sessions.ts";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { formatCount, pluralOf } from "../../preview/omission.ts";
import { cut, describeInput, printable } from "./show-turn.ts";

/** One line of `sessions list`. */
export function renderSessionLine(session: SessionSummary): string {
  const state = session.writer ? `running in ${session.writer}` : (session.lastEnd ?? "interrupted");
  const who = session.agent ? ` [${session.agent}]` : "";
  return `${session.id}  ${session.startedAt.slice(0, 19).replace("T", " ")}  ${state}  ${session.model}${who}  ${oneLine(session.prompt, 60)}`;
}

/** The same for a session that cannot be read. */
export function renderDamagedLine({ id, damaged: { file, line, problem } }: DamagedSession): string {
  return `${id}  damaged  ${line === 0 ? file : `line ${line} of ${file}`} ${printable(problem)}`;
}

/** A session for people: what happened, then what it cost. */
export function renderSession(
  session: SessionSummary,
  events: readonly SessionEvent[],
  account: SessionAccount,
): string {
  const lines = events.flatMap(renderEvent);
  return `${renderSessionLine(session)}\n\n${lines.join("\n")}\n\n${renderAccount(account)}`;
}

function renderEvent(event: SessionEvent): string[] {
  switch (event.type) {
    case "user":
      return [`> ${oneLine(event.text)}`];
    case "model":
      return event.text === "" ? [] : [`  ${oneLine(event.text)}`];
    case "tool.call":
      return [`  → ${event.tool} ${cut(describeInput(event.input), 100)}`];
    case "tool.result": {
      const cutDown = event.artifact
        ? `, ${size(event.before)} cut to ${size(event.after)}: ${event.artifact.path}`
        : "";
      return [`  ← ${event.tool} ${event.status} in ${event.timeMs} ms${cutDown}`];
    }
    case "result.shrunk":
      return [`  · a result shared its turn: now ${size(event.after)}`];
    case "history.stubbed":
      return [
        `  · ${event.stubs.length} older ${event.stubs.length === 1 ? "result became a stub" : "results became stubs"}: ${formatCount(event.tokensBefore)} → ${formatCount(event.tokensAfter)} tokens`,
      ];
    case "history.dropped":
      return [`  · messages up to event ${event.throughSeq} are no longer sent`];
    case "budget.learned":
      return [
        `  · the provider refused the request as too long; from here on at most ${formatCount(event.maxInputTokens)} tokens`,
      ];
    case "permission":
      return [
        `  · ${event.tool} ${oneLine(event.pattern, 60)}: ${event.action === "allow" ? "allowed" : "denied"} by ${event.by}`,
      ];
    case "retry":
      return [`  · asked again: ${oneLine(event.reason)}`];
    case "notice":
      return [`  · told the model: ${oneLine(event.text)}`];
    case "turn.end":
      return [`  ■ ${event.reason}${event.message ? `: ${oneLine(event.message)}` : ""}`];
    case "session.resume":
      return [
        `  · resumed at ${event.at}${event.recoveredBytes > 0 ? `, after a torn line of ${event.recoveredBytes} ${pluralOf(event.recoveredBytes, "byte")}` : ""}`,
      ];
    case "session.start":
      return event.parent ? [`  called by ${event.parent.session}, call ${event.parent.callId}`] : [];
  }
}

function renderAccount(account: SessionAccount): string {
  const { usage } = account;
  const rows = Object.entries(account.tools).map(([tool, { calls, truncated, tokensBefore, tokensAfter }]) => {
    return `  ${tool}: ${calls} ${pluralOf(calls, "call")}, ${truncated} truncated, ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`;
  });
  return [
    `Requests: ${account.steps}. The provider counted ${formatCount(usage.inputTokens)} tokens in (${formatCount(usage.cachedTokens)} cached), ${formatCount(usage.outputTokens)} out.`,
    ...(rows.length > 0 ? ["Tool results (estimated):", ...rows] : []),
    `Kept out by truncation: ${formatCount(account.netSavedTokens)} tokens net; ${formatCount(account.readBackTokens)} were read back from artifacts.`,
    `Kept out by stubs, over all later requests: ${formatCount(account.stubSavedTokens)} tokens.`,
    `Of ${account.truncatedResults} truncated results the preview was enough for ${account.previewEnough}; ${account.artifactsRead} artifacts were read, ${account.callsRepeated} calls were made again.`,
    "",
  ].join("\n");
}

const oneLine = (text: string, most = 120) => cut(printable(text).replace(/\s+/g, " ").trim(), most);
const size = ({ bytes }: { readonly bytes: number }) => formatBytes(bytes);
