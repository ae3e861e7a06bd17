import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, inject } from "vitest";

/**
 * Gives a test file its own database, cloned from the migrated template, before anything of the service is imported,
 * and drops it afterwards.
 */
const { adminUrl, template } = inject("postgres");
const name = `test_${randomBytes(6).toString("hex")}`;

const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
// Writing every page of the template to the log, which is the default, takes ten times the processor time.
await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
await admin.end();

const url = new URL(adminUrl);
url.pathname = `/${name}`;
process.env.DATABASE_URL = url.href;
process.env.DATABASE_POOL = "10";

afterAll(async () => {
  const { closeDatabase } = await import("../db/client.ts");
  await closeDatabase();
  const again = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await again.unsafe(`drop database if exists ${name} with (force)`);
  await again.end();
});
