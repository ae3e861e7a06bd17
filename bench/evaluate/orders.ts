import type { Sql } from "postgres";
import type { RuleType } from "../../server/data-quality/rules/rules.ts";

/** A check, as a contract's rule and as one would write it by hand. All of them pass. */
export type Check = {
  type: RuleType;
  configuration: Record<string, unknown>;
  /** The whole query. */
  sql: string;
  /** The expression, if the check only aggregates. */
  aggregate?: string;
  /** Otherwise, its connection in the best hand-written session; 0 is the one with the scan. */
  side?: 0 | 1;
};

const aggregated = (type: RuleType, configuration: Record<string, unknown>, aggregate: string): Check => ({
  type,
  configuration,
  aggregate,
  sql: `select ${aggregate} from orders`,
});

/** The first seven only aggregate, and so do two of the others. */
export const checks: readonly Check[] = [
  aggregated("Volume", { minRows: 1 }, "count(*)"),
  aggregated("NullRate", { column: "email", maxNullPercent: 50 }, "count(*) - count(email)"),
  aggregated("NullRate", { column: "note", maxNullPercent: 50 }, "count(*) - count(note)"),
  aggregated(
    "Range",
    { column: "price", min: "0", max: "1000" },
    "count(*) filter (where price not between 0 and 1000)",
  ),
  aggregated("Freshness", { column: "created_at", maxAgeMinutes: 1e9 }, "now() - max(created_at)"),
  aggregated("NullRate", { column: "customer_id", maxNullPercent: 0 }, "count(*) - count(customer_id)"),
  aggregated("NullRate", { column: "price", maxNullPercent: 0 }, "count(*) - count(price)"),
  aggregated(
    "Range",
    { column: "quantity", min: "1", max: "10" },
    "count(*) filter (where quantity not between 1 and 10)",
  ),
  aggregated("NullRate", { column: "code", maxNullPercent: 0 }, "count(*) - count(code)"),
  {
    type: "Pattern",
    configuration: { column: "code", pattern: "^[A-Z]{2}-[0-9]+$" },
    sql: "select count(*) from orders where code !~ '^[A-Z]{2}-[0-9]+$'",
    side: 0,
  },
  {
    type: "Referential",
    configuration: { column: "customer_id", referenceTable: "customers", referenceColumn: "id" },
    sql: `select count(*) from orders as o
      where customer_id is not null and not exists (select from customers as c where c.id = o.customer_id)`,
    side: 1,
  },
  {
    type: "Uniqueness",
    configuration: { column: "number" },
    sql: `select count(*) from
      (select from orders where number is not null group by number having count(*) > 1) as duplicated`,
    side: 1,
  },
];

/** Builds the table, unless it already exists in this size. */
export async function buildOrders(client: Sql, rows: number, say: (line: string) => void): Promise<void> {
  const [found] = await client`
    select obj_description(to_regclass('orders'), 'pg_class') = ${String(rows)} as "isBuilt"`;
  if (found?.isBuilt) return;
  say(`Building a table of ${rows.toLocaleString("en")} rows …`);
  await client.unsafe(`
    drop table if exists orders, customers;
    create table customers (id integer primary key);
    insert into customers select i from generate_series(1, 100000) as i;
    create table orders (
      number bigint, customer_id integer, code text, email text, price numeric(10, 2), quantity integer,
      note text, created_at timestamptz);
    insert into orders
      select case when i % 5 = 0 then i end, 1 + i % 100000, 'AB-' || i,
        case when i % 20 > 0 then 'customer' || i % 100000 || '@example.com' end, (i % 100000) / 100.0, 1 + i % 10,
        case when i % 3 > 0 then 'left at the door' end, timestamptz '2026-01-01' + i * interval '1 second'
      from generate_series(1, ${rows}) as i;
    comment on table orders is '${rows}'`);
  // Outside of a transaction. Does now what the first query would otherwise trigger.
  await client.unsafe("vacuum (analyze) orders");
  await client.unsafe("vacuum (analyze) customers");
}
