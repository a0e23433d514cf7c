import { fileURLToPath } from "node:url";
import { CompiledLoader } from "./compiled-loader.ts";

type Main = (argv: readonly string[]) => Promise<void>;

const FREQUENT: ReadonlySet<string> = new Set(["run", "pipe", "preview", "shell", "hook"]);

/** Runs the command line; a frequent command from a bundle whose compiled form is kept from one start to the next. */
export async function start(argv: readonly string[]): Promise<void> {
  const { main } = FREQUENT.has(argv[2] ?? "") ? loadFrequent() : await import("./main.ts");
  await main(argv);
}

function loadFrequent(): { readonly main: Main } {
  const loader = new CompiledLoader(fileURLToPath(new URL(".", import.meta.url)));
  process.once("exit", () => loader.keep());
  return loader.load("./frequent.cjs") as { readonly main: Main };
}
