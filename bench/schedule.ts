import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { type Api, signIn } from "../e2e/api.ts";
import { type Service, scratch, startService } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { registerJobs } from "../server/jobs/contract/register.fixture.ts";
import { anHttpReceiver } from "../server/test/http-receiver.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { median, percentile, printSpread, type Say, timed } from "./measure.ts";
import { type Costs, type Floor, measureFloor } from "./schedule/floor.ts";
import type { Subject } from "./schedule/subjects.ts";
import { cpuOfProcess, serverCpu } from "./server-cpu.ts";

/**
 * A storm: many contracts that are all due in the same minute, on one process and then on two that share a database.
 * Reports how long they wait until they are claimed and until they run, how many are evaluated per second, whether each
 * was evaluated exactly once, and how much slower a person's click on one of the same data sources gets, compared with
 * the same click before. Twenty that are due in the minute before show how punctual the service is when it is otherwise
 * idle. With STORM=subscriptions, the same of subscriptions that are executed; with JUDGED_BY=60 as well, of such that look for
 * anomalies, by METHOD (StandardDeviation or Learned), and have so many executions before. With FIND=on, all of them find
 * something at once, for the first time: each opens a task and notifies a webhook, and it is reported how long that takes.
 *
 * With BENCH_INNGEST_URL the jobs run on that Inngest server, which must have BENCH_INNGEST_EVENT_KEY and
 * BENCH_INNGEST_SIGNING_KEY and be otherwise idle.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started; the contracts watch a table
 * of it. CONTRACTS (10,000) and SOURCES (50 data sources, each with two connections for scheduled work) are the sizes,
 * PROCESSES lists the runs (1,2).
 *
 * Also prints the CPU that an evaluation takes in the process and in the database, which hardly depends on what else the
 * machine does, beside the floor: a bare script with the same statements, in the same run (schedule/floor.ts). CLICKS=off
 * leaves out the clicks, which take CPU, too.
 *
 * CONCURRENCY lists values of JOBS_CONCURRENCY (80), each of which gets its own runs: with 80, the service determines
 * by itself how many jobs it runs at once; with 5, at most four of them wait for data sources, and with 10 at most
 * eight, as with a fixed limit. ANSWER_MS (0) is the response time of a data source: an immediate response burdens a
 * process, and with half a second, everyone has to wait if the limit is too low.
 */
