import { sql } from "../db/client.ts";

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

async function scansOf(tables: string[]): Promise<Map<string, number>> {
  // Each connection has its own counts and reports them occasionally: makes all of them report.
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`));
  const rows = await sql<{ relname: string; seq_scan: string }[]>`
    select relname, seq_scan from pg_stat_user_tables where relname = any(${tables})`;
  return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
}
