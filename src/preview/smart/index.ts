export { createSmartAccumulator } from "./smart-accumulator.ts";
