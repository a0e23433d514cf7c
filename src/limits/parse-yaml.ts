/** A separate file, so that the parser is loaded only if there is a settings file. */
export { parse } from "yaml";
