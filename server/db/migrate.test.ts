import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { historyProblem, knownMigrations, migrateDatabase } from "./migrate.ts";

const { adminUrl } = inject("postgres");
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
let name: string;
let url: string;
let database: Sql;
const children: ChildProcess[] = [];

beforeEach(async () => {
  name = `migrate_${randomBytes(6).toString("hex")}`;
  url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  await admin.unsafe(`create database ${name}`);
  database = postgres(url, { max: 3, onnotice: () => {} });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await database.end();
  await admin.unsafe(`drop database if exists ${name} with (force)`);
});
afterAll(() => admin.end());

async function tables(): Promise<number> {
  const [row] = await database<{ count: number }[]>`
    select count(*)::int as count from information_schema.tables where table_schema = 'public'`;
  return row?.count ?? 0;
}

async function applied(): Promise<number[]> {
  const rows = await database`select created_at::float8 as at from drizzle.__drizzle_migrations order by id`;
  return rows.map(({ at }) => at);
}

/** A separate process that migrates the database and exits. */
function migrateElsewhere(): ChildProcess {
  const script = `
    import { migrateDatabase } from ${JSON.stringify(join(import.meta.dirname, "migrate.ts"))};
    await migrateDatabase(${JSON.stringify(url)});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: "inherit",
  });
  children.push(child);
  return child;
}

/** The number of sessions of this database that wait for this advisory lock. */
async function waiting(lock: number): Promise<number> {
  const [row] = await admin<{ count: number }[]>`
    select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where datname = ${name} and locktype = 'advisory' and not granted and objid = ${lock}`;
  return row?.count ?? 0;
}

test("processes that start at once on an empty database migrate it once", async () => {
  await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
  expect(await applied()).toEqual(knownMigrations());
  expect(await tables()).toBeGreaterThan(10);
});

test("a process killed midway leaves nothing, and the one that waited does everything", {
  timeout: 180_000,
}, async () => {
  // The table `subscriptions` is created midway: its creation blocks while we hold the lock.
  await database.unsafe(`
    create function stop_here() returns event_trigger language plpgsql as $$
      begin
        if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.subscriptions') then
          perform pg_advisory_xact_lock(4711);
        end if;
      end $$;
    create event trigger stop_in_the_middle on ddl_command_end when tag in ('CREATE TABLE')
      execute function stop_here();`);
  const gate = await database.reserve();
  await gate`select pg_advisory_lock(4711)`;

  const killed = migrateElsewhere();
  await expect.poll(() => waiting(4711), { timeout: 15_000 }).toBe(1);
  const next = migrateElsewhere();
  await expect.poll(() => waiting(7_586_254), { timeout: 15_000 }).toBe(1);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await tables()).toBe(0);

  const ended = once(next, "exit");
  await gate`select pg_advisory_unlock(4711)`;
  gate.release();
  expect(await ended).toEqual([0, null]);
  expect(await applied()).toEqual(knownMigrations());
  expect(await tables()).toBeGreaterThan(10);
});

test("a database used by a newer version is rejected and left unchanged", async () => {
  await migrateDatabase(url);
  const newer = (knownMigrations().at(-1) ?? 0) + 1;
  await database`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', ${newer})`;
  // This version would create it again if it migrated.
  await database`delete from drizzle.__drizzle_migrations where created_at = ${knownMigrations().at(-1) ?? 0}`;
  const before = await applied();
  await expect(migrateDatabase(url)).rejects.toThrow(
    /^the database migrate_\w+ on [^ ]+ was used by a newer version of Plumbline, .+: start the newer version, or restore a backup from before the upgrade$/,
  );
  expect(await applied()).toEqual(before);
});

test("a database that lacks a migration before its latest is rejected", () => {
  expect(historyProblem([1, 3], [1, 2, 3])).toMatch(/^lacks a migration/);
  expect(historyProblem([1, 2], [1, 2, 3])).toBeNull();
  expect(historyProblem([], [1, 2, 3])).toBeNull();
});

