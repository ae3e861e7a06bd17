import { mkdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbeddedDatabase } from "../server/db/embedded.ts";

/** A PostgreSQL for a benchmark: that of BENCH_DATABASE_URL, or our own, which is kept in .test. */
export async function givenOrOwnServer(
  name: string,
  { connections }: { connections?: number } = {},
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => {} };
  const folder = join(import.meta.dirname, "../.test", name);
  mkdirSync(folder, { recursive: true });
  return startEmbeddedDatabase({ folder, password: "bench", durable: false, connections });
}

export function addressOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates an empty database of this name; returns its address. */
export async function emptyDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`create database ${name}`);
  } finally {
    await admin.end();
  }
  return addressOf(adminUrl, name);
}
