import { createWriteStream } from "node:fs";

process.stdin.pipe(createWriteStream(process.argv[2]));
