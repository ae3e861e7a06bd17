import { parseArgs } from "node:util";

export const usage = `Usage:
  plumbline contract evaluate <id | file> [--fail-under <score>] [--junit <file>] [--sarif <file>]
                                          [--summary <file>] [--json] [--data-source <id>] [--timeout <seconds>]
  plumbline contract evaluate --file <data file> --contract <file> [--full] [as above]
  plumbline contract diff <file> --data-source <id> [--json]
  plumbline contract apply <file> --data-source <id> [--json]
  plumbline contract export <id> [--output <file>]
  plumbline contract import <file> --data-source <id> [--json]
  plumbline import dbt <target folder> --source <name | id> [--dry-run] [--again] [--json]
                                          [--timeout <seconds>]
  plumbline import soda <file | folder>... --source <name | id> [--variable <name>=<value>]... [as for dbt]
  plumbline import gx <file | folder>... --source <name | id> [--table <suite>=<table>]... [as for dbt]
  plumbline scan <file | database URL | data source> [--fail-on <severity | count>] [--min-confidence <0 to 1>]
                                          [--table <name>]... [--full] [--junit <file>] [--sarif <file>]
                                          [--summary <file>] [--json] [--timeout <seconds>]
  plumbline diff <folder> [--summary <file>] [--json] [--timeout <seconds>]
  plumbline apply <folder> [--prune] [--secrets] [--take-back] [--summary <file>] [--json] [--timeout <seconds>]
  plumbline export <folder> [--stack <name>] [--project <name>] [--timeout <seconds>]
  plumbline incidents [--project <id>] [--fail-on <severity>] [--summary <file>] [--json] [--timeout <seconds>]
  plumbline teach <data source> <table> [--timeout <seconds>]
  plumbline comment <file> [--name <text>] [--timeout <seconds>]

  --url             where the service is; else PLUMBLINE_URL, else http://localhost:3000
  --file            evaluate the contract on this file (.csv, .tsv, .parquet, .json, .jsonl), without a service
  --contract        the file with the contract, as the Open Data Contract Standard writes it
  --fail-under      end with 1 below this score (0 to 100); else the contract's own threshold
  --fail-on         end with 1 if a finding is this severe (low, medium, high), or if there are more than so many
  --min-confidence  show what is at least this sure (0.7)
  --table           scan only this table: orders, or sales.orders; may be repeated
  --full            show values as they are; else personal data and secrets are masked
  --junit           write the results as JUnit XML
  --sarif           write what failed as SARIF 2.1.0, for a code host's alerts
  --summary         write a summary in Markdown, for the page of a pipeline's run
  --name            tells comments on the same pull request apart (plumbline)
  --json            print the results as JSON
  --data-source     the database that a file's contracts are tried on, or imported for
  --source          the same as --data-source, by its name or id
  --dry-run         only show what an import would do
  --again           import again what was removed here since the last import
  --prune           also remove what the stack owns and its files no longer have
  --secrets         send secrets again from the environment, after they have changed
  --take-back       also change what an Admin has taken over since
  --stack           the name of the stack whose files are written; else the name of the folder
  --timeout         give up after so many seconds (600; a scan: 3600)

  --variable        a value for a variable of Soda's checks
  --project         keeps apart what is imported from several projects into one data source (soda, gx);
                    of incidents: only those of this project, by its id; of an export: by its name

A diff shows what a file would change about the contracts of a data source, and ends with 1 if it would change
anything. Apply changes it: a contract is the same one if it has the same name, a rule too. What the file leaves out
stays as it is, and so do contracts that it does not have.

A folder of YAML files describes projects, service accounts, recipients, data sources, tags of tables, queries,
subscriptions, contracts, rule templates, incident policies, maintenance windows, and AI actors. Export writes what is there; diff shows what the files would change, and ends with 1 if
anything; apply changes it, and applied again, nothing. Secrets come from the environment of apply: \${env:NAME}.

An import of dbt reads manifest.json in the folder that dbt writes to, and run_results.json and catalog.json if they
are there, and sends only what it needs of them. One of Soda reads the .yml and .yaml files of a folder, and one of
Great Expectations its .json files.

A scan looks for faults in the data. For a file (.csv, .tsv, .parquet, .json, .jsonl, .duckdb, .sqlite) or a database
(postgres://user:password@host:5432/database, mysql://…, sqlserver://…, snowflake://user@account/database?privateKeyFile=…)
it needs no service and stores nothing;
a data source of the service is given by its name or id.

Teach asks about up to 20 cells of a table of the service, one key each (r right, w wrong, u unsure, z undo, q stop),
has the table scanned again, and prints what changed. Its key needs the scope Admin.

Comment writes a file with Markdown, such as a --summary, as a comment on the pull request of GitHub or the merge
request of GitLab that the pipeline runs for, and replaces the one that it wrote before. It needs no service; its token
is read from PLUMBLINE_COMMENT_TOKEN.

The key is read from PLUMBLINE_API_KEY. Exit codes: 0 when all is well (a score at or above its threshold, nothing
at or above --fail-on), 1 when it is not, 2 when that could not be found out.
`;

