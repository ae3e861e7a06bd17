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

/** What one process may take for this many tables, so that it keeps up with several data sources. */
const goals = { lookSeconds: 90, statementsPerTable: 0.05, sourceSeconds: 90, memoryMb: 1024 };

async function measure(say: Say, client: Sql, source: Sql, address: string): Promise<void> {
  const { aDataSource, aProject } = await import("../../server/test/factories/data-sources.ts");
  const { enableWatch } = await import("../../server/watch/service/watch.ts");
  const { runLook, runProfile } = await import("../../server/watch/service/run.ts");
  const { noticeIncidents } = await import("../../server/incidents/service/notice.ts");
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
    const memory = watchMemory();
    const ms = await timed(async () => void (await work()));
    const own = process.cpuUsage(ownBefore);
    const seconds = (own.user + own.system) / 1_000_000;
    const cost = { seconds: ms / 1000, memoryMb: memory.peak() };
    say(
      `  ${what.padEnd(36)}${cost.seconds.toFixed(1).padStart(7)} s;  CPU of PostgreSQL ${(cpu() - sourceBefore).toFixed(1).padStart(6)} s, of this process ${seconds.toFixed(1).padStart(6)} s; memory up to ${cost.memoryMb.toFixed(0).padStart(5)} MB`,
    );
    return cost;
  };
  const look = async (what: string) => {
    at = new Date(at.getTime() + 15 * 60_000);
    const cost = await step(what, () => runLook(id, at));
    const [run] = await client<{ seconds: number; statements: number }[]>`
      select seconds, statements from watch_runs where kind = 'Look' order by id desc limit 1`;
    const [statements, sourceSeconds] = [run?.statements ?? 0, run?.seconds ?? 0];
    const figures = [
      [`${cost.seconds.toFixed(1)} s`, cost.seconds <= goals.lookSeconds, `${goals.lookSeconds} s`],
      [
        `${statements} statements`,
        statements <= 20 + tables * goals.statementsPerTable,
        `${20 + tables * goals.statementsPerTable}`,
      ],
      [
        `${sourceSeconds.toFixed(1)} s on the source`,
        sourceSeconds <= goals.sourceSeconds,
        `${goals.sourceSeconds} s`,
      ],
      [`${cost.memoryMb.toFixed(0)} MB`, cost.memoryMb <= goals.memoryMb, `${goals.memoryMb} MB`],
    ] as const;
    for (const [figure, isMet, goal] of figures)
      say(`    ${figure.padEnd(28)} goal: at most ${goal.padEnd(8)} ${isMet ? "met" : "MISSED"}`);
  };
  say("");
  say(`${tables} tables of 10 columns and ${rows} rows; both databases are on one PostgreSQL`);
  await look("the first look, with the catalog");
  await step("the first profile, with 30 days", () => runProfile(id, at));
  await look("a look, nothing changed");
  await everyTable(source, `insert into %t (id, created_at) values (${rows + 1}, now())`);
  await look("a look, all tables changed");
  at = new Date(at.getTime() + 60 * 60_000);
  await look("a look an hour later, with the catalog");
  // As if each usually changed within the hour, and none has since.
  await client`update watched_tables set last_change_at = ${at}::timestamptz - interval '3 hours', late_after = ${at}::timestamptz - interval '2 hours'`;
  await look("a look, all tables became late");
  await step("one incident of all of them", () => noticeIncidents());
  await look("a look, all tables are still late");
  await step("the incident goes on", () => noticeIncidents());
  await everyTable(source, `insert into %t (id, created_at) values (${rows + 2}, now())`);
  await look("a look, all tables changed at last");
  await step("the incident is over", () => noticeIncidents());
  const [{ incidents, problems } = { incidents: 0, problems: 0 }] = await client<
    { incidents: number; problems: number }[]
  >`select (select count(*)::int from incidents) as incidents, (select count(*)::int from incident_problems where ended_at is not null) as problems`;
  say(`    ${incidents} incident of ${problems} problems, all over`);
  at = new Date(at.getTime() + 24 * 3_600_000);
  await step("a profile", () => runProfile(id, at));
  const [biggest] = await client<{ seconds: number; statements: number }[]>`
    select seconds, statements from watch_runs where kind = 'Profile' order by id desc limit 1`;
  say(`  of which ${biggest?.statements} statements ran for ${biggest?.seconds.toFixed(1)} s`);
}

/** A statement for each table, in a few round trips. */
async function everyTable(source: Sql, statement: string): Promise<void> {
  const all = Array.from({ length: tables }, (_, n) => statement.replace("%t", `t${n}`));
  for (let from = 0; from < tables; from += 500) await source.unsafe(all.slice(from, from + 500).join(";"));
}

/** The most memory of this process from now on, in MB. */
function watchMemory(): { peak(): number } {
  let most = process.memoryUsage.rss();
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  return {
    peak() {
      clearInterval(timer);
      return Math.max(most, process.memoryUsage.rss()) / 1024 ** 2;
    },
  };
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
