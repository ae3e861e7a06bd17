import postgres from "postgres";
import { afterAll, inject } from "vitest";

/**
 * Gives a test file its own database, cloned from the migrated template, before anything of the service is imported.
 *
 * Files that share their modules share a connection pool, and so the database's name: each of them finds it made anew.
 * Ids begin higher in each file, so that nothing a module remembers of one id is taken for that of another file.
 */
const { adminUrl, template } = inject("postgres");
const isSharing = inject("sharesModules");
const name = `${template}_${process.pid}`;

const shared = globalThis as { filesOnThisDatabase?: number };
shared.filesOnThisDatabase = (shared.filesOnThisDatabase ?? 0) + 1;

const url = new URL(adminUrl);
url.pathname = `/${name}`;
process.env.DATABASE_URL = url.href;
process.env.DATABASE_POOL = "10";

await asAdmin(async (admin) => {
  await drop(admin);
  // Writing every page of the template to the log, which is the default, takes ten times the processor time.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
});
if (shared.filesOnThisDatabase > 1) await startIdsAt(shared.filesOnThisDatabase * 1_000_000);

afterAll(async () => {
  if (isSharing) return;
  const { closeDatabase } = await import("../db/client.ts");
  await closeDatabase();
  await asAdmin(drop);
});

async function drop(admin: postgres.Sql): Promise<void> {
  await admin.unsafe(`drop database if exists ${name} with (force)`);
}

async function startIdsAt(first: number): Promise<void> {
  const owner = postgres(url.href, { max: 1, onnotice: () => {} });
  await owner`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${first}, false)
    from pg_sequences where schemaname = 'public' and data_type <> 'smallint'::regtype`;
  await owner.end();
}

async function asAdmin(work: (admin: postgres.Sql) => Promise<void>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