/** The command line is invalid. */
export class UsageError extends Error {
  name = "UsageError";
}

const options = /** @type {const} */ ({
  url: { type: "string" },
  "fail-under": { type: "string" },
  junit: { type: "string" },
  sarif: { type: "string" },
  summary: { type: "string" },
  json: { type: "boolean" },
  "data-source": { type: "string" },
  file: { type: "string" },
  contract: { type: "string" },
  "fail-on": { type: "string" },
  "min-confidence": { type: "string" },
  table: { type: "string", multiple: true },
  full: { type: "boolean" },
  output: { type: "string" },
  source: { type: "string" },
  "dry-run": { type: "boolean" },
  again: { type: "boolean" },
  variable: { type: "string", multiple: true },
  project: { type: "string" },
  prune: { type: "boolean" },
  secrets: { type: "boolean" },
  "take-back": { type: "boolean" },
  stack: { type: "string" },
  name: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});

/** The options that each command accepts, in addition to `url` and `timeout`. */
const commands = {
  evaluate: ["fail-under", "junit", "sarif", "summary", "json", "data-source"],
  diff: ["data-source", "json"],
  apply: ["data-source", "json"],
  export: ["output"],
  import: ["data-source", "json"],
};
const importOptions = ["source", "data-source", "dry-run", "again", "json"];
/** The tools whose checks can be imported, and their own options. */
const importTools = { dbt: [], soda: ["variable", "project"], gx: ["table", "project"] };
const scanOptions = ["fail-on", "min-confidence", "table", "full", "junit", "sarif", "summary", "json"];
const asCodeOptions = {
  diff: ["summary", "json"],
  apply: ["prune", "secrets", "take-back", "summary", "json"],
  export: ["stack", "project"],
};
const incidentOptions = ["project", "fail-on", "summary", "json"];

export const severities = /** @type {const} */ (["low", "medium", "high", "critical"]);

