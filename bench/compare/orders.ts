import { readFileSync } from "node:fs";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import postgres from "postgres";
import { addressOf } from "../database.ts";
import type { Say } from "../measure.ts";
import { cpuOfProcess, serverCpu } from "../server-cpu.ts";

/** A database with the same orders several times, in each of which another number of rows differs. */
export type OrdersServer = {
  label: "PostgreSQL" | "MariaDB";
  kind: "PostgreSql" | "MySql";
  url: string;
  /** The server's CPU seconds so far; NaN where that cannot be told. */
  cpu: () => number;
  /** Builds the tables that are not there yet. */
  build(rows: number, differences: readonly number[], say: Say): Promise<void>;
  close(): Promise<void>;
};

export const tableWith = (differences: number) => `orders_${differences}`;
export const columns = ["customer_id", "amount", "status", "placed_at", "note"] as const;

/** Spread over all keys: a third each is missing, new, and different. */
const changes = (table: string, rows: number, count: number, later: string) => {
  const step = Math.floor(rows / count);
  const chosen = (kind: number) =>
    `id % ${step} = 1 and (id div_sign ${step}) % 3 = ${kind} and id <= ${step * count}`;
  return [
    `delete from ${table} where ${chosen(0)}`,
    `update ${table} set amount = amount + 0.01 where ${chosen(1)}`,
    `insert into ${table} select id + ${later}, customer_id, amount, status, placed_at, note from ${table} where ${chosen(2)}`,
  ];
};

export async function onPostgreSql(adminUrl: string, database: string): Promise<OrdersServer> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const [known] = await admin`select 1 from pg_database where datname = ${database}`;
  if (!known) await admin.unsafe(`create database ${database}`);
  await admin.end();
  const url = addressOf(adminUrl, database);
  const client = postgres(url, { max: 2, onnotice: () => {} });
  return {
    ...{ label: "PostgreSQL", kind: "PostgreSql", url },
    cpu: await serverCpu(client),
    async build(rows, differences, say) {
      for (const count of differences) {
        const table = tableWith(count);
        const [there] = await client`select to_regclass(${table}) is not null as is`;
        const [counted] = there?.is
          ? await client.unsafe(`select max(id)::float8 as n from ${table} where id <= ${rows}`)
          : [];
        if (counted && Number(counted.n) >= rows - 1) continue;
        say(`Building ${table} of ${rows.toLocaleString("en")} rows on PostgreSQL`);
        await client.unsafe(`drop table if exists ${table}`);
        await client.unsafe(
          `create table ${table} (id bigint not null, customer_id integer not null, amount decimal(12, 2) not null,
            status varchar(20) not null, placed_at timestamp(6) not null, note varchar(60))`,
        );
        await client.unsafe(`insert into ${table}
          select n, 1 + (n * 7919) % 200000, (n * 31 % 1000000)::numeric / 100,
            (array['paid', 'open', 'sent', 'returned'])[1 + n % 4], timestamp '2024-01-01' + n * interval '5 seconds',
            case when n % 3 = 0 then null else 'note ' || (n * 104729) % 1000003 end
          from generate_series(1::bigint, ${rows}) as n`);
        await client.unsafe(`alter table ${table} add primary key (id)`);
        if (count > 0)
          for (const change of changes(table, rows, count, String(2 * rows)))
            await client.unsafe(change.replaceAll("div_sign", "/"));
        await client.unsafe(`vacuum analyze ${table}`);
      }
    },
    close: () => client.end(),
  };
}

export async function onMySql(adminUrl: string, database: string): Promise<OrdersServer> {
  const connection = await createConnection({ uri: adminUrl, multipleStatements: true });
  const run = async (sql: string) => void (await connection.query(sql));
  const ask = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0][0];
  await run(`create database if not exists ${database}; use ${database}`);
  const pidFile = String((await ask("select @@pid_file as file"))?.file);
  return {
    ...{ label: "MariaDB", kind: "MySql" },
    url: Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href,
    cpu: cpuOfProcess(pidIn(pidFile)),
    async build(rows, differences, say) {
      for (const count of differences) {
        const table = tableWith(count);
        const known = await ask(
          `select count(*) as n from information_schema.tables where table_schema = '${database}' and table_name = '${table}'`,
        );
        if (Number(known?.n) > 0) {
          const counted = await ask(`select max(id) as n from ${table} where id <= ${rows}`);
          if (Number(counted?.n) >= rows - 1) continue;
        }
        say(`Building ${table} of ${rows.toLocaleString("en")} rows on MariaDB`);
        await run(`drop table if exists ${table}`);
        await run(
          `create table ${table} (id bigint primary key, customer_id integer not null, amount decimal(12, 2) not null,
            status varchar(20) not null, placed_at datetime(6) not null, note varchar(60)) character set utf8mb4`,
        );
        await run(`insert into ${table}
          select seq, 1 + (seq * 7919) % 200000, (seq * 31 % 1000000) / 100, elt(1 + seq % 4, 'paid', 'open', 'sent', 'returned'),
            timestamp('2024-01-01') + interval seq * 5 second,
            if(seq % 3 = 0, null, concat('note ', (seq * 104729) % 1000003))
          from seq_1_to_${rows}`);
        if (count > 0)
          for (const change of changes(table, rows, count, String(2 * rows)))
            await run(change.replaceAll("div_sign", "div"));
        await run(`analyze table ${table}`);
      }
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