test("migrations only go forward: each is newer than the previous one, and none is omitted", () => {
  const folder = join(import.meta.dirname, "../../drizzle");
  const { entries } = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  // Drizzle skips a migration that is older than the last one applied.
  expect(entries.map(({ when }) => when)).toEqual(
    [...new Set(entries.map(({ when }) => when))].sort((a, b) => a - b),
  );
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
});

test("a missing database is named in the error", async () => {
  const missing = Object.assign(new URL(url), { pathname: "/no_such_database" }).href;
  await expect(migrateDatabase(missing)).rejects.toThrow(
    /^the database no_such_database on [^ ]+ cannot be used: database "no_such_database" does not exist$/,
  );
});

test("query changes that were pending or decided in an earlier version are kept, with the same numbers", async () => {
  const folder = join(import.meta.dirname, "../../drizzle");
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const moving = migrations.findIndex((text) => text.includes('CREATE TABLE "query_approvals"'));
  for (const text of migrations.slice(0, moving)) await database.unsafe(text);
  await database.unsafe(`
    insert into users (email, name, role) values ('a@example.com', 'Ada', 'Admin'), ('e@example.com', 'Eve', 'Editor');
    insert into projects (name) values ('Shop');
    insert into queries (project_id, name) values (1, 'Orders'), (1, 'Returns');
    insert into query_versions (query_id, number, status, base_number, change_summary, created_by_id, created_at,
        decided_by_id, decided_at, decision_comment) values
      (1, 1, 'Archived', null, null, 2, '2026-01-01', null, null, null),
      (1, 2, 'Superseded', 1, 'First try', 2, '2026-01-02', null, null, null),
      (1, 3, 'Archived', 1, 'Better', 2, '2026-01-03', 1, '2026-01-04', 'Fine'),
      (1, 4, 'Rejected', 3, null, 2, '2026-01-05', 1, '2026-01-06', null),
      (1, 5, 'Active', 3, null, 2, '2026-01-07', 1, '2026-01-08', null),
      (2, 1, 'Active', null, null, 2, '2026-01-09', null, null, null),
      (2, 2, 'PendingApproval', 1, 'Waits', 2, '2026-01-10', null, null, null)`);
  await database.unsafe(migrations[moving] ?? "");
  const kept = await database`
    select id, kind, status, query_id, version_id, base_number, summary, requested_by_id,
      created_at::date::text as created, decided_by_id, decided_at::date::text as decided, decision_comment
    from query_approvals order by id`;
  const kind = "Change";
  const by = { requested_by_id: 2, kind };
  const undecided = { decided_by_id: null, decided: null, decision_comment: null };
  expect(kept.map((row) => ({ ...row }))).toEqual([
    {
      ...{ id: 2, status: "Superseded", query_id: 1, version_id: 2, base_number: 1, summary: "First try" },
      ...{ ...by, created: "2026-01-02", ...undecided },
    },
    {
      ...{ id: 3, status: "Approved", query_id: 1, version_id: 3, base_number: 1, summary: "Better" },
      ...{ ...by, created: "2026-01-03", decided_by_id: 1, decided: "2026-01-04", decision_comment: "Fine" },
    },
    {
      ...{ id: 4, status: "Rejected", query_id: 1, version_id: 4, base_number: 3, summary: null },
      ...{ ...by, created: "2026-01-05", decided_by_id: 1, decided: "2026-01-06", decision_comment: null },
    },
    {
      ...{ id: 5, status: "Approved", query_id: 1, version_id: 5, base_number: 3, summary: null },
      ...{ ...by, created: "2026-01-07", decided_by_id: 1, decided: "2026-01-08", decision_comment: null },
    },
    {
      ...{ id: 7, status: "Pending", query_id: 2, version_id: 7, base_number: 1, summary: "Waits" },
      ...{ ...by, created: "2026-01-10", ...undecided },
    },
  ]);
  // The active version counts as reviewed, and the next request has its own number.
  expect(await database`select from queries where unreviewed_version is not null`).toHaveLength(0);
  const [next] = await database`
    insert into query_approvals (kind, query_id, version_id, base_number) values ('FirstRun', 1, 5, 5) returning id`;
  expect(next?.id).toBe(8);
});
