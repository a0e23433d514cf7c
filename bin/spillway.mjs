#!/usr/bin/env node
import { start } from "../dist/cli.mjs";

await start(process.argv);
