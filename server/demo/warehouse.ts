import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { serviceRole } from "../db/service-role.ts";
import { packageRoot } from "../program-files.ts";
import { datasets, type Row } from "./datasets.ts";
import { replayFlights } from "./feed.ts";

/** The demo's own database, on the same server as the service's, and its read-only login. */
export type WarehouseNames = { database: string; reader: string };
export const demoNames: WarehouseNames = { database: "demo_warehouse", reader: "demo_reader" };

/** A separate connection to the warehouse, as the login in the URL. The caller closes it. */
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
    // Nobody else's login sees it.
    await service.unsafe(`revoke all on database ${names.database} from public`);
  } finally {
    await service.end();
  }
  const reader = await renewReader(databaseUrl, names);
  await allowConnecting(databaseUrl, names);
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

/** Lets the reader connect to the warehouse, and the service's own login if it is another one than this. */
async function allowConnecting(databaseUrl: string, { database, reader }: WarehouseNames): Promise<void> {
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    for (const role of await warehouseRoles(service, reader))
      await service.unsafe(`grant connect on database ${database} to ${role}`);
  } finally {
    await service.end();
  }
}

/** Those of the reader and of the service's role that exist: it only does with the embedded database. */
async function warehouseRoles(connection: Sql | TransactionSql, reader: string): Promise<string[]> {
  const rows = await connection<{ name: string }[]>`
    select rolname as name from pg_roles where rolname in ${connection([reader, serviceRole])}`;
  return rows.map(({ name }) => name);
}

/** The feed is kept up to date by the service's role: it may add and remove departures, and nothing else. */
export async function allowFeeding(warehouse: Sql | TransactionSql): Promise<void> {
  const [found] = await warehouse`select from pg_roles where rolname = ${serviceRole}`;
  if (!found) return;
  await warehouse
    .unsafe(`
    grant usage on schema public to ${serviceRole};
    grant select on flights, departures to ${serviceRole};
    grant insert, delete on departures to ${serviceRole}`)
    .simple();
}

/**
 * The same for a warehouse that an earlier version created, where everyone could connect and nobody else had rights. Does
 * nothing if there is none.
 */
export async function tightenWarehouse(databaseUrl: string, names = demoNames): Promise<void> {
  const service = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [found] = await service`select from pg_database where datname = ${names.database}`;
    if (!found) return;
    await service.unsafe(`revoke all on database ${names.database} from public`);
  } finally {
    await service.end();
  }
  await allowConnecting(databaseUrl, names);
  const warehouse = connectToWarehouse(databaseUrl, names);
  try {
    await allowFeeding(warehouse);
  } finally {
    await warehouse.end();
  }
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
    await allowFeeding(tx);
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
