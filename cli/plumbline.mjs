#!/usr/bin/env node
import { exitCodeOf } from "./exit-code.mjs";

/**
 * The `plumbline` command, for pipelines: a client of the REST API that only needs Node, with nothing to install. Only
 * scanning a file or a database locally needs the service's packages.
 */

// Who reads the output may stop early, as `head` does: the work goes on, and its exit code is the same.
process.stdout.on("error", (error) => {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
});

process.exitCode = await exitCodeOf(process.argv.slice(2), process.env);
