import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { invalidArgument } from "../errors.ts";
import { requestUrl } from "../platform/request-url.ts";
import { Guard } from "./guard.ts";
import { send, sendError } from "./http-answer.ts";
import { Inspector, type InspectorOptions } from "./inspector.ts";
import { readPageFile } from "./page-files.ts";
import { answerApi } from "./routes.ts";

export interface UiOptions extends InspectorOptions {
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined;
}

export interface RunningUi {
  /** The address to open, with the token of this run. */
  readonly url: string;
  /** Resolves when the server has ended. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Serves the inspector on loopback. */
export async function startUi(options: UiOptions): Promise<RunningUi> {
  const inspector = new Inspector(options);
  const guard = new Guard();
  const server = createServer((request, response) => {
    const url = requestUrl(request);
    if (!guard.admits(request, response, url)) return;
    const answer = url.pathname.startsWith("/api/v1/")
      ? answerApi(inspector, request, response, url)
      : answerPage(url.pathname);
    answer.catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, (error as Error).message);
    });

    async function answerPage(pathname: string): Promise<void> {
      if (request.method !== "GET" && request.method !== "HEAD") return sendError(response, 405, "Only GET here.");
      const file = await readPageFile(pathname);
      if (file === undefined) return sendError(response, 404, "There is no such page.");
      send(response, file.type, file.bytes);
    }
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening").catch((error: Error) => {
    throw invalidArgument(`Cannot listen on port ${options.port}: ${error.message}`);
  });
  await inspector.log.follow();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/?token=${guard.token}`,
    done: once(server, "close").then(() => undefined),
    async close() {
      inspector.log.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
