// The conformance suite imports `globSync` from "fs", which Node has since 22; it needs it only for a command we do not use.
import { register } from "node:module";

const shim = `export * from "node:fs"; export const globSync = () => [];`;
const hooks = `
  const shim = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)};
  export async function resolve(specifier, context, next) {
    if (specifier === "fs" && context.parentURL?.includes("/conformance/")) return { url: shim, shortCircuit: true };
    return next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
