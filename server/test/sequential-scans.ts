import { sql as statement } from "drizzle-orm";
import { groupDb, sql } from "../db/client.ts";

/**
 * The tables that some work scans in full rather than by an index, including foreign keys' own lookups. PostgreSQL
 * rightly scans small tables, so fill and analyze them before.
 */
export async function sequentiallyRead(tables: string[], work: () => Promise<unknown>): Promise<string[]> {
  const before = await scansOf(tables);
  await work();
  const after = await scansOf(tables);
  return tables.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0));
}

/** How many rows of each table some work reads at most, whether in full or by an index, to find what it wants. */
export async function rowsRead(tables: string[], work: () => Promise<unknown>): Promise<Map<string, number>> {
  const before = await readOf(tables);
  await work();
  return new Map(
    [...(await readOf(tables))].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)]),
  );
}

async function readOf(tables: string[]): Promise<Map<string, number>> {
  await reportCounts();
  const rows = await sql<{ relname: string; read: string }[]>`
    select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_user_tables where relname = any(${tables})`;
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]));
}

/** How many entries of an index some work reads. */
export async function entriesRead(index: string, work: () => Promise<unknown>): Promise<number> {
  const before = await entriesOf(index);
  await work();
  return (await entriesOf(index)) - before;
}

async function entriesOf(index: string): Promise<number> {
  await reportCounts();
  const [row] = await sql<{ idx_tup_read: string }[]>`
    select idx_tup_read from pg_stat_user_indexes where indexrelname = ${index}`;
  if (!row) throw new Error(`There is no index ${index}`);
  return Number(row.idx_tup_read);
}

/** Each connection has its own counts and reports them occasionally: makes all of them report. */
async function reportCounts(): Promise<void> {
  await Promise.all([
    ...Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`),
    ...[1, 2].map(() => groupDb.execute(statement`select pg_stat_force_next_flush(), pg_sleep(0.1)`)),
  ]);
}

async function scansOf(tables: string[]): Promise<Map<string, number>> {
  await reportCounts();
  const rows = await sql<{ relname: string; seq_scan: string }[]>`
    select relname, seq_scan from pg_stat_user_tables where relname = any(${tables})`;
  return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
}
