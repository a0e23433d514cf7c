import packageJson from "../package.json" with { type: "json" };

/** The package's version. */
export const VERSION: string = packageJson.version;
