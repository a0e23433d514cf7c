import { ownValue } from "../../bytes/own-value.ts";
import { messageOf } from "../../errors.ts";
import { relativeTo } from "../../gate/render/relative-to.ts";
import { errorCodeOf } from "../../protocol/error-code.ts";
import { ToolFailure } from "../../protocol/tool-failure.ts";
import type { Advice } from "./advice.ts";
import type { ToolDefinition } from "./define-tool.ts";

const NEXT: Readonly<Record<string, string>> = {
  NOT_FOUND: 'See what is there with LS {"path":"."}.',
  PERMISSION_DENIED: "Use what this user may access, or change the permissions first.",
  TIMEOUT: "Narrow the request, or give it more time.",
  EXECUTION_ERROR: "Find out what the system lacks before trying again.",
  INTERNAL_ERROR: "This is a fault of the tool; try another way.",
};

/** What a tool threw, as a failure that says what to do next and names no path of the machine. */
export function failureOf(thrown: unknown, tool: ToolDefinition, root: string, advise: Advice): ToolFailure {
  const isFailure = thrown instanceof ToolFailure;
  const code = isFailure ? thrown.code : errorCodeOf(thrown);
  const own = `Check the parameters of ${tool.name}.`;
  const next = advise((isFailure ? thrown.next : ownValue(NEXT, code)) ?? own) || own;
  const message = isFailure ? thrown.message : plainMessage(thrown, root);
  return new ToolFailure(code, message, { next, data: isFailure ? thrown.data : {}, cause: thrown });
}

function plainMessage(thrown: unknown, root: string): string {
  const message = messageOf(thrown);
  const [, errno, words, action] = /^(E[A-Z0-9]+): (.*?), (\w+)/.exec(message) ?? [];
  if (errno !== undefined && words !== undefined) {
    const { path } = thrown as NodeJS.ErrnoException;
    const of = path === undefined || /^\/(?:proc|dev)\//.test(path) ? "" : `: '${relativeTo(root, path)}'`;
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}${of} (${errno} on ${action}).`;
  }
  const plain = message.replaceAll(`${root}/`, "").trim() || "The tool failed without saying why.";
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