const size = {
  contracts: Number(process.env.CONTRACTS ?? 10_000),
  sources: Number(process.env.SOURCES ?? 50),
};
const runs = (process.env.PROCESSES ?? "1,2").split(",").map(Number);
const concurrencies = (process.env.CONCURRENCY ?? "80").split(",").map(Number);
const stormOf = process.env.STORM === "subscriptions" ? "subscriptions" : "contracts";
const answerMs = Number(process.env.ANSWER_MS ?? 0);
const few = 20;
const areClicksOn = process.env.CLICKS !== "off";
const quietClicks = 40;
const clickEveryMs = 300;
const inngest = process.env.BENCH_INNGEST_URL && {
  INNGEST_BASE_URL: process.env.BENCH_INNGEST_URL,
  INNGEST_EVENT_KEY: process.env.BENCH_INNGEST_EVENT_KEY ?? "",
  INNGEST_SIGNING_KEY: process.env.BENCH_INNGEST_SIGNING_KEY ?? "",
};
/** A storm that takes longer than this is a bug. */
const maxStormMs = 20 * 60_000;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-schedule");
  const watched = await emptyDatabase(server.adminUrl, "plumbline_bench_schedule_watched");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_schedule");
  await makeOrders(watched);
  await migrateDatabase(own);
  const settings = {
    DATABASE_URL: own,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
    RATE_LIMIT_PRINCIPAL: "off",
    LOG_LEVEL: "error",
    OUTBOUND_ALLOW: "127.0.0.1",
  };
  Object.assign(process.env, settings);
  const { finds, makeSubjects, subjects } = await import("./schedule/subjects.ts");
  const subject = subjects[stormOf];
  const receiver = finds ? await anHttpReceiver() : undefined;
  const [clicked = 0] = await makeSubjects([subject], {
    ...{ watched, count: size.contracts, sources: size.sources, tell: receiver?.url },
  });
  const client = postgres(own, { max: 2, onnotice: () => {} });
  try {
    const answer = answerMs === 0 ? "answer at once" : `take ${answerMs} ms to answer`;
    say(
      `${size.contracts} ${stormOf === "contracts" ? "contracts of two cheap rules" : "subscriptions of a cheap query"} on ${size.sources} data sources that ${answer}; milliseconds`,
    );
    for (const { processes, concurrency } of runs.flatMap((processes) =>
      concurrencies.map((concurrency) => ({ processes, concurrency })),
    )) {
      const each = concurrencies.length === 1 ? "" : `, JOBS_CONCURRENCY ${concurrency}`;
      say(`${processes === 1 ? "One process" : `${processes} processes`}${each}`);
      await forgetEverything(client, subject);
      const services: Service[] = [];
      try {
        for (let n = 0; n < processes; n++)
          services.push(
            await startService(join(scratch, `bench-schedule-${n}`), {
              ...settings,
              ...inngest,
              JOBS_CONCURRENCY: String(concurrency),
            }),
          );
        if (inngest) await registerJobs(`${services[0]?.url}/svc/api/inngest`, inngest.INNGEST_SIGNING_KEY);
        // Beside data sources that are waited for, it would say nothing.
        const floor =
          answerMs === 0
            ? await measureFloor({ own, watched, sourceCount: size.sources, statement: subject.statement })
            : null;
        await storm(say, client, subject, services, clicked, floor, finds);
      } finally {
        await Promise.all(services.map((service) => service.stop()));
      }
    }
  } finally {
    await client.end();
    await server.stop();
    await receiver?.stop();
  }
}

async function makeOrders(address: string): Promise<void> {
  const client = postgres(address, { max: 1, onnotice: () => {} });
  await client`create table kept as select i as id, i % 7 as customer from generate_series(1, 1000) as i`;
  await client.unsafe(
    answerMs === 0
      ? "alter table kept rename to orders"
      : `create view orders as
          with wait as materialized (select pg_sleep(${answerMs / 1000})) select kept.* from kept, wait`,
  );
  await client.end();
}

async function forgetEverything(client: Sql, subject: Subject): Promise<void> {
  await client`truncate occurrences, job_events, job_runs, job_steps, job_crons cascade`;
  await forgetRuns(client, subject);
}

async function storm(
  say: Say,
  client: Sql,
  subject: Subject,
  services: Service[],
  clicked: number,
  floor: Floor | null,
  finds: boolean,
): Promise<void> {
  const person = await signIn((services[0] as Service).url);
  await click(person, subject, clicked);
  await makeDue(client, subject, clicked, few);
  const quiet = await clicksUntil(person, subject, clicked, (count) => count >= quietClicks);
  await finished(client, subject, few);
  const { drift: punctual } = await figuresOf(client, subject);
  await forgetRuns(client, subject);

  const due = await makeDue(client, subject, clicked, size.contracts);
  const isOver = { now: !areClicksOn };
  const cpus = services.map(({ pid }) => cpuOfProcess(pid));
  const processes = () => cpus.reduce((sum, cpu) => sum + cpu(), 0);
  const database = await serverCpu(client);
  await delay(Math.max(due.inMs - 500, 0));
  const before = { processes: processes(), database: database() };
  const [clicks] = await Promise.all([
    delay(500).then(() => clicksUntil(person, subject, clicked, () => isOver.now)),
    finished(client, subject, size.contracts).finally(() => {
      isOver.now = true;
    }),
  ]);
  const cpu = {
    process: ((processes() - before.processes) * 1000) / size.contracts,
    database: ((database() - before.database) * 1000) / size.contracts,
  };
  const { claimed, drift, seconds, runs, owners, claimSeconds } = await figuresOf(client, subject);
  printSpread(say, `due until it runs, of ${few}`, punctual);
  printSpread(say, "due until it is claimed", claimed);
  say(
    `  ${"all claimed within, in seconds".padEnd(44)}${claimSeconds.toFixed(2).padStart(7)}   (goal: at most 1)`,
  );
  printSpread(say, "due until it runs", drift);
  say(`  ${`${subject.run}s a second`.padEnd(44)}${(runs / seconds).toFixed(1).padStart(7)}`);
  say(
    `  ${runs} ${subject.run}s of ${owners} ${subject.table}: ${runs === size.contracts && owners === size.contracts ? "each once" : "WRONG"}`,
  );
  if (finds) await reportTold(say, client, subject);
  if (floor) printCosts(say, subject.run, { ...cpu, perSecond: runs / seconds }, floor);
  if (!areClicksOn) return;
  compare(say, `an ${subject.run} by hand`, quiet.runs, clicks.runs, "at most 2");
  compare(say, "it is read", quiet.reads, clicks.reads, "none");
}