/**
 * @typedef {{ kind: "help" | "version" }} Asked
 * @typedef {{
 *   kind: keyof typeof commands, target: string, url: string, key: string, timeoutMs: number,
 *   failUnder?: number, junit?: string, sarif?: string, summary?: string, json: boolean,
 *   dataSourceId?: number, output?: string,
 * }} Command
 * @typedef {{
 *   kind: "evaluate-file", file: string, contract: string, timeoutMs: number, failUnder?: number, junit?: string,
 *   sarif?: string, summary?: string, json: boolean, isFull: boolean,
 * }} EvaluateFileCommand
 * @typedef {{
 *   kind: "scan", target: string, where: "file" | "database" | "service", url: string, key: string,
 *   timeoutMs: number, tables: string[], minConfidence: number, isFull: boolean, json: boolean, junit?: string,
 *   sarif?: string, summary?: string, failOn?: typeof severities[number] | number,
 * }} ScanCommand
 * @typedef {{
 *   kind: "import-suite", tool: "dbt" | "soda" | "gx", targets: [string, ...string[]], source: string,
 *   isDryRun: boolean, isAgain: boolean, json: boolean, variables: Record<string, string>,
 *   tables: Record<string, string>, project?: string, url: string, key: string, timeoutMs: number,
 * }} ImportCommand
 * @typedef {{
 *   kind: "incidents", url: string, key: string, timeoutMs: number, json: boolean, projectId?: number,
 *   failOn?: typeof severities[number], summary?: string,
 * }} IncidentsCommand
 * @typedef {{
 *   kind: "as-code", verb: keyof typeof asCodeOptions, folder: string, url: string, key: string, timeoutMs: number,
 *   json: boolean, summary?: string, isPruning: boolean, withSecrets: boolean, isTakingBack: boolean, stack?: string,
 *   project?: string,
 * }} AsCodeCommand
 * @typedef {{ kind: "comment", file: string, name: string, timeoutMs: number }} CommentCommand
 * @typedef {{
 *   kind: "teach", source: string, table: string, url: string, key: string, timeoutMs: number,
 * }} TeachCommand
 */

/**
 * Parses the command line. Throws UsageError.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} environment
 * @returns {Asked | Command | EvaluateFileCommand | ScanCommand | ImportCommand | IncidentsCommand | TeachCommand |
 *   AsCodeCommand | CommentCommand}
 */
export function readArguments(args, environment) {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: "help" };
  if (values.version) return { kind: "version" };
  if (positionals[0] === "scan") return readScan(positionals.slice(1), values, environment);
  if (positionals[0] === "import") return readImport(positionals.slice(1), values, environment);
  if (positionals[0] === "incidents") return readIncidents(positionals.slice(1), values, environment);
  if (positionals[0] === "teach") return readTeach(positionals.slice(1), values, environment);
  if (positionals[0] === "comment") return readComment(positionals.slice(1), values);
  if (isAsCode(positionals[0])) return readAsCode(positionals[0], positionals.slice(1), values, environment);
  const [subject, verb, target, ...more] = positionals;
  if (subject !== "contract" || !isVerb(verb)) throw new UsageError("There is no such command");
  if (verb === "evaluate" && values.file !== undefined)
    return readEvaluateFile(values.file, positionals.slice(2), values);
  if (target === undefined || target === "") throw new UsageError(`contract ${verb} needs to know which`);
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, commands[verb], `contract ${verb}`);

  const isFile = ["import", "diff", "apply"].includes(verb) || !isId(target);
  if (verb === "export" && isFile) throw new UsageError("contract export takes the id of a contract");
  if (isFile && values["data-source"] === undefined)
    throw new UsageError("A file needs a --data-source to be tried on");
  if (verb === "evaluate" && !isFile && values["data-source"] !== undefined)
    throw new UsageError("A contract has its own data source: --data-source is for files");
  return {
    kind: verb,
    target,
    ...serviceIn(values, environment),
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    json: values.json ?? false,
    ...(values["fail-under"] !== undefined && {
      failUnder: numberIn("fail-under", values["fail-under"], 0, 100),
    }),
    ...filesIn(values),
    ...(values.output !== undefined && { output: values.output }),
    ...(values["data-source"] !== undefined && { dataSourceId: idIn("data-source", values["data-source"]) }),
  };
}

/**
 * The contract may also be named as it is without --file.
 * @param {string} file
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @returns {EvaluateFileCommand}
 */
function readEvaluateFile(file, positionals, values) {
  const [contract, ...more] = [...positionals, ...(values.contract === undefined ? [] : [values.contract])];
  if (file === "") throw new UsageError("--file needs the name of a data file");
  if (!contract) throw new UsageError("A data file needs a --contract to be evaluated by");
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(
    values,
    ["file", "contract", "fail-under", "junit", "sarif", "summary", "json", "full"],
    "contract evaluate --file",
  );
  return {
    ...{ kind: "evaluate-file", file, contract },
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    json: values.json ?? false,
    isFull: values.full ?? false,
    ...(values["fail-under"] !== undefined && {
      failUnder: numberIn("fail-under", values["fail-under"], 0, 100),
    }),
    ...(values.junit !== undefined && { junit: values.junit }),
    ...(values.sarif !== undefined && { sarif: values.sarif }),
    ...(values.summary !== undefined && { summary: values.summary }),
  };
}

