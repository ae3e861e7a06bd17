import { readFileSync } from "node:fs";
import { UsageError, usage } from "./arguments.mjs";
import { run } from "./commands.mjs";

const codes = { good: 0, low: 1, unknown: 2 };

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/**
 * Runs the command, and says on standard error why it could not. Returns 0 if all is well, 1 if a contract scored too low
 * or a scan found what it must not, and 2 if it could not find out: wrong arguments, no network, no permission.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} environment
 */
export async function exitCodeOf(args, environment) {
  try {
    return (await run(args, environment, version)) ? codes.good : codes.low;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`plumbline: ${message}\n${error instanceof UsageError ? `\n${usage}` : ""}`);
    return codes.unknown;
  }
}
