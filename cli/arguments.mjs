import { parseArgs } from "node:util";

export const usage = `Usage:
  plumbline contract evaluate <id | file> [--fail-under <score>] [--junit <file>] [--json]
                                          [--data-source <id>] [--timeout <seconds>]
  plumbline contract export <id> [--output <file>]
  plumbline contract import <file> --data-source <id> [--json]

  --url          where the service is; else PLUMBLINE_URL, else http://localhost:3000
  --fail-under   end with 1 below this score (0 to 100); else the contract's own threshold
  --junit        write the results as JUnit XML
  --json         print the results as JSON
  --data-source  the database that a file's contracts are tried on, or imported for
  --timeout      give up after so many seconds (600)

The key is read from PLUMBLINE_API_KEY. Exit codes: 0 at or above the score, 1 below it, 2 when it could not be
found out.
`;

/** The command was not understood. */
export class UsageError extends Error {
  name = "UsageError";
}

const options = /** @type {const} */ ({
  url: { type: "string" },
  "fail-under": { type: "string" },
  junit: { type: "string" },
  json: { type: "boolean" },
  "data-source": { type: "string" },
  output: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});

/** Which options a command takes, beside `url` and `timeout`. */
const commands = {
  evaluate: ["fail-under", "junit", "json", "data-source"],
  export: ["output"],
  import: ["data-source", "json"],
};

/**
 * @typedef {{ kind: "help" | "version" }} Asked
 * @typedef {{
 *   kind: "evaluate" | "export" | "import", target: string, url: string, key: string, timeoutMs: number,
 *   failUnder?: number, junit?: string, json: boolean, dataSourceId?: number, output?: string,
 * }} Command
 */

/**
 * What is to be done. Throws UsageError.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} environment
 * @returns {Asked | Command}
 */
export function readArguments(args, environment) {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  const [subject, verb, target, ...more] = positionals;
  if (subject !== "contract" || !isVerb(verb)) throw new UsageError("There is no such command");
  if (target === undefined || target === "") throw new UsageError(`contract ${verb} needs to know which`);
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  for (const name of Object.keys(values))
    if (!["url", "timeout", ...commands[verb]].includes(name))
      throw new UsageError(`contract ${verb} takes no --${name}`);

  const isFile = verb === "import" || !isId(target);
  if (verb === "export" && isFile) throw new UsageError("contract export takes the id of a contract");
  if (isFile && values["data-source"] === undefined)
    throw new UsageError("A file needs a --data-source to be tried on");
  if (verb === "evaluate" && !isFile && values["data-source"] !== undefined)
    throw new UsageError("A contract has its own data source: --data-source is for files");
  const key = environment.PLUMBLINE_API_KEY?.trim();
  if (!key) throw new UsageError("PLUMBLINE_API_KEY is not set");
  return {
    kind: verb,
    target,
    url: addressIn(values.url ?? environment.PLUMBLINE_URL ?? "http://localhost:3000"),
    key,
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    json: values.json ?? false,
    ...(values["fail-under"] !== undefined && {
      failUnder: numberIn("fail-under", values["fail-under"], 0, 100),
    }),
    ...(values.junit !== undefined && { junit: values.junit }),
    ...(values.output !== undefined && { output: values.output }),
    ...(values["data-source"] !== undefined && { dataSourceId: idIn("data-source", values["data-source"]) }),
  };
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string | undefined} verb
 * @returns {verb is keyof typeof commands}
 */
const isVerb = (verb) => verb !== undefined && Object.hasOwn(commands, verb);

/** @param {string} text */
export const isId = (text) => /^[1-9]\d{0,9}$/.test(text);

/**
 * @param {string} name
 * @param {string} text
 */
function idIn(name, text) {
  if (!isId(text)) throw new UsageError(`--${name} must be an id, a whole number`);
  return Number(text);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function numberIn(name, text, least, most) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`--${name} must be a number from ${least} to ${most}`);
  return value;
}

/** @param {string} text */
function addressIn(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError("--url must be an http or https address");
  return url.origin + url.pathname.replace(/\/+$/, "");
}