/**
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @param {Record<string, string | undefined>} environment
 * @returns {ImportCommand}
 */
function readImport([tool = "", ...targets], values, environment) {
  if (!isTool(tool)) throw new UsageError("import needs to know of what: dbt, soda, or gx");
  const [target, ...more] = targets;
  if (!target)
    throw new UsageError(
      tool === "dbt"
        ? "import dbt needs the folder that dbt writes to, usually target/"
        : `import ${tool} needs files, or folders with files`,
    );
  if (tool === "dbt" && more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, [...importOptions, ...importTools[tool]], `import ${tool}`);
  const source = values.source ?? values["data-source"];
  if (!source) throw new UsageError(`import ${tool} needs a --source, the data source with the tables`);
  return {
    ...{ kind: "import-suite", tool, targets: [target, ...more], source },
    ...serviceIn(values, environment),
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    isDryRun: values["dry-run"] ?? false,
    isAgain: values.again ?? false,
    json: values.json ?? false,
    variables: pairsIn("variable", values.variable),
    tables: pairsIn("table", values.table),
    ...(values.project !== undefined && { project: values.project }),
  };
}

/**
 * @param {string | undefined} verb
 * @returns {verb is keyof typeof asCodeOptions}
 */
const isAsCode = (verb) => verb !== undefined && Object.hasOwn(asCodeOptions, verb);

/**
 * @param {keyof typeof asCodeOptions} verb
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @param {Record<string, string | undefined>} environment
 * @returns {AsCodeCommand}
 */
function readAsCode(verb, [folder, ...more], values, environment) {
  if (!folder) throw new UsageError(`${verb} needs a folder with files`);
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, asCodeOptions[verb], verb);
  const { summary, stack, project } = values;
  return {
    ...{ kind: "as-code", verb, folder },
    ...serviceIn(values, environment),
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    json: values.json ?? false,
    isPruning: values.prune ?? false,
    withSecrets: values.secrets ?? false,
    isTakingBack: values["take-back"] ?? false,
    ...(summary !== undefined && { summary }),
    ...(stack !== undefined && { stack }),
    ...(project !== undefined && { project }),
  };
}

/**
 * @param {string} tool
 * @returns {tool is keyof typeof importTools}
 */
const isTool = (tool) => Object.hasOwn(importTools, tool);

/**
 * @param {string} name
 * @param {string[]} [given]
 * @returns {Record<string, string>}
 */
function pairsIn(name, given = []) {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1 || at === pair.length - 1) throw new UsageError(`--${name} must be <name>=<value>: ${pair}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/**
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @param {Record<string, string | undefined>} environment
 * @returns {ScanCommand}
 */
function readScan([target, ...more], values, environment) {
  if (!target) throw new UsageError("scan needs to know what: a file, a database URL, or a data source");
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, scanOptions, "scan");
  const where = placeOf(target);
  const tables = values.table ?? [];
  if (where === "file" && tables.length > 0 && !isDatabaseFile(target))
    throw new UsageError("A file is one table: it takes no --table");
  if (where === "service" && values.full)
    throw new UsageError("--full is for files and database URLs: the service masks what it keeps");
  return {
    ...{ kind: "scan", target, where, tables },
    ...(where === "service" ? serviceIn(values, environment) : { url: "", key: "" }),
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "3600", 1, 86_400),
    minConfidence: numberIn("min-confidence", values["min-confidence"] ?? "0.7", 0, 1),
    isFull: values.full ?? false,
    json: values.json ?? false,
    ...filesIn(values),
    ...(values["fail-on"] !== undefined && { failOn: failOnIn(values["fail-on"]) }),
  };
}

/**
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @param {Record<string, string | undefined>} environment
 * @returns {TeachCommand}
 */
function readTeach([source, table, ...more], values, environment) {
  if (!source || !table)
    throw new UsageError("teach needs a data source of the service and one of its tables");
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, [], "teach");
  return {
    ...{ kind: "teach", source, table },
    ...serviceIn(values, environment),
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "3600", 1, 86_400),
  };
}

/**
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @param {Record<string, string | undefined>} environment
 * @returns {IncidentsCommand}
 */
function readIncidents([extra], values, environment) {
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`);
  requireOnly(values, incidentOptions, "incidents");
  const failOn = values["fail-on"] === undefined ? undefined : failOnIn(values["fail-on"]);
  if (typeof failOn === "number")
    throw new UsageError(`--fail-on must be one of ${severities.join(", ")} here`);
  return {
    ...{ kind: "incidents", ...serviceIn(values, environment) },
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "600", 1, 86_400),
    json: values.json ?? false,
    ...(values.project !== undefined && { projectId: idIn("project", values.project) }),
    ...(failOn !== undefined && { failOn }),
    ...(values.summary !== undefined && { summary: values.summary }),
  };
}

