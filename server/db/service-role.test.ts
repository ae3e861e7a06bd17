import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replayFlights } from "../demo/feed.ts";
import { createWarehouse, tightenWarehouse } from "../demo/warehouse.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "./embedded.ts";
import { migrateDatabase } from "./migrate.ts";
import { provideServiceRole, serviceUrl } from "./service-role.ts";

/** An installation with the embedded database, as the process opens it, with the demo's warehouse. */
const folder = mkdtempSync(join(tmpdir(), "plumbline-role-"));
let server: EmbeddedDatabase;
let reader: Awaited<ReturnType<typeof createWarehouse>>;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  server = await startEmbeddedDatabase({ folder, password: "a password of sixteen", durable: false });
  await migrateDatabase(server.url);
  await provideServiceRole(server.url);
  reader = await createWarehouse(server.url);
}, 240_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function as<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
const urlOf = (user: string, password: string, database: string) => {
  const url = new URL(server.url);
  Object.assign(url, { username: user, password, pathname: `/${database}` });
  return url.href;
};
const inWarehouse = (url: string) => Object.assign(new URL(url), { pathname: "/demo_warehouse" }).href;

test("the service's role is no superuser, and works on every table", async () => {
  await as(serviceUrl(server.url), async (sql) => {
    const [role] = await sql`
      select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`;
    expect(role).toEqual({
      ...{ rolname: "plumbline_service", rolsuper: false, rolcreatedb: false, rolcreaterole: false },
      ...{ rolreplication: false, rolbypassrls: false },
    });
    const lacking = await sql`
      select c.relname, p.privilege from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as p(privilege)
      where c.relkind in ('r', 'v') and c.relnamespace = 'public'::regnamespace
        and not has_table_privilege(c.oid, p.privilege)`;
    expect(lacking).toEqual([{ relname: "audit_log", privilege: "DELETE" }]);
    const [made] = await sql`insert into projects (name) values ('Flights') returning id`;
    await sql`update projects set name = 'Sales' where id = ${made?.id}`;
    await sql`delete from projects where id = ${made?.id}`;
    await sql`insert into audit_log (principal_kind, principal_name, action, object_kind) values ('System', 'x', 'x', 'x')`;
    expect(await sql`select remove_old_audit_entries(interval '400 days', 10) as removed`).toEqual([
      { removed: 0 },
    ]);
  });
});

test.each([
  "create table t (n int)",
  "alter table projects add column x int",
  "drop table projects",
  "truncate projects",
  "alter table audit_log disable trigger all",
  "delete from audit_log",
  "set session_replication_role = replica",
  "create role x",
  "create database x",
  "alter system set log_statement = 'all'",
  "copy projects to program 'true'",
  "select pg_read_file('PG_VERSION')",
  "select passwd from pg_shadow",
  "update drizzle.__drizzle_migrations set hash = ''",
])("the service's role cannot: %s", async (statement) => {
  await expect(as(serviceUrl(server.url), (sql) => sql.unsafe(statement))).rejects.toMatchObject({
    code: "42501",
  });
});

test("the demo's login reads the warehouse, and cannot connect to anything else", async () => {
  const { user, password } = reader;
  await as(urlOf(user, password, "demo_warehouse"), async (sql) => {
    expect(await sql`select count(*)::int as rows from airports`).toEqual([{ rows: 3376 }]);
    await expect(sql`delete from airports`).rejects.toMatchObject({ code: "42501" });
    await expect(sql`create table t (n int)`).rejects.toMatchObject({ code: "42501" });
    await expect(sql`create temp table t (n int)`).rejects.toMatchObject({ code: "42501" });
    await expect(sql`select pg_ls_dir('.')`).rejects.toMatchObject({ code: "42501" });
    await expect(sql`select passwd from pg_shadow`).rejects.toMatchObject({ code: "42501" });
  });
  for (const database of ["plumbline", "postgres", "template1"])
    await expect(as(urlOf(user, password, database), (sql) => sql`select 1`)).rejects.toMatchObject({
      code: "42501",
      message: expect.stringContaining("permission denied for database"),
    });
});

test("the service's role feeds the departures, and changes nothing else there", async () => {
  await as(inWarehouse(serviceUrl(server.url)), async (sql) => {
    await replayFlights(sql, new Date(Date.now() + 60_000));
    for (const statement of ["delete from airports", "truncate departures", "create table t (n int)"])
      await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("a warehouse of an earlier version is closed to others at the next start", async () => {
  await as(server.url, (sql) => sql.unsafe("grant connect on database demo_warehouse to public"));
  await as(server.url, (sql) => sql.unsafe("create role someone login password 'x'"));
  const connecting = () => as(urlOf("someone", "x", "demo_warehouse"), (sql) => sql`select 1`);
  await connecting();
  await provideServiceRole(server.url);
  await tightenWarehouse(server.url);
  await expect(connecting()).rejects.toMatchObject({ code: "42501" });
  expect(await as(inWarehouse(serviceUrl(server.url)), (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
});
