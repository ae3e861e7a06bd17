#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { UsageError, usage } from "./arguments.mjs";
import { run } from "./commands.mjs";

/**
 * The `plumbline` command, for pipelines: a client of the REST API that only needs Node, with nothing to install. Only
 * scanning a file or a database locally needs the service's packages.
 *
 * Exits with 0 if all is well, 1 if a contract scored too low or a scan found what it must not, and 2 if it could not
 * find out: wrong arguments, no network, no permission.
 */
const codes = { good: 0, low: 1, unknown: 2 };

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

// Who reads the output may stop early, as `head` does: the work goes on, and its exit code is the same.
process.stdout.on("error", (error) => {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
});

try {
  const isGood = await run(process.argv.slice(2), process.env, version);
  process.exitCode = isGood ? codes.good : codes.low;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`plumbline: ${message}\n${error instanceof UsageError ? `\n${usage}` : ""}`);
  process.exitCode = codes.unknown;
}