/** Waits until everyone who has to be told has been, and says after how long. */
async function reportTold(say: Say, client: Sql, { runs }: Subject): Promise<void> {
  const left = async () =>
    (await client`select 1 from deliveries where status = 'Queued' limit 1`).length > 0;
  while (await left()) await delay(250);
  const [told] = await client<
    { tasks: number; messages: number; sent: number; seconds: number; after: number }[]
  >`
    select (select count(*)::int from tasks where status = 'Open') as tasks, count(*)::int as messages,
      count(*) filter (where status = 'Sent')::int as sent,
      extract(epoch from max(sent_at) - min(created_at))::float8 as seconds,
      extract(epoch from max(sent_at) - (select max(${client(runs.endedAt)}) from ${client(runs.table)}))::float8 as after
    from deliveries`;
  if (!told) throw new Error("An aggregate has one row");
  const { tasks, messages, sent, seconds, after } = told;
  say(
    `  ${tasks} tasks opened, ${messages} messages in ${seconds.toFixed(1)} s, of which ${sent} were accepted; the last ${after.toFixed(1)} s after the last result`,
  );
}

function printCosts(say: Say, run: string, ours: Costs, { together: floor, inTurn }: Floor): void {
  const line = (what: string, own: number, least: number, goal = "") =>
    say(
      `  ${what.padEnd(44)}${own.toFixed(2).padStart(7)}   floor ${least.toFixed(2)}   ratio ${(own / least).toFixed(1)}${goal}`,
    );
  line(`CPU ms an ${run}, process`, ours.process, floor.process, "   (goal: at most 3)");
  line(`CPU ms an ${run}, database`, ours.database, floor.database);
  line(
    `CPU ms an ${run}, together`,
    ours.process + ours.database,
    floor.process + floor.database,
    "   (goal: at most 3)",
  );
  say(
    `  ${`${run}s a second ÷ those of the floor`.padEnd(44)}${(ours.perSecond / floor.perSecond).toFixed(2).padStart(7)}   floor ${floor.perSecond.toFixed(0)}`,
  );
  say(
    `  ${"the script's with one after the other ÷ ours".padEnd(44)}${(inTurn.perSecond / ours.perSecond).toFixed(2).padStart(7)}   script ${inTurn.perSecond.toFixed(0)}   (goal: at most 3)`,
  );
}

function compare(say: Say, what: string, quiet: number[], stormy: number[], goal: string): void {
  printSpread(say, `${what}, before`, quiet);
  printSpread(say, `${what}, in the storm`, stormy);
  const ratio = median(stormy) / median(quiet);
  const slow = percentile(stormy, 0.95) / percentile(quiet, 0.95);
  say(
    `  ${"in the storm ÷ before".padEnd(44)}${ratio.toFixed(2).padStart(7)}   p95 ${slow.toFixed(2).padStart(7)}   (goal: ${goal})`,
  );
}

