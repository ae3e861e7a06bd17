import { randomBytes } from "node:crypto";
import { createConnection } from "mysql2/promise";
import { afterAll, inject } from "vitest";
import type { DatabaseConnection } from "../data-sources/connections/database-server.ts";

/**
 * Gives the file that imports this its own database on the test run's MySQL or MariaDB, and drops it at the end.
 * `mysql` is an administrator's connection to it, which can run several statements at once.
 */
const { adminUrl } = inject("mysql");
if (!adminUrl) throw new Error("Set TEST_MYSQL_URL to a MySQL or MariaDB, or run npm test, which brings one");
const url = new URL(adminUrl);
const database = `test_${randomBytes(6).toString("hex")}`;

export const mysqlConnection: DatabaseConnection & { password: string } = {
  host: url.hostname,
  port: Number(url.port || 3306),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database,
  ssl: false,
};

const { ssl: _, ...login } = { ...mysqlConnection, database: undefined };
export const mysql = await createConnection({
  ...login,
  multipleStatements: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  timezone: "Z",
});
await mysql.query(
  `create database ${database} character set utf8mb4; use ${database}; set time_zone = '+00:00'`,
);

/** The rows that an administrator's statement returns, each as its values. */
export async function asAdmin(sql: string, values: (string | number | null)[] = []): Promise<unknown[][]> {
  const [rows] = await mysql.query({ sql, values, rowsAsArray: true });
  return Array.isArray(rows) ? (rows as unknown[][]) : [];
}

afterAll(async () => {
  await mysql.query(`drop database if exists ${database}`);
  await mysql.end();
});
