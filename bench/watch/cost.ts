import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { emptyDatabase, givenOrOwnServer } from "../database.ts";
import { type Say, timed } from "../measure.ts";
import { serverCpu } from "../server-cpu.ts";

/** Tables of ten columns with some days of rows; and the series of a year. */
const tables = Number(process.env.TABLES ?? 2000);
const rows = Number(process.env.ROWS ?? 2000);
const columnMeasures = 3;

/** What watching costs: the data source, this process, and the disk. */
export async function printCost(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-watch");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_watch");
  const watched = await emptyDatabase(server.adminUrl, "plumbline_bench_watched");
  await migrateDatabase(own);
  process.env.DATABASE_URL = own;
  process.env.ENCRYPTION_KEY = "ab".repeat(32);
  const client = postgres(own, { max: 1, onnotice: () => {} });
  const source = postgres(watched, { max: 1, onnotice: () => {} });
  try {
    await fill(source);
    await measure(say, client, source, watched);
    await printSize(say, client);
    const { closeSources } = await import("../../server/data-sources/service/connected-sources.ts");
    const { closeDatabase } = await import("../../server/db/client.ts");
    await closeSources();
    await closeDatabase();
  } finally {
    await client.end();
    await source.end();
    await server.stop();
  }
}

async function fill(source: Sql): Promise<void> {
  for (let n = 0; n < tables; n++)
    await source.unsafe(`
      create table t${n} (id int primary key, created_at timestamptz not null, status text, country text, email text,
        amount numeric(12, 2), price float8, quantity int, note text, is_open boolean);
      create index on t${n} (created_at);
      insert into t${n} select k, now() - k * interval '${Math.round((30 * 86_400) / rows)} seconds', (array['open', 'paid', 'void'])[1 + k % 3],
        (array['DE', 'FR', 'IT', 'ES'])[1 + k % 4], 'a' || k || '@example.com', k % 97, k % 89, k % 7, case when k % 5 > 0 then 'note ' || k end, k % 2 = 0
      from generate_series(1, ${rows}) as k`);
  await source.unsafe("vacuum analyze");
}

async function measure(say: Say, client: Sql, source: Sql, address: string): Promise<void> {
  const { aDataSource, aProject } = await import("../../server/test/factories/data-sources.ts");
  const { enableWatch } = await import("../../server/watch/service/watch.ts");
  const { runLook, runProfile } = await import("../../server/watch/service/run.ts");
  const url = new URL(address);
  const { id } = await aDataSource({
    projectId: (await aProject()).id,
    connection: { database: url.pathname.slice(1) },
  });
  await enableWatch(id, { timezone: "UTC", nightHour: 2, budgetSeconds: 4 * 3600 }, null);
  const cpu = await serverCpu(source);
  let at = new Date(Date.now() + 1000);
  const step = async (what: string, work: () => Promise<unknown>) => {
    const [sourceBefore, ownBefore] = [cpu(), process.cpuUsage()];
    const ms = await timed(async () => void (await work()));
    const own = process.cpuUsage(ownBefore);
    const seconds = (own.user + own.system) / 1_000_000;
    say(
      `  ${what.padEnd(34)}${(ms / 1000).toFixed(1).padStart(7)} s;  CPU of PostgreSQL ${(cpu() - sourceBefore).toFixed(1).padStart(6)} s, of this process ${seconds.toFixed(1).padStart(6)} s`,
    );
  };
  say("");
  say(`${tables} tables of 10 columns and ${rows} rows; both databases are on one PostgreSQL`);
  await step("the first look", () => runLook(id, at));
  await step("the first profile, with 30 days", () => runProfile(id, at));
  for (const changed of [0, tables]) {
    for (let n = 0; n < changed; n++)
      await source.unsafe(`insert into t${n} (id, created_at) select ${rows + 1}, now()`);
    at = new Date(at.getTime() + 15 * 60_000);
    await step(`a look, ${changed} tables changed`, () => runLook(id, at));
  }
  at = new Date(at.getTime() + 24 * 3_600_000);
  await step("a profile", () => runProfile(id, at));
  const [biggest] = await client<{ seconds: number; statements: number }[]>`
    select seconds, statements from watch_runs where kind = 'Profile' order by id desc limit 1`;
  say(`  of which ${biggest?.statements} statements ran for ${biggest?.seconds.toFixed(1)} s`);
}

/** A year of daily numbers of every column, and of the latest two months' pauses and hours. */
async function printSize(say: Say, client: Sql): Promise<void> {
  await client`truncate watch_series cascade`;
  await client.unsafe(`
    insert into watch_series (table_id, column_name, measure)
    select t.id, 'c' || c, m::watch_measure from watched_tables as t, generate_series(1, 10) as c,
      unnest(array['NullShare', 'DistinctShare', 'Mean']) as m
    union all select t.id, null, m::watch_measure from watched_tables as t, unnest(array['Rows', 'NewRows', 'Interval', 'HourRows']) as m`);
  // Day by day, as they come; a month is one row.
  await client.unsafe(`
    insert into watch_points (series_id, month, times, values)
    select id, ('2026-01-01'::date + make_interval(months => m))::date, array(select 86400 * d from generate_series(0, 29) as d),
      array(select random() * 1000 from generate_series(0, 29) as d where id > 0)
    from watch_series, generate_series(0, 12) as m where measure not in ('Interval', 'HourRows') or m < 11`);
  await client.unsafe(`
    insert into watch_points (series_id, month, times, values)
    select id, ('2026-12-01'::date + make_interval(months => m))::date, array(select 900 * d from generate_series(0, 2879) as d where d % (case measure when 'HourRows' then 4 else 1 end) = 0),
      array(select floor(random() * 1000) from generate_series(0, 2879) as d where d % (case measure when 'HourRows' then 4 else 1 end) = 0 and id > 0)
    from watch_series, generate_series(0, 1) as m where measure in ('Interval', 'HourRows')`);
  const [size] = await client<{ bytes: number }[]>`
    select (pg_total_relation_size('watch_points') + pg_total_relation_size('watch_series'))::float8 as bytes`;
  say(
    `  ${((size?.bytes ?? 0) / 1024 ** 3).toFixed(2)} GiB for a year of ${tables} tables × 10 columns × ${columnMeasures} numbers`,
  );
}
