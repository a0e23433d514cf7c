import { createInterface } from "node:readline";
import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import { webAddress } from "../integrations/mcp-shared/listen-address.ts";
import { openBrowser } from "./open-browser.ts";

interface LoginFlags {
  readonly scope?: string;
  readonly clientId?: string;
  readonly browser: boolean;
  readonly timeout?: string;
}

const LOGIN_HELP = `
The login is kept in the system's keychain where there is one (Secret Service, macOS), else in a file that only you can
read, and refreshed by the proxy. SPILLWAY_CLIENT_SECRET holds the secret of --client-id, if it has one.`;

/** `spillway mcp login`: OAuth to a remote server, for the proxy to use. */
export function createLoginCommand(): Command {
  return new Command("login")
    .description("Log in to a remote MCP server, so that spillway proxy --url and --servers can use it.")
    .argument("<url>", "the server's address")
    .option("--scope <scopes>", "scopes to ask for (default: those the server names)")
    .option(
      "--client-id <id>",
      "id of a client you registered, or the address of its metadata document (default: registers itself)",
    )
    .option("--no-browser", "only print the address of the login page")
    .option("--timeout <seconds>", "how long to wait for the login (default: 300)")
    .addHelpText("after", LOGIN_HELP)
    .action((url: string, flags: LoginFlags) => login(parseAddress(url), flags));
}

/** `spillway mcp logout`: forgets a login. */
export function createLogoutCommand(): Command {
  return new Command("logout")
    .description("Forget the login to a remote MCP server.")
    .argument("<url>", "the server's address")
    .action(async (text: string) => {
      const { LoginStore } = await import("../integrations/mcp-proxy/oauth/login-store.ts");
      const url = parseAddress(text);
      if (await new LoginStore(url).remove()) process.stdout.write(`Forgot the login to ${url.href}\n`);
      else {
        process.stderr.write(`There is no login to ${url.href}\n`);
        process.exitCode = 1;
      }
    });
}

async function login(url: URL, flags: LoginFlags): Promise<void> {
  const { logIn } = await import("../integrations/mcp-proxy/oauth/log-in.ts");
  const seconds = flags.timeout === undefined ? undefined : Number(flags.timeout);
  if (seconds !== undefined && !(seconds > 0))
    throw invalidArgument(`--timeout takes seconds, not ${JSON.stringify(flags.timeout)}.`);
  const pasted = process.stdin.isTTY ? createInterface({ input: process.stdin }) : undefined;
  try {
    const done = await logIn(url, {
      scope: flags.scope,
      clientId: flags.clientId,
      clientSecret: process.env.SPILLWAY_CLIENT_SECRET,
      timeoutMs: seconds === undefined ? undefined : seconds * 1000,
      onAddress: (address, paste) => {
        process.stderr.write(`Log in here:\n${address.href}\n`);
        if (pasted)
          process.stderr.write("Is your browser on another machine? Paste the address that it ends at here.\n");
        pasted?.on("line", (line) => {
          if (line.trim() !== "" && !paste(line)) process.stderr.write("That is not the address of this login.\n");
        });
        if (flags.browser) openBrowser(address.href);
      },
    });
    if (!done) {
      process.stdout.write(`${url.href} asks for no login.\n`);
      return;
    }
    const granted = done.scope ? ` for ${done.scope}` : "";
    const refreshed = done.refreshes ? "refreshed when needed" : `not refreshed${ends(done.expiresInSeconds)}`;
    process.stdout.write(`Logged in to ${url.href}${granted}; kept in ${done.place}, ${refreshed}.\n`);
  } finally {
    pasted?.close();
  }
}

function ends(seconds: number | undefined): string {
  return seconds === undefined ? "" : `, ends in ${seconds} s`;
}

function parseAddress(text: string): URL {
  const url = webAddress(text);
  if (url) return url;
  throw invalidArgument(`${JSON.stringify(text)} is not an http or https address.`);
}
