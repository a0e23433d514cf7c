import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { RawPeer, spillwayArgs } from "../../../support/mcp-peers.ts";
import { browse, type OAuthMcpServer, startOAuthMcpServer } from "../../../support/oauth-mcp-server.ts";

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()));
});

interface Home {
  readonly folder: string;
  readonly env: Record<string, string>;
}

function home(): Home {
  const folder = temporaryFolder("login");
  return { folder, env: { XDG_STATE_HOME: folder, DBUS_SESSION_BUS_ADDRESS: "" } };
}

async function guarded(options?: { greets: boolean }): Promise<OAuthMcpServer> {
  const server = await startOAuthMcpServer(options);
  closing.push(server);
  return server;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `spillway mcp …`; `onAddress` is the person with the browser. */
async function mcp(
  { env }: Home,
  args: readonly string[],
  onAddress: (address: string) => unknown = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, await spillwayArgs("mcp", ...args), { env: { ...process.env, ...env } });
  return follow(child, onAddress);
}

async function follow(child: ChildProcess, onAddress: (address: string) => unknown): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  let seen = false;
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    const address = /Log in here:\n(http\S+)\n/.exec(stderr)?.[1];
    if (seen || address === undefined) return;
    seen = true;
    void onAddress(address);
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

const login = (at: Home, url: string, ...flags: string[]) =>
  mcp(at, ["login", url, "--no-browser", ...flags], (address) => browse(address));

async function openProxy({ env, folder }: Home, url: string): Promise<RawPeer> {
  const peer = new RawPeer(await spillwayArgs("proxy", "--root", folder, "--url", url), env);
  closing.push(peer);
  await peer.initialize();
  return peer;
}

async function whoami(peer: RawPeer): Promise<string> {
  const { result, error } = await peer.call("whoami");
  return error?.message ?? result.content[0].text;
}

