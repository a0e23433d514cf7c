import type { Redaction } from "../../../redact/redaction.ts";
import type { Spool } from "../spool/spool.ts";
import type { OpenLink, Report } from "./link.ts";
import { createStdioLinks } from "./stdio-link.ts";

/** A server behind the proxy. */
export type UpstreamTarget =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string | undefined>>;
    }
  | { readonly url: string | URL; readonly headers?: Readonly<Record<string, string>> };

export interface LinksContext {
  readonly spool: Spool;
  readonly report: Report;
  readonly redaction: Redaction | undefined;
}

/** The way to a server, by what is known of its place. */
export async function createLinks(
  target: UpstreamTarget,
  { spool, report, redaction }: LinksContext,
): Promise<OpenLink> {
  if ("url" in target) {
    // The SDK is loaded only where it is used: a proxy between two pipes stays small.
    const { createHttpLinks } = await import("./http-link.ts");
    return createHttpLinks({ url: new URL(target.url), headers: target.headers ?? {}, spool, report });
  }
  return createStdioLinks({
    command: target.command,
    args: target.args ?? [],
    cwd: target.cwd,
    env: target.env,
    spool,
    report,
    redaction,
  });
}
