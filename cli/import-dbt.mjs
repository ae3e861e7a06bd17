import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import {
  reduceCatalog,
  reduceManifest,
  reduceRunResults,
} from "../server/data-quality/imports/dbt/reduce-manifest.mjs";
import { isId } from "./arguments.mjs";
import { call, ServiceError } from "./client.mjs";
import { plain } from "./report.mjs";

/**
 * @typedef {import("./arguments.mjs").DbtCommand} DbtCommand
 * @typedef {{ new: number, updated: number }} Changes
 * @typedef {{
 *   project: string, version: string, warnings: string[],
 *   missingTables: { schemaName: string, tableName: string, tests: number }[],
 *   notCarried: { path: string, reason: string }[],
 *   tables: { schemaName: string, tableName: string, rules: { name: string, fate: string, reason: string | null }[] }[],
 *   totals: {
 *     tests: number, carried: number, descriptions: number, contracts: Changes & { archived: number },
 *     rules: Changes & { unchanged: number, kept: number, removed: number },
 *   },
 * }} Plan
 */

/**
 * Imports the tests of a dbt project, or shows what would happen. Its files may be of any size: only what is needed is
 * read into memory and sent.
 * @param {DbtCommand} command
 */
export async function importDbt(command) {
  const service = { url: command.url, key: command.key, deadline: Date.now() + command.timeoutMs };
  const manifest = await reduced(command.folder, "manifest.json", reduceManifest);
  if (!manifest) throw new Error(`${join(command.folder, "manifest.json")} cannot be read (ENOENT)`);
  const runResults = await reduced(command.folder, "run_results.json", reduceRunResults);
  const catalog = await reduced(command.folder, "catalog.json", reduceCatalog);
  const json = {
    dataSourceId: await sourceId(service, command.source),
    ...{ manifest, again: command.isAgain },
    ...(runResults && { runResults }),
    ...(catalog && { catalog }),
  };
  const path = `/data-quality/imports/dbt${command.isDryRun ? "/preview" : ""}`;
  const plan = /** @type {Plan} */ (await call(service, "POST", path, { json }));
  process.stdout.write(command.json ? `${JSON.stringify(plan, null, 2)}\n` : planInWords(plan, command));
}

/**
 * @template T
 * @param {string} folder
 * @param {string} name
 * @param {(chunks: AsyncIterable<Uint8Array>) => Promise<T>} reduce
 * @returns {Promise<T | null>} null if there is no such file
 */
async function reduced(folder, name, reduce) {
  const file = join(folder, name);
  if (!existsSync(file)) return null;
  try {
    return await reduce(createReadStream(file, { highWaterMark: 1024 * 1024 }));
  } catch (error) {
    throw new Error(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
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
 * @param {DbtCommand} command
 */
function planInWords(plan, { isDryRun }) {
  const { contracts, rules, ...totals } = plan.totals;
  const kept = plan.tables.flatMap((table) =>
    table.rules
      .filter(({ fate }) => fate === "Kept")
      .map((rule) => `  left alone: ${table.schemaName}.${table.tableName}, ${rule.name}: ${rule.reason}`),
  );
  const lines = [
    `${plan.project}: ${plan.version}`,
    ...plan.warnings,
    `${isDryRun ? "Would carry over" : "Carried over"} ${totals.carried} of ${totals.tests} tests`,
    `  contracts: ${contracts.new} new, ${contracts.updated} updated, ${contracts.archived} archived`,
    `  rules: ${rules.new} new, ${rules.updated} updated, ${rules.unchanged} unchanged, ${rules.kept} left alone, ${rules.removed} removed`,
    `  descriptions: ${totals.descriptions}`,
    ...kept,
    ...plan.missingTables.map(
      ({ schemaName, tableName, tests }) =>
        `  no such table: ${schemaName}.${tableName} (tests not imported: ${tests})`,
    ),
    ...plan.notCarried.map(({ path, reason }) => `  not carried over: ${path}: ${reason}`),
  ];
  return `${lines.map(plain).join("\n")}\n`;
}
