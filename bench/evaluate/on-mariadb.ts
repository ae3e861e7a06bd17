import { readFileSync } from "node:fs";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { interleave, median, type Say } from "../measure.ts";
import { cpuOfProcess } from "../server-cpu.ts";
import { checks } from "./orders.ts";
import type { Service } from "./service.ts";

/** The checks of orders.ts as one would write them for MariaDB, in their order. */
const separateQueries = [
  "select count(*) from orders",
  "select count(*) - count(email) from orders",
  "select count(*) - count(note) from orders",
  "select count(case when price not between 0 and 1000 then 1 end) from orders",
  "select timestampdiff(second, max(created_at), utc_timestamp()) from orders",
  "select count(*) - count(customer_id) from orders",
  "select count(*) - count(price) from orders",
  "select count(case when quantity not between 1 and 10 then 1 end) from orders",
  "select count(*) - count(code) from orders",
  "select count(*) from orders where not code regexp '(?-i)^[A-Z]{2}-[0-9]+$'",
  `select count(*) from orders as o
    where customer_id is not null and not exists (select 1 from customers as c where c.id = o.customer_id)`,
  `select count(*) from
    (select number from orders where number is not null group by number having count(*) > 1) as duplicated`,
];

/** What an evaluation of the same twelve rules costs a MariaDB, beside a query for each. */
export async function onMariaDb(
  say: Say,
  { service, adminUrl, rows, rounds }: { service: Service; adminUrl: string; rows: number; rounds: number },
): Promise<void> {
  const database = "plumbline_bench_watched";
  const connection = await createConnection({ uri: adminUrl, multipleStatements: true });
  const ask = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0][0];
  try {
    await connection.query(`create database if not exists ${database}; use ${database}`);
    const known = await ask(`select table_comment as "of" from information_schema.tables
      where table_schema = '${database}' and table_name = 'orders'`);
    if (String(known?.of) !== String(rows)) {
      say(`Building a table of ${rows.toLocaleString("en")} rows on MariaDB …`);
      await connection.query(build(rows));
    }
    const cpu = cpuOfProcess(Number(readFileSync(String((await ask("select @@pid_file as f"))?.f), "utf8")));
    const source = await service.source(
      "MySql",
      Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href,
    );
    const twelve = await service.contract(checks, { dataSourceId: source, schemaName: database });
    const cost = (work: () => Promise<void>) => async () => {
      const before = cpu();
      await work();
      return cpu() - before;
    };
    const [ours = [], queries = []] = await interleave(
      [
        cost(() => service.evaluate(twelve, { failing: 0 })),
        cost(async () => {
          for (const sql of separateQueries) await connection.query(sql);
        }),
      ],
      rounds,
    );
    say(`${rows.toLocaleString("en")} rows, 12 rules: CPU seconds of MariaDB, median`);
    const [own, each] = [median(ours), median(queries)];
    say(`  an evaluation ${own.toFixed(2)}, one query after the other ${each.toFixed(2)}`);
    say(`  evaluation ÷ separate queries ${(own / each).toFixed(2)} (goal: at most 0.8)`);
  } finally {
    await connection.end();
  }
}

const build = (rows: number) => `
  drop table if exists orders, customers;
  create table customers (id integer primary key);
  insert into customers select seq from seq_1_to_100000;
  create table orders (
    number bigint, customer_id integer, code varchar(40), email varchar(80), price decimal(10, 2), quantity integer,
    note varchar(40), created_at datetime) character set utf8mb4 comment '${rows}';
  insert into orders
    select if(seq % 5 = 0, seq, null), 1 + seq % 100000, concat('AB-', seq),
      if(seq % 20 > 0, concat('customer', seq % 100000, '@example.com'), null), (seq % 100000) / 100, 1 + seq % 10,
      if(seq % 3 > 0, 'left at the door', null), timestamp('2026-01-01') + interval seq second
    from seq_1_to_${rows};
  analyze table orders, customers`;
