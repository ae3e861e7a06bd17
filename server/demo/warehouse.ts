import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { packageRoot } from "../program-files.ts";
import { datasets, type Row } from "./datasets.ts";
import { replayFlights } from "./feed.ts";

/** The demo's own database, on the same server as the service's, and its read-only login. */
export type WarehouseNames = { database: string; reader: string };
export const demoNames: WarehouseNames = { database: "demo_warehouse", reader: "demo_reader" };

/** A separate connection to the warehouse, as the service's login. The caller closes it. */
export function connectToWarehouse(databaseUrl: string, { database } = demoNames): Sql {
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return postgres(url.href, { max: 1, onnotice: () => {} });
}

export type Reader = { host: string; port: number; database: string; user: string; password: string };

/** Recreates the warehouse, filled with public data. Returns how to reach it as its read-only login. */
export async function createWarehouse(databaseUrl: string, names = demoNames): Promise<Reader> {
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await service.unsafe(`drop database if exists ${names.database} with (force)`);
    await service.unsafe(`create database ${names.database}`);
  } finally {
    await service.end();
  }
  const reader = await renewReader(databaseUrl, names);
  const warehouse = connectToWarehouse(databaseUrl, names);
  try {
    await fill(warehouse, names.reader);
  } finally {
    await warehouse.end();
  }
  return reader;
}

/** Gives the read-only login a new password, generated here and known to nobody else. */
export async function renewReader(databaseUrl: string, names = demoNames): Promise<Reader> {
  const password = randomBytes(24).toString("base64url");
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [existing] = await service`select 1 from pg_roles where rolname = ${names.reader}`;
    // A generated password contains no quotes; role commands don't accept parameters.
    await service.unsafe(
      `${existing ? "alter" : "create"} role ${names.reader} login password '${password}'`,
    );
  } finally {
    await service.end();
  }
  return { ...placeOf(databaseUrl), database: names.database, user: names.reader, password };
}

/** The server's host and port. */
export function placeOf(databaseUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl);
  return { host: hostname, port: Number(port || 5432) };
}

async function fill(warehouse: Sql, reader: string): Promise<void> {
  const tables = await readFile(path.join(packageRoot, "server/demo/warehouse.sql"), "utf8");
  await warehouse.begin(async (tx) => {
    await tx.unsafe(tables).simple();
    for (const [table, readRows] of Object.entries(datasets)) await insert(tx, table, await readRows());
    await tx
      .unsafe(`revoke all on schema public from public; grant usage on schema public to ${reader}`)
      .simple();
    await tx.unsafe(`grant select on all tables in schema public to ${reader}`);
  });
  await replayFlights(warehouse);
  await warehouse.unsafe("analyze");
}

/** PostgreSQL converts each value to its column's type. */
async function insert(tx: TransactionSql, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  await tx.unsafe(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  );
}
