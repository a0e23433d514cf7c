import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelCall } from "../model/start-model.ts";

/** Where one run of an agent lives; thrown away afterwards. */
export interface Place {
  readonly home: string;
  readonly work: string;
  /** The model's address. */
  readonly url: string;
}

export interface ShellOptions {
  readonly background?: boolean;
}

/** How a real agent is started offline against the scripted model, and how its model calls its tools. */
export interface Agent {
  /** Its name for `spillway init`. */
  readonly host: string;
  readonly title: string;
  readonly package: string;
  /** The program below `node_modules/.bin`. */
  readonly program: string;
  /** Newer versions refuse Node 20; they run with the Node that is installed beside them. */
  readonly ownNode?: true;
  /** Starts and answers in a second or two, so that the short form can try more of it. */
  readonly quick?: boolean;
  /** Takes so long for large outputs without Spillway that none is tried. */
  readonly slowAlone?: boolean;
  /** Writes its configuration: everything allowed, or the rules below where it knows any. */
  readonly configure: (place: Place, restricted: boolean) => void;
  /** Changes it so that commands run in the agent's own sandbox, which may write the project; undefined without one. */
  readonly confine?: (place: Place) => void;
  /** What its rules can say: `npm test` is denied, `echo` is allowed, and all else is asked for. Only what is listed. */
  readonly rules: readonly ("deny" | "allow" | "ask")[];
  /** Without a terminal a denied call ends its session. */
  readonly endsAtDenial?: true;
  readonly start: (
    place: Place,
    prompt: string,
    restricted: boolean,
  ) => { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
  readonly shell: (line: string, options?: ShellOptions) => Pick<ModelCall, "tools" | "input">;
  /** Its own reader, for five lines from a line on. */
  readonly read: (path: string, line: number) => ReturnType<Agent["shell"]>;
  /** Its entry of the MCP server `logs`, and what its model calls that server's one tool; undefined without MCP. */
  readonly server?: {
    readonly add: (place: Place, argv: readonly string[]) => void;
    /** None where the model would have to look for it in ways that the scripted one cannot. */
    readonly tools: readonly string[];
    /** Called before where the agent offers the tool only to a model that has looked for it. */
    readonly find?: ReturnType<Agent["shell"]>;
    /** What bounds its results: the part of `init` that replaces results, or the proxy. */
    readonly by: "results" | "proxy";
  };
  /** A call of another tool of its own with a long result that has all six lines of the error. */
  readonly search?: (file: string) => ReturnType<Agent["shell"]>;
  /** A call that gives a sub-agent something to do, where its answer is bounded. */
  readonly delegate?: (prompt: string) => ReturnType<Agent["shell"]>;
  /** How the result of a background command names the file of its output. */
  readonly backgroundFile?: RegExp;
  /** Calls that look at a command before it has ended, or give it a terminal, with what the model must see of each. */
  readonly looks?: readonly (Pick<ModelCall, "tools" | "input"> & { readonly sees: RegExp })[];
  /** Can be started inside its own shell: its model's address is in its environment. */
  readonly inside?: true;
  /** How it tells the model that a command failed; undefined when it tells no exit code. */
  readonly sayCode?: (code: number) => string;
  /** How long it waits for a command before it shows what there is. @default until the end */
  readonly yieldMs?: number;
  /** Whether it keeps the whole of a long output of a command that went well. */
  readonly keepsOutput?: boolean;
  /** Whether its model is shown only standard error of a command that fails; with Spillway it is shown all. */
  readonly showsErrorsOnly?: boolean;
  /** Whether its model is shown the error of an MCP tool twice. */
  readonly errorTwice?: boolean;
  /** Whether nothing of its transcripts can be read, so that the question is not known either. */
  readonly noTranscripts?: boolean;
  /** Whether it removes the space around an output before any hook gets it. */
  readonly trims?: boolean;
  /** A file that `init` edits, with a text of the user's that has to come back to the byte. */
  readonly config: { readonly file: string; readonly text: string };
}

export function put(folder: string, name: string, content: string | object): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
}

/** Adds keys to a JSON file. */
export function merge(folder: string, name: string, content: object): void {
  const file = join(folder, name);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  put(folder, name, { ...before, ...content });
}
