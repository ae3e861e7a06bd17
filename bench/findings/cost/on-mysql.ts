import { readFileSync } from "node:fs";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { cpuOfProcess } from "../../server-cpu.ts";
import { everyValueOfOrders, nameOfTable, type ScannedServer } from "./scanned-server.ts";

/** A MariaDB server, whose `seq_1_to_…` tables make the rows; the large table is kept for the next run. */
export async function onMySql(adminUrl: string): Promise<ScannedServer> {
  const connection = await createConnection({ uri: adminUrl, multipleStatements: true });
  const ask = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0][0];
  const run = async (sql: string) => void (await connection.query(sql));
  const addressOf = (database: string) => Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href;
  const rowsOfOrders = async () =>
    Number(
      (await ask("select max(table_rows) as n from information_schema.tables where table_name = 'orders'"))
        ?.n,
    );

  await run("create database if not exists plumbline_bench_scanned; use plumbline_bench_scanned");
  const pidFile = String((await ask("select @@pid_file as file"))?.file);
  let rowsBuilt = 0;
  return {
    kind: "MySql",
    url: addressOf("plumbline_bench_scanned"),
    cpu: cpuOfProcess(pidIn(pidFile)),

    async buildOrders(rows, say) {
      rowsBuilt = rows;
      if ((await rowsOfOrders()) > 0 && Number((await ask("select count(*) as n from orders"))?.n) === rows)
        return;
      say(`Building a table of ${rows.toLocaleString("en")} rows`);
      await run("drop table if exists orders");
      await run(createOrders);
      await run(insertOrders(rows));
      await run("analyze table orders");
    },

    async buildManyTables(tables, rows, say) {
      say(`Building ${tables.toLocaleString("en")} tables of ${rows.toLocaleString("en")} rows`);
      await run("drop database if exists plumbline_bench_many; create database plumbline_bench_many");
      for (let index = 0; index < tables; index++) await run(createTable(index, rows));
      return addressOf("plumbline_bench_many");
    },

    countOrders: () => run("select count(*) from orders"),
    readOrders: () => run(everyValueOfOrders),
    // The server counts rows rather than blocks, in scans of a table and of an index.
    async scansOfOrders() {
      const read = await ask(`
        select sum(variable_value) as n from information_schema.global_status
        where variable_name in ('HANDLER_READ_RND_NEXT', 'HANDLER_READ_NEXT')`);
      return Number(read?.n) / rowsBuilt;
    },
    close: () => connection.end(),
  };
}

/** The server's process, if it is on this machine and says which. */
function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

const createOrders = `
  create table orders (
    id bigint primary key, order_no varchar(40), customer_id integer, product_id integer, quantity integer,
    price decimal(12, 2), discount decimal(4, 2), total decimal(14, 2), status varchar(20), country varchar(40),
    created_at datetime(6), shipped_at datetime(6))`;

/** The rows that the table has on PostgreSQL, too. */
const insertOrders = (rows: number) => `
  insert into orders
  select n, if(n % 400000 = 7, concat('ORD ', n), concat('ORD-', lpad(n, 9, '0'))),
    1 + (n * 7919) % 200000, 1 + (n * 104729) % 5000, quantity, if(n % 700000 = 11, price * 1000, price), 0,
    quantity * price + if(n % 600000 = 13, 1, 0),
    if(n % 500000 = 17, 'payed', elt(1 + n % 4, 'paid', 'open', 'sent', 'returned')),
    if(n % 300000 = 19, null, elt(1 + n % 5, 'Germany', 'France', 'Spain', 'Italy', 'Austria')),
    created_at, created_at + interval if(n % 800000 = 23, -3, 2) day
  from (
    select seq as n, 1 + seq % 4 as quantity, 5 + (seq * 31) % 20000 / 100 as price,
      timestamp('2024-01-01') + interval seq * 5 second as created_at
    from seq_1_to_${rows}
  ) as made`;

/** A table of eight columns with one missing value, as on PostgreSQL. */
const createTable = (index: number, rows: number) => `
  create table plumbline_bench_many.${nameOfTable(index)} (
    id integer primary key, code varchar(20), group_id integer, price decimal(12, 2), status varchar(10),
    name varchar(20), day date, created_at datetime)
  select seq as id, concat('C-', lpad(seq * 17 + ${index}, 8, '0')) as code, 1 + (seq * 7919) % 500 as group_id,
    5 + (seq * 31) % 20000 / 100 as price, elt(1 + seq % 3, 'paid', 'open', 'sent') as status,
    if(seq = 77, null, concat('name ', (seq * 13) % 3000)) as name,
    date('2024-01-01') + interval seq % 300 day as day,
    timestamp('2024-01-01') + interval seq * 7 minute as created_at
  from seq_1_to_${rows}`;
