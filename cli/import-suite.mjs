import { basename } from "node:path";
import { isId } from "./arguments.mjs";
import { call, ServiceError } from "./client.mjs";
import { filesIn, read } from "./files.mjs";
import { dbtFiles } from "./import-dbt.mjs";
import { plain } from "./report.mjs";

/**
 * @typedef {import("./arguments.mjs").ImportCommand} ImportCommand
 * @typedef {{ new: number, updated: number }} Changes
 * @typedef {{
 *   project: string, version: string, warnings: string[],
 *   missingTables: { schemaName: string, tableName: string, tests: number }[],
 *   notCarried: { path: string, reason: string }[],
 *   tables: { schemaName: string, tableName: string, rules: { name: string, fate: string, reason: string | null }[] }[],
 *   totals: {
 *     tests: number, carried: number, descriptions: number, tags: number, contracts: Changes & { archived: number },
 *     rules: Changes & { unchanged: number, kept: number, removed: number },
 *   },
 * }} Plan
 */

/**
 * Imports another tool's checks, or shows what would happen.
 * @param {ImportCommand} command
 */
export async function importSuite(command) {
  const service = { url: command.url, key: command.key, deadline: Date.now() + command.timeoutMs };
  const files = await filesOf(command);
  const json = {
    dataSourceId: await sourceId(service, command.source),
    ...{ ...files, again: command.isAgain },
    ...(command.project !== undefined && { project: command.project }),
  };
  const path = `/data-quality/imports/${command.tool}${command.isDryRun ? "/preview" : ""}`;
  const plan = /** @type {Plan} */ (await call(service, "POST", path, { json }));
  process.stdout.write(command.json ? `${JSON.stringify(plan, null, 2)}\n` : planInWords(plan, command));
}

/**
 * What the service is sent of a tool's files.
 * @param {ImportCommand} command
 * @returns {Promise<Record<string, unknown>>}
 */
async function filesOf({ tool, targets, variables, tables }) {
  if (tool === "dbt") return dbtFiles(targets[0]);
  if (tool === "soda") {
    const found = filesIn(targets, [".yml", ".yaml"]);
    return { files: found.map((path) => ({ path, yaml: read(path) })), variables };
  }
  const found = filesIn(targets, [".json"]);
  return {
    files: found.map((path) => {
      const suite = suiteIn(path);
      const names = [suite?.expectation_suite_name, suite?.name, basename(path), path];
      const table = names.map((name) => tables[String(name)]).find((each) => each !== undefined);
      return { path, suite, ...(table !== undefined && { table }) };
    }),
  };
}

/** @param {string} path */
function suiteIn(path) {
  try {
    return JSON.parse(read(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${path} is not valid JSON (${error.message})`);
  }
}

/**
 * @param {{ url: string, key: string, deadline: number }} service
 * @param {string} source
 */
async function sourceId(service, source) {
  if (isId(source)) return Number(source);
  const { items } = /** @type {{ items: { id: number, name: string }[] }} */ (
    await call(service, "GET", "/data-sources")
  );
  const found = items.filter(({ name }) => name === source);
  if (found.length === 0) throw new ServiceError(`There is no data source named ${plain(source)}`);
  if (found.length > 1)
    throw new ServiceError(`Several data sources are named ${plain(source)}: give its id instead`);
  return Number(found[0]?.id);
}

/**
 * @param {Plan} plan
 * @param {import("./arguments.mjs").ImportCommand} command
 */
function planInWords(plan, { isDryRun, tool }) {
  const thing = { dbt: "tests", soda: "checks", gx: "expectations" }[tool];
  const { contracts, rules, ...totals } = plan.totals;
  const kept = plan.tables.flatMap((table) =>
    table.rules
      .filter(({ fate }) => fate === "Kept")
      .map((rule) => `  left alone: ${table.schemaName}.${table.tableName}, ${rule.name}: ${rule.reason}`),
  );
  // Tests of missing tables are summed up by table.
  const missing = new Set(
    plan.missingTables.map(({ schemaName, tableName }) => noTable(schemaName, tableName)),
  );
  const notCarried = plan.notCarried.filter(({ reason }) => !missing.has(reason));
  const lines = [
    `${plan.project}: ${plan.version}`,
    ...plan.warnings,
    `${isDryRun ? "Would carry over" : "Carried over"} ${totals.carried} of ${totals.tests} ${thing}`,
    `  contracts: ${contracts.new} new, ${contracts.updated} updated, ${contracts.archived} archived`,
    `  rules: ${rules.new} new, ${rules.updated} updated, ${rules.unchanged} unchanged, ${rules.kept} left alone, ${rules.removed} removed`,
    `  descriptions: ${totals.descriptions}`,
    `  tags of tables: ${totals.tags}`,
    ...kept,
    ...plan.missingTables.map(
      ({ schemaName, tableName, tests }) =>
        `  no such table: ${schemaName}.${tableName} (${thing} not imported: ${tests})`,
    ),
    ...notCarried.map(({ path, reason }) => `  not carried over: ${path}: ${reason}`),
  ];
  return `${lines.map(plain).join("\n")}\n`;
}

/**
 * The service's reason for each test of a missing table.
 * @param {string} schemaName
 * @param {string} tableName
 */
const noTable = (schemaName, tableName) => `The data source has no table ${schemaName}.${tableName}`;
