import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { migrateDatabase } from "./migrate.ts";

const { adminUrl } = inject("postgres");
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
const name = `migrate_${randomBytes(6).toString("hex")}`;
const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;

afterAll(async () => {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.end();
});

test("processes that start at once on an empty database migrate it once", async () => {
  await admin.unsafe(`create database ${name}`);
  await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
  const client = postgres(url, { max: 1 });
  const done = await client`select hash from drizzle.__drizzle_migrations`;
  const [{ tables } = { tables: 0 }] = await client<{ tables: number }[]>`
    select count(*)::int as tables from information_schema.tables where table_schema = 'public'`;
  await client.end();
  expect(new Set(done.map(({ hash }) => hash)).size).toBe(done.length);
  expect(tables).toBeGreaterThan(10);
});

test("a database that does not exist is named", async () => {
  const missing = Object.assign(new URL(url), { pathname: "/no_such_database" }).href;
  await expect(migrateDatabase(missing)).rejects.toThrow(
    /^the database no_such_database on [^ ]+ cannot be used: database "no_such_database" does not exist$/,
  );
});
