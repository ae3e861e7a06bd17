import { setTimeout as sleep } from "node:timers/promises";
import { isId } from "./arguments.mjs";
import { call, ServiceError } from "./client.mjs";

/**
 * @typedef {import("./arguments.mjs").ScanCommand} ScanCommand
 * @typedef {import("./scan.mjs").Scan} Scan
 * @typedef {import("./scan.mjs").Finding} Finding
 * @typedef {import("./scan.mjs").TableName} TableName
 * @typedef {{ url: string, key: string, deadline: number }} Service
 */

/** The maximum number of concurrent requests for samples. */
const atOnce = 4;

/**
 * Has the service scan a data source, waits for it, and fetches the findings. Throws ServiceError.
 * @param {ScanCommand} command
 * @param {import("./scan.mjs").ProgressLine} progress
 * @returns {Promise<Omit<Scan, "seconds">>}
 */
export async function scanByService(command, progress) {
  const service = { url: command.url, key: command.key, deadline: Date.now() + command.timeoutMs };
  const { id: dataSourceId } = await dataSourceNamed(service, command.target);
  const tables = await tablesNamed(service, dataSourceId, command.tables);
  const scan = await scanAgain(service, { dataSourceId, ...(tables && { tables }) }, progress);
  const all = await openFindings(
    service,
    `dataSourceId=${dataSourceId}&minConfidence=${command.minConfidence}`,
  );
  const found = tables ? all.filter((each) => tables.some((table) => isSame(table, each))) : all;
  return {
    findings: await withSamples(service, found),
    ...{ rowsRead: scan.rowsRead, tableCount: scan.tablesDone - scan.skipped.length, skipped: scan.skipped },
    notes: scan.notes ?? [],
  };
}

/**
 * Starts a scan, or joins the one in progress, and waits until it has completed. Throws ServiceError.
 * @param {Service} service
 * @param {{ dataSourceId: number, tables?: TableName[] }} asked
 * @param {import("./scan.mjs").ProgressLine} progress
 */
export async function scanAgain(service, asked, progress) {
  const path = "/data-quality/findings/scans";
  let scan = /** @type {any} */ (await call(service, "POST", path, { json: asked }));
  for (let waitMs = 100; scan.status === "Running"; waitMs = Math.min(2000, waitMs * 1.5)) {
    progress.show(scan);
    if (Date.now() + waitMs > service.deadline) throw new ServiceError("The scan did not end in time");
    await sleep(waitMs);
    scan = await call(service, "GET", `${path}/${scan.id}`);
  }
  if (scan.status === "Failed") throw new ServiceError(`The scan failed: ${scan.error}`);
  if (scan.status === "Stopped") throw new ServiceError("The scan was stopped by someone");
  return scan;
}

/**
 * @param {Service} service
 * @param {string} name
 */
export async function dataSourceNamed(service, name) {
  const { items } = /** @type {{ items: { id: number, name: string }[] }} */ (
    await call(service, "GET", "/data-sources")
  );
  const byId = isId(name) ? items.filter(({ id }) => id === Number(name)) : [];
  const found = byId.length > 0 ? byId : items.filter((each) => each.name === name);
  const [only, ...others] = found;
  if (!only) throw new ServiceError(`There is no data source ${name}`);
  if (others.length > 0)
    throw new ServiceError(
      `There are ${found.length} data sources named ${name}: use an id (${found.map(({ id }) => id).join(", ")})`,
    );
  return only;
}

/**
 * null for all tables.
 * @param {Service} service
 * @param {number} dataSourceId
 * @param {string[]} names
 * @returns {Promise<TableName[] | null>}
 */
export async function tablesNamed(service, dataSourceId, names) {
  if (names.length === 0) return null;
  const { items } = /** @type {{ items: { schemaName: string, tables: { tableName: string }[] }[] }} */ (
    await call(service, "GET", `/data-sources/${dataSourceId}/schema`)
  );
  const all = items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName }) => ({ schemaName, tableName })),
  );
  return names.flatMap((name) => {
    const found = all.filter(
      ({ schemaName, tableName }) => tableName === name || `${schemaName}.${tableName}` === name,
    );
    if (found.length === 0) throw new ServiceError(`There is no table ${name}`);
    return found;
  });
}

/**
 * @param {Service} service
 * @param {string} filter
 * @returns {Promise<any[]>}
 */
export async function openFindings(service, filter) {
  const found = [];
  for (let page = 0; ; page++) {
    const answer = /** @type {{ items: any[], totalCount: number }} */ (
      await call(service, "GET", `/data-quality/findings?${filter}&status=Open&page=${page}&pageSize=500`)
    );
    found.push(...answer.items);
    if (answer.items.length === 0 || found.length >= answer.totalCount) return found;
  }
}

/**
 * @param {Service} service
 * @param {any[]} findings
 * @returns {Promise<Finding[]>}
 */
async function withSamples(service, findings) {
  /** @type {Finding[]} */
  const all = [];
  for (let from = 0; from < findings.length; from += atOnce)
    all.push(
      ...(await Promise.all(
        findings.slice(from, from + atOnce).map(async (each) => ({
          ...each,
          // Missing rows have no sample.
          sample:
            each.failingRows === 0
              ? null
              : await call(service, "GET", `/data-quality/findings/${each.id}/samples`).catch(() => null),
        })),
      )),
    );
  return all;
}

/**
 * @param {TableName} one
 * @param {TableName} other
 */
const isSame = (one, other) => one.schemaName === other.schemaName && one.tableName === other.tableName;
