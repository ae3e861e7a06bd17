import postgres from "postgres";
import { addressOf, emptyDatabase } from "../../database.ts";
import { serverCpu } from "../../server-cpu.ts";
import { everyValueOfOrders, nameOfTable, type ScannedServer } from "./scanned-server.ts";

/** A PostgreSQL server; the large table is kept in a database of its own for the next run. */
export async function onPostgreSql(adminUrl: string): Promise<ScannedServer> {
  const url = addressOf(adminUrl, "plumbline_bench_scanned");
  await createIfMissing(adminUrl, "plumbline_bench_scanned");
  const client = postgres(url, { max: 2, onnotice: () => {} });
  return {
    kind: "PostgreSql",
    url,
    cpu: await serverCpu(client),

    async buildOrders(rows, say) {
      const [there] = await client`select to_regclass('orders') is not null as is`;
      if (there?.is) {
        const [count] = await client`select count(*)::float8 as rows from orders`;
        if (count?.rows === rows) return;
        await client`drop table orders`;
      }
      say(`Building a table of ${rows.toLocaleString("en")} rows`);
      await client.unsafe(createOrders);
      await client.unsafe(insertOrders(rows));
      await client`vacuum analyze orders`;
    },

    async buildManyTables(tables, rows, say) {
      say(`Building ${tables.toLocaleString("en")} tables of ${rows.toLocaleString("en")} rows`);
      const url = await emptyDatabase(adminUrl, "plumbline_bench_many");
      const many = postgres(url, { max: 1, onnotice: () => {} });
      try {
        for (let from = 0; from < tables; from += 50)
          await many.unsafe(
            Array.from({ length: Math.min(50, tables - from) }, (_, index) =>
              createTable(from + index, rows),
            ).join(";\n"),
          );
        await many`analyze`;
      } finally {
        await many.end();
      }
      return url;
    },

    async countOrders() {
      await client`select count(*) from orders`;
    },
    async readOrders() {
      await client.unsafe(everyValueOfOrders);
    },
    async scansOfOrders() {
      // Blocks, from memory or disk.
      const [read] = await client`
        select (heap_blks_read + heap_blks_hit)::float8 / nullif(relpages, 0) as scans
        from pg_statio_user_tables join pg_class on oid = relid where pg_class.relname = 'orders'`;
      return Number(read?.scans);
    },
    close: () => client.end(),
  };
}

const createOrders = `
  create table orders (
    id bigint primary key, order_no text, customer_id integer, product_id integer, quantity integer,
    price numeric(12, 2), discount numeric(4, 2), total numeric(14, 2), status text, country text,
    created_at timestamptz, shipped_at timestamptz)`;

/** Orders with a few faults of many kinds, like a real business table. */
const insertOrders = (rows: number) => `
  insert into orders
  select n, case when n % 400000 = 7 then 'ORD ' || n else 'ORD-' || lpad(n::text, 9, '0') end,
    1 + (n * 7919) % 200000, 1 + (n * 104729) % 5000, quantity,
    case when n % 700000 = 11 then price * 1000 else price end, 0,
    quantity * price + case when n % 600000 = 13 then 1 else 0 end,
    case when n % 500000 = 17 then 'payed' else (array['paid', 'open', 'sent', 'returned'])[1 + n % 4] end,
    case when n % 300000 = 19 then null else (array['Germany', 'France', 'Spain', 'Italy', 'Austria'])[1 + n % 5] end,
    created_at, created_at + case when n % 800000 = 23 then interval '-3 days' else interval '2 days' end
  from (
    select n, 1 + n % 4 as quantity, 5 + (n * 31) % 20000 / 100.0 as price,
      timestamptz '2024-01-01' + n * interval '5 seconds' as created_at
    from generate_series(1::bigint, ${rows}) as n
  ) as made`;

/** A table of eight columns with one missing value. */
const createTable = (index: number, rows: number) => `
  create table ${nameOfTable(index)} as
    select n as id, 'C-' || lpad((n * 17 + ${index})::text, 8, '0') as code, 1 + (n * 7919) % 500 as group_id,
      5 + (n * 31) % 20000 / 100.0 as price, (array['paid', 'open', 'sent'])[1 + n % 3] as status,
      case when n = 77 then null else 'name ' || (n * 13) % 3000 end as name,
      date '2024-01-01' + n % 300 as day, timestamptz '2024-01-01' + n * interval '7 minutes' as created_at
    from generate_series(1, ${rows}) as n;
  alter table ${nameOfTable(index)} add primary key (id)`;

async function createIfMissing(adminUrl: string, name: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const found = await admin`select from pg_database where datname = ${name}`;
    if (found.length === 0) await admin.unsafe(`create database ${name}`);
  } finally {
    await admin.end();
  }
}
