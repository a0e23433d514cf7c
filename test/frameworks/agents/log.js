/** 3 MB in which one line says why the build fails. */
export const LOG = Array.from({ length: 40_000 }, (_, at) =>
  at === 21_000
    ? "src/net.ts(812,9): error TS2345: Argument of type 'string' is not assignable to parameter of type 'URL'."
    : `[12:00:${String(at % 60).padStart(2, "0")}] compiling module ${at} of 40000 into the build cache, ok`,
).join("\n");
