import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../server/db/migrate.ts";
import { buildHistory } from "./control-tower/history.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { interleave, median, type Say } from "./measure.ts";
import { partitionByMonth } from "./partitions/by-month.ts";
import { serverCpu } from "./server-cpu.ts";

/**
 * What partitions by month would cost and save: the executions as they are stored, beside a copy with a partition for each
 * month. In CPU milliseconds of the database, in turns: storing, looking up by id, the newest of a subscription, the edge of
 * Control Tower's window; and removing the oldest month, with what it writes to the log.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. EXECUTIONS (5 million) in 90 days of
 * SUBSCRIPTIONS (5,000) are the size, ROUNDS (5) is how often each is measured.
 */
const size = {
  subscriptions: Number(process.env.SUBSCRIPTIONS ?? 5000),
  executions: Number(process.env.EXECUTIONS ?? 5_000_000),
  tasks: 0,
  anomalies: 0,
};
const rounds = Number(process.env.ROUNDS ?? 5);
const lookedUp = 5000;
const stored = 20_000;
const storedTogether = 50;
const windows = 50;
const keptDays = 60;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-partitions");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_partitions");
  await migrateDatabase(own);
  process.env.DATABASE_URL = own;
  const client = postgres(own, { max: 1, onnotice: () => {}, connection: { temp_file_limit: -1 } });
  try {
    await buildHistory(client, size);
    const months = await partitionByMonth(client);
    await client`vacuum analyze`;
    say(
      `${size.executions.toLocaleString("en")} executions of ${size.subscriptions} subscriptions in 90 days, and ${months} partitions; CPU milliseconds of the database for 1,000, median of ${rounds} rounds in turns`,
    );
    await compare(say, client);
    await compareRemoval(say, client);
  } finally {
    await (await import("../server/db/client.ts")).closeDatabase();
    await client.end();
    await server.stop();
  }
}

const tables = ["executions", "partitioned"] as const;
type Table = (typeof tables)[number];

async function compare(say: Say, client: Sql): Promise<void> {
  const cpu = await serverCpu(client);
  const [range] = await client<{ first: number; last: number }[]>`
    select min(id) as first, max(id) as last from executions`;
  if (!range) throw new Error("There are no executions");
  const ids = spread(range.first, range.last);
  const subscriptions = spread(1, size.subscriptions);
  const works: Record<string, { times: number; work: (table: Table) => Promise<void> }> = {
    "stored, 50 together": { times: stored, work: (table) => store(client, table) },
    "by id": {
      times: lookedUp,
      work: async (table) => {
        for (const id of ids) await client`select * from ${client(table)} where id = ${id}`;
      },
    },
    "the newest 20 of a subscription": {
      times: lookedUp,
      work: async (table) => {
        for (const id of subscriptions)
          await client`
            select id, status, executed_at from ${client(table)}
            where subscription_id = ${id} order by executed_at desc nulls first, id desc nulls first limit 20`;
      },
    },
    "the edge of a window, six hours": {
      times: windows,
      work: async (table) => {
        for (let n = 0; n < windows; n++)
          await client`
            select subscription_id, count(*) from ${client(table)}
            where executed_at >= now() - interval '30 days' and executed_at < now() - interval '30 days' + interval '6 hours'
            group by 1`;
      },
    },
  };
  for (const [name, { times, work }] of Object.entries(works)) {
    const ways = tables.map((table) => async () => {
      const before = cpu();
      await work(table);
      return ((cpu() - before) * 1e6) / times;
    });
    const [plain = [], partitioned = []] = await interleave(ways, rounds);
    line(say, name, median(plain), median(partitioned));
  }
}

/** As the service removes them, beside dropping a partition that holds as many days. */
async function compareRemoval(say: Say, client: Sql): Promise<void> {
  const { removeOldExecutions } = await import("../server/subscriptions/service/remove-old.ts");
  let removed = 0;
  const plain = await cost(client, async () => {
    removed = await removeOldExecutions(keptDays);
  });
  const vacuum = await cost(client, async () => void (await client`vacuum executions`));
  const [oldest] = await client<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'partitioned'::regclass order by 1 limit 1`;
  const dropped = await cost(
    client,
    async () => void (await client`drop table ${client(oldest?.name ?? "")}`),
  );
  say(
    `Removing what is older than ${keptDays} days: ${removed.toLocaleString("en")} executions, beside dropping the oldest partition`,
  );
  const figures = ({ cpuMs, ms, walMb }: Cost) =>
    `${(cpuMs / 1000).toFixed(1)} s of CPU, ${(ms / 1000).toFixed(1)} s, ${walMb.toFixed(0)} MB of log`;
  say(`  ${"removed row by row".padEnd(36)}${figures(plain)}`);
  say(`  ${"vacuumed afterwards".padEnd(36)}${figures(vacuum)}`);
  say(`  ${"a partition dropped".padEnd(36)}${figures(dropped)}`);
  say(
    `  ${"removed and vacuumed, per 1,000".padEnd(36)}${(((plain.cpuMs + vacuum.cpuMs) / removed) * 1000).toFixed(1)} ms of CPU`,
  );
}

type Cost = { cpuMs: number; ms: number; walMb: number };

async function cost(client: Sql, work: () => Promise<void>): Promise<Cost> {
  const cpu = await serverCpu(client);
  const [before] = await client<{ at: string }[]>`select pg_current_wal_insert_lsn()::text as at`;
  const began = { cpu: cpu(), at: performance.now() };
  await work();
  const ended = { cpu: cpu(), at: performance.now() };
  const [wal] = await client<{ bytes: number }[]>`
    select (pg_current_wal_insert_lsn() - ${before?.at ?? ""}::pg_lsn)::float8 as bytes`;
  return { cpuMs: (ended.cpu - began.cpu) * 1000, ms: ended.at - began.at, walMb: (wal?.bytes ?? 0) / 1e6 };
}

async function store(client: Sql, table: Table): Promise<void> {
  for (let n = 0; n < stored / storedTogether; n++)
    await client`
      insert into ${client(table)} (subscription_id, status, trigger, executed_at, finished_at, scheduled_for, row_count,
        execution_time_ms, query_version)
      select 1 + (${n * storedTogether} + i) % ${size.subscriptions}::int, 'NoResults', 'Scheduled', clock_timestamp(),
        clock_timestamp(), clock_timestamp(), 0, 20, 1
      from generate_series(1, ${storedTogether}) as i`;
}

/** Numbers from the whole range, in an order that is the same every time. */
const spread = (first: number, last: number): number[] =>
  Array.from({ length: lookedUp }, (_, n) => first + ((n * 7919 * 104_729) % (last - first + 1)));

function line(say: Say, what: string, plain: number, partitioned: number): void {
  say(
    `  ${what.padEnd(36)}${plain.toFixed(1).padStart(9)}   with partitions ${partitioned.toFixed(1).padStart(9)}   ${(partitioned / plain).toFixed(2)} times`,
  );
}
