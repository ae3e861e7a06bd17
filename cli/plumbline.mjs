#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { UsageError, usage } from "./arguments.mjs";
import { run } from "./commands.mjs";

/**
 * The `plumbline` command, for pipelines: a client of the REST API on Node alone, without anything to install. Only
 * what scans a file or a database by itself needs the packages of the service.
 *
 * It ends with 0 when all is well, 1 when a contract scored too low or a scan found what must not be, and 2 when it could not find out: wrong
 * arguments, no network, no right to do it.
 */
const codes = { good: 0, low: 1, unknown: 2 };

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

try {
  const isGood = await run(process.argv.slice(2), process.env, version);
  process.exitCode = isGood ? codes.good : codes.low;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`plumbline: ${message}\n${error instanceof UsageError ? `\n${usage}` : ""}`);
  process.exitCode = codes.unknown;
}
