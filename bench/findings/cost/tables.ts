import type { Sql } from "postgres";
import type { Say } from "../../measure.ts";

/** Orders with a few faults of many kinds, like a real business table; kept if it already has this many rows. */
export async function buildOrders(client: Sql, rows: number, say: Say): Promise<void> {
  const [there] = await client`select to_regclass('orders') is not null as is`;
  if (there?.is) {
    const [count] = await client`select count(*)::float8 as rows from orders`;
    if (count?.rows === rows) return;
    await client`drop table orders`;
  }
  say(`Building a table of ${rows.toLocaleString("en")} rows`);
  await client.unsafe(`
    create table orders (
      id bigint primary key, order_no text, customer_id integer, product_id integer, quantity integer,
      price numeric(12, 2), discount numeric(4, 2), total numeric(14, 2), status text, country text,
      created_at timestamptz, shipped_at timestamptz)`);
  await client.unsafe(`
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
    ) as made`);
  await client`vacuum analyze orders`;
}

/** Tables of eight columns, each with one missing value. */
export async function buildManyTables(client: Sql, tables: number, rows: number, say: Say): Promise<void> {
  say(`Building ${tables.toLocaleString("en")} tables of ${rows.toLocaleString("en")} rows`);
  for (let from = 0; from < tables; from += 50) {
    const statements = Array.from({ length: Math.min(50, tables - from) }, (_, index) => {
      const name = `t${String(from + index).padStart(4, "0")}`;
      return `create table ${name} as
        select n as id, 'C-' || lpad((n * 17 + ${from + index})::text, 8, '0') as code, 1 + (n * 7919) % 500 as group_id,
          5 + (n * 31) % 20000 / 100.0 as price, (array['paid', 'open', 'sent'])[1 + n % 3] as status,
          case when n = 77 then null else 'name ' || (n * 13) % 3000 end as name,
          date '2024-01-01' + n % 300 as day, timestamptz '2024-01-01' + n * interval '7 minutes' as created_at
        from generate_series(1, ${rows}) as n;
        alter table ${name} add primary key (id)`;
    });
    await client.unsafe(statements.join(";\n"));
  }
  await client`analyze`;
}
