import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { datasets, type Row } from "./datasets.ts";
import { replayFlights } from "./feed.ts";

/** The demo's own database, beside the service's on the same server, and the login that may only read it. */
export type WarehouseNames = { database: string; reader: string };
export const demoNames: WarehouseNames = { database: "demo_warehouse", reader: "demo_reader" };

/** A connection of its own to the warehouse, as the service's login. The caller ends it. */
export function connectToWarehouse(databaseUrl: string, { database } = demoNames): Sql {
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return postgres(url.href, { max: 1, onnotice: () => {} });
}

export type Reader = { host: string; port: number; database: string; user: string; password: string };

/** Makes the warehouse anew, filled with public data. Answers how its SELECT-only login reaches it. */
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

/** Gives the SELECT-only login a new password, which is made here and is in nobody else's hands. */
export async function renewReader(databaseUrl: string, names = demoNames): Promise<Reader> {
  const password = randomBytes(24).toString("base64url");
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [existing] = await service`select 1 from pg_roles where rolname = ${names.reader}`;
    // A generated password has no quote in it; role commands take no bound values.
    await service.unsafe(
      `${existing ? "alter" : "create"} role ${names.reader} login password '${password}'`,
    );
  } finally {
    await service.end();
  }
  return { ...placeOf(databaseUrl), database: names.database, user: names.reader, password };
}

/** Where the server listens. */
export function placeOf(databaseUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl);
  return { host: hostname, port: Number(port || 5432) };
}

async function fill(warehouse: Sql, reader: string): Promise<void> {
  const tables = await readFile(path.join(process.cwd(), "server/db/demo/warehouse.sql"), "utf8");
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

/** PostgreSQL reads each value by its column's type. */
async function insert(tx: TransactionSql, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  await tx.unsafe(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  );
}