/** Makes this many due at the next full minute, unless that is too close. */
async function makeDue(
  client: Sql,
  { table }: Subject,
  clicked: number,
  count: number,
): Promise<{ inMs: number }> {
  const [{ second } = { second: 0 }] = await client<{ second: number }[]>`
    select extract(second from now())::float8 as second`;
  if (second > 50) await delay((61 - second) * 1000);
  const [due] = await client<{ ms: number }[]>`
    with at as (select date_trunc('minute', now()) + interval '1 minute' as at), due as (
      update ${client(table)} set next_run_at = at from at
      where id in (select id from ${client(table)} where id <> ${clicked} order by id limit ${count}))
    select (extract(epoch from at - clock_timestamp()) * 1000)::float8 as ms from at`;
  return { inMs: Math.max(due?.ms ?? 0, 0) };
}

async function finished(client: Sql, { runs }: Subject, count: number): Promise<void> {
  const until = performance.now() + maxStormMs;
  for (;;) {
    const [row] = await client<{ done: number }[]>`
      select count(*)::int as done from ${client(runs.table)}
      where trigger = 'Scheduled' and ${client(runs.endedAt)} is not null`;
    if ((row?.done ?? 0) >= count) return;
    if (performance.now() > until) throw new Error(`Only ${row?.done} of ${count} have ended`);
    await delay(250);
  }
}

async function forgetRuns(client: Sql, { runs, traces, remember }: Subject): Promise<void> {
  await client`delete from occurrences`;
  await client.unsafe(`truncate ${[runs.table, ...traces].join()} cascade`);
  if (remember === undefined) return;
  await client.unsafe(remember);
  await client.unsafe(`vacuum analyze ${runs.table}`);
}

async function click(person: Api, { path, action }: Subject, id: number): Promise<void> {
  const { status, body } = await person("POST", `${path}/${id}/${action}`, undefined, { prefer: "wait" });
  if (status !== 200) throw new Error(`A click was answered ${status}: ${JSON.stringify(body)}`);
}

async function clicksUntil(person: Api, subject: Subject, id: number, isOver: (count: number) => boolean) {
  const runs: number[] = [];
  const reads: number[] = [];
  while (!isOver(runs.length)) {
    runs.push(await timed(() => click(person, subject, id)));
    reads.push(await timed(async () => void (await person("GET", `${subject.path}/${id}`))));
    await delay(clickEveryMs);
  }
  return { runs, reads };
}

/** Computed from stored rows, in milliseconds after the time at which each was due. */
async function figuresOf(client: Sql, { runs }: Subject) {
  const [table, of] = [client(runs.table), client(runs.of)];
  const [startedAt, endedAt] = [client(runs.startedAt), client(runs.endedAt)];
  const claimed = await client<{ ms: number }[]>`
    select (extract(epoch from created_at - scheduled_for) * 1000)::float8 as ms from occurrences`;
  const drift = await client<{ ms: number }[]>`
    select (extract(epoch from ${startedAt} - scheduled_for) * 1000)::float8 as ms
    from ${table} where trigger = 'Scheduled'`;
  const [all] = await client<{ runs: number; owners: number; seconds: number; claims: number }[]>`
    select count(*)::int as runs, count(distinct ${of})::int as owners,
      extract(epoch from max(${endedAt}) - min(${startedAt}))::float8 as seconds,
      (select extract(epoch from max(created_at) - min(created_at))::float8 from occurrences) as claims
    from ${table} where trigger = 'Scheduled'`;
  if (!all) throw new Error("An aggregate has one row");
  return {
    claimed: claimed.map(({ ms }) => ms),
    drift: drift.map(({ ms }) => ms),
    runs: all.runs,
    owners: all.owners,
    seconds: all.seconds,
    claimSeconds: all.claims,
  };
}
