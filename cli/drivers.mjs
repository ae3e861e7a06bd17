import { createRequire } from "node:module";

/** What reads a file. */
const ofFiles = "@duckdb/node-api";

/**
 * What reads a database, by the scheme of its URL. PostgreSQL, Trino, Snowflake, and BigQuery need nothing.
 * @type {Record<string, string>}
 */
const byScheme = {
  ...{ mysql: "mysql2", mariadb: "mysql2", mssql: "tedious", sqlserver: "tedious" },
  clickhouse: "@clickhouse/client",
};

/** The packages that the command needs for some files and databases only: its optional peers, where it is a package. */
export const drivers = [ofFiles, ...new Set(Object.values(byScheme))];

/**
 * The package that reads a file, or a database by its URL, unless none is needed.
 * @param {string} target
 */
export function driverOf(target) {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(target) ?? [];
  return scheme === undefined ? ofFiles : byScheme[scheme.toLowerCase()];
}

/**
 * Throws Error with what to install if the package that reads a target is missing.
 * @param {string} target
 */
export function requireDriver(target) {
  const driver = driverOf(target);
  if (driver === undefined || isInstalled(driver)) return;
  const what = driver === ofFiles ? "A file" : "This database";
  throw new Error(
    `${what} is read by ${driver}, which is not installed. Run: npm install plumbline ${driver}`,
  );
}

/** @param {string} name */
function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