describe("a login to a remote server", () => {
  test("by a browser; kept where only the user can read it, and used by the proxy", async () => {
    const at = home();
    const server = await guarded();
    const done = await login(at, server.url);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(done.stdout).toContain(`Logged in to ${server.url} for tools; kept in ${at.folder}`);
    expect(done.stdout).toContain("refreshed when needed");
    const folder = join(at.folder, "spillway", "mcp-logins");
    const [file] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600);
    expect(await whoami(await openProxy(at, server.url))).toBe("You are ada");
    // What the secrets are is nobody's business.
    const { credentials } = JSON.parse(readFileSync(join(folder, file!), "utf8"));
    expect(`${done.stdout}${done.stderr}`).not.toContain(credentials.tokens.access_token);
  });

  test("goes on when the access ends, also with two proxies at once", async () => {
    const at = home();
    const server = await guarded();
    await login(at, server.url);
    const peers = [await openProxy(at, server.url), await openProxy(at, server.url)];
    expect(await Promise.all(peers.map(whoami))).toEqual(["You are ada", "You are ada"]);
    await server.expire();
    const answers = await Promise.all([...peers, ...peers].map(whoami));
    expect(answers).toEqual(Array(4).fill("You are ada"));
    expect(server.grants.filter((grant) => grant === "refresh_token")).toHaveLength(1);
    expect(server.registrations()).toBe(1);
  });

  test("that is missing, or has ended, is asked for by name", async () => {
    const at = home();
    const server = await guarded();
    const stranger = new RawPeer(await spillwayArgs("proxy", "--root", at.folder, "--url", server.url), at.env);
    closing.push(stranger);
    const refused = await stranger.initialize();
    expect(refused.error.message).toContain(
      `it asks for a login: run \`spillway mcp login ${server.url} --scope "tools offline_access"\` in a terminal. The call can`,
    );
    await login(at, server.url);
    const peer = await openProxy(at, server.url);
    expect(await whoami(peer)).toBe("You are ada");
    await server.revoke();
    expect(await whoami(peer)).toContain(
      `the login to it has ended: run \`spillway mcp login ${server.url} --scope "tools offline_access"\` in`,
    );
  });

  test("that does not allow enough is asked for with what is missing, which then does", async () => {
    const at = home();
    const server = await guarded();
    await login(at, server.url);
    const rule = async (): Promise<string> => {
      const { result } = await (await openProxy(at, server.url)).call("rule");
      return result.content[0].text;
    };
    const told = await rule();
    const line = `spillway mcp login ${server.url} --scope "tools rule"`;
    expect(told).toBe(
      `No answer: it asks for more than the login allows: run \`${line}\` in a terminal. The call can be repeated then.`,
    );
    const again = await login(at, server.url, "--scope", "tools rule");
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(await rule()).toBe("You are ada");
  });

  test("is possible where only the first request needs none", async () => {
    const at = home();
    const server = await guarded({ greets: true });
    const peer = await openProxy(at, server.url);
    expect(await whoami(peer)).toContain(`run \`spillway mcp login ${server.url} --scope`);
    expect((await login(at, server.url)).stdout).toContain(`Logged in to ${server.url}`);
    expect(await whoami(await openProxy(at, server.url))).toBe("You are ada");
  });

  test("refused, unfinished, unneeded or impossible says so", async () => {
    const at = home();
    const server = await guarded();
    const answer = (address: string, more: Record<string, string>): string => {
      const asked = new URL(address).searchParams;
      const back = new URL(asked.get("redirect_uri")!);
      for (const [name, value] of Object.entries({ state: asked.get("state")!, ...more }))
        back.searchParams.set(name, value);
      return back.href;
    };
    const refused = await mcp(at, ["login", server.url, "--no-browser"], async (address) => {
      // A page that knows nothing of this login changes nothing.
      expect((await fetch(answer(address, { state: "other", code: "evil" }))).status).toBe(404);
      await fetch(answer(address, { error: "access_denied", error_description: "not you" }));
    });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("The login was refused: not you");
    const late = await mcp(at, ["login", server.url, "--no-browser", "--timeout", "1"]);
    expect(late).toMatchObject({ code: 1 });
    expect(late.stderr).toContain("Nobody logged in within 1 s");
    expect(await mcp(at, ["login", "ftp://x"])).toMatchObject({ code: 2 });
    const nobody = await mcp(at, ["login", "http://127.0.0.1:9/mcp"]);
    expect(nobody.stderr).toContain("http://127.0.0.1:9/mcp cannot be reached");
  });

  const canKeep = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"].every(isInstalled);
  test.skipIf(!canKeep)("is kept in the system's keychain where there is one", async () => {
    const at = home();
    const server = await guarded();
    const bin = `"${process.execPath}" ${(await spillwayArgs("mcp")).map((word) => `"${word}"`).join(" ")}`;
    const script = [
      "printf 'test\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1",
      `${bin} login ${server.url} --no-browser`,
      "secret-tool search --all service spillway-mcp",
      `${bin} logout ${server.url}`,
      "echo and then; secret-tool search --all service spillway-mcp",
    ].join("\n");
    const env = { ...at.env, HOME: at.folder, XDG_DATA_HOME: at.folder };
    const child = spawn("dbus-run-session", ["--", "sh", "-c", script], { env: { ...process.env, ...env } });
    const ended = await follow(child, (address) => browse(address));
    expect(ended.stdout, ended.stderr).toContain("kept in the keychain (Secret Service)");
    const [before, after] = ended.stdout.split("and then");
    expect(before).toContain('"access_token"');
    expect(before).toContain(`Forgot the login to ${server.url}`);
    expect(after).not.toContain("access_token");
  });

  test("can be forgotten", async () => {
    const at = home();
    const server = await guarded();
    await login(at, server.url);
    expect(await mcp(at, ["logout", server.url])).toMatchObject({
      code: 0,
      stdout: `Forgot the login to ${server.url}\n`,
    });
    expect(await mcp(at, ["logout", server.url])).toMatchObject({ code: 1 });
    expect(readdirSync(join(at.folder, "spillway", "mcp-logins"))).toEqual([]);
  });
});