/**
 * @param {string[]} positionals
 * @param {ReturnType<typeof parsed>["values"]} values
 * @returns {CommentCommand}
 */
function readComment([file, ...more], values) {
  if (!file) throw new UsageError("comment needs a file with Markdown, such as one that --summary wrote");
  if (more.length > 0) throw new UsageError(`${more[0]} is one argument too many`);
  requireOnly(values, ["name"], "comment");
  return {
    ...{ kind: "comment", file, name: values.name ?? "plumbline" },
    timeoutMs: 1000 * numberIn("timeout", values.timeout ?? "60", 1, 86_400),
  };
}

/**
 * Where results are written.
 * @param {ReturnType<typeof parsed>["values"]} values
 */
function filesIn({ junit, sarif, summary }) {
  return {
    ...(junit !== undefined && { junit }),
    ...(sarif !== undefined && { sarif }),
    ...(summary !== undefined && { summary }),
  };
}

/**
 * The kind of target, by its syntax: if it is missing, the error thus names a missing file and not a missing data
 * source.
 * @param {string} target
 */
function placeOf(target) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return "database";
  const isFile = /[\\/]|\.(csv|tsv|tab|psv|txt|parquet|pq|json|jsonl|ndjson)(\.gz|\.zst)?$/i.test(target);
  return isFile || isDatabaseFile(target) ? "file" : "service";
}

/** A database of DuckDB or SQLite. @param {string} target */
const isDatabaseFile = (target) => /\.(duckdb|ddb|db|db3|sqlite|sqlite3)$/i.test(target);

/**
 * @param {string} text
 * @returns {typeof severities[number] | number}
 */
function failOnIn(text) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const severity = severities.find((each) => each === text.toLowerCase());
  if (!severity) throw new UsageError(`--fail-on must be a number, or one of ${severities.join(", ")}`);
  return severity;
}

/**
 * @param {object} values
 * @param {readonly string[]} known
 * @param {string} command
 */
function requireOnly(values, known, command) {
  for (const name of Object.keys(values))
    if (!["url", "timeout", ...known].includes(name)) throw new UsageError(`${command} takes no --${name}`);
}

/**
 * @param {{ url?: string }} values
 * @param {Record<string, string | undefined>} environment
 */
function serviceIn(values, environment) {
  const key = environment.PLUMBLINE_API_KEY?.trim();
  if (!key) throw new UsageError("PLUMBLINE_API_KEY is not set");
  return { url: addressIn(values.url ?? environment.PLUMBLINE_URL ?? "http://localhost:3000"), key };
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
 * @param {number} min
 * @param {number} max
 */
function numberIn(name, text, min, max) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`--${name} must be a number from ${min} to ${max}`);
  return value;
}

/** @param {string} text */
function addressIn(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError("--url must be an http or https address");
  return url.origin + url.pathname.replace(/\/+$/, "");
}
