import { assemble } from "../../../bytes/webassembly.ts";
import { finderModule } from "./finder-module.ts";

/** The module that finds words and rows; `build/prebuilt-plans.ts` puts a function with the result in the place of this one. */
export function assembleFinder(): Uint8Array<ArrayBuffer> {
  return assemble(finderModule());
}
