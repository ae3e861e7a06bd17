import type { Sql } from "postgres";

/**
 * Copies all executions into `partitioned`, with the same columns, references, and indexes, and a partition for each month.
 * Unique indexes also have the time, as PostgreSQL demands. Returns the number of partitions.
 */
export async function partitionByMonth(client: Sql): Promise<number> {
  await client.unsafe(`
    create table partitioned (like executions including defaults including identity) partition by range (executed_at);
    alter table partitioned add primary key (id, executed_at);
    alter table partitioned add foreign key (subscription_id) references subscriptions (id)`);
  const indexes = await client<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'executions'::regclass and not indisprimary`;
  const months = await client<{ month: string }[]>`
    select to_char(month, 'YYYY-MM-DD') as month from generate_series(
      (select date_trunc('month', min(executed_at)) from executions), date_trunc('month', now()), interval '1 month') as month`;
  for (const { month } of months)
    await client.unsafe(`
      create table partitioned_${month.slice(0, 7).replace("-", "_")} partition of partitioned
      for values from ('${month}') to ('${monthAfter(month)}')`);
  await client`insert into partitioned overriding system value select * from executions order by executed_at`;
  for (const { name, definition } of indexes)
    await client.unsafe(
      definition
        .replace(` ${name} `, ` partitioned_${name} `)
        .replace(" ON public.executions ", " ON partitioned ")
        .replace(/^(CREATE UNIQUE .*)\)/, "$1, executed_at)"),
    );
  await client`select setval(pg_get_serial_sequence('partitioned', 'id'), (select max(id) from executions))`;
  return months.length;
}

/** The first day of the month after this one. */
function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}
