/** Apart from who calls it, so that the parser is loaded only for a file of settings. */
export { parse } from "yaml";
