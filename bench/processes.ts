import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { type Api, signIn } from "../e2e/api.ts";
import { type Service, scratch, startService } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { addressOf, emptyDatabase, givenOrOwnServer } from "./database.ts";
import { memoryOf } from "./house/memory.ts";
import { median, percentile, type Say, timed } from "./measure.ts";
import type { Subject } from "./schedule/subjects.ts";
import { cpuOfProcess, serverCpu } from "./server-cpu.ts";

/**
 * Many processes that share a database: what they cost while there is nothing to do, and while someone executes a subscription
 * on one of them every tenth of a second, the end of which is an event that one of them takes: connections, transactions, CPU of
 * the database and of all processes together, and how long an execution takes.
 *
 * COUNTS (1,10,50) lists how many processes; each takes some 0.2 GB. SECONDS (30) is how long each state is measured.
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use that allows 16 connections for each process, else one is
 * started.
 */
const counts = (process.env.COUNTS ?? "1,10,50").split(",").map(Number);
const seconds = Number(process.env.SECONDS ?? 30);
const connectionsEach = 16;
const settleMs = 15_000;
const everyMs = 100;
const atOnce = 4;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-processes", {
    connections: 20 + Math.max(...counts) * connectionsEach,
  });
  const watched = await emptyDatabase(server.adminUrl, "plumbline_bench_processes_watched");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_processes");
  const orders = postgres(watched, { max: 1, onnotice: () => {} });
  await orders`create table orders as select i as id, i % 7 as customer from generate_series(1, 1000) as i`;
  await orders.end();
  await migrateDatabase(own);
  const settings = {
    DATABASE_URL: own,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
    RATE_LIMIT_PRINCIPAL: "off",
    LOG_LEVEL: "error",
  };
  Object.assign(process.env, settings);
  const { makeSubjects, subjects } = await import("./schedule/subjects.ts");
  const subject = subjects.subscriptions;
  const [id = 0] = await makeSubjects([subject], { watched, count: 0, sources: 1 });
  const client = postgres(addressOf(server.adminUrl, "plumbline_bench_processes"), {
    ...{ max: 1, onnotice: () => {} },
  });
  const services: Service[] = [];
  // Each has a listener that ends it with this process.
  process.setMaxListeners(0);
  const folder = (n: number) => join(scratch, `bench-processes-${n}`);
  try {
    say(
      `Of the service's database and of all processes, in ${seconds} seconds each; CPU in milliseconds a second`,
    );
    for (const count of counts) {
      while (services.length < count) services.push(await startService(folder(services.length), settings));
      const person = await signIn((services[0] as Service).url);
      await delay(settleMs);
      await measure(say, `${count} idle`, client, services, () => delay(seconds * 1000));
      const waits: number[] = [];
      await measure(say, `${count}, 10 executions a second`, client, services, async () => {
        waits.push(...(await executions(person, subject, id)));
      });
      say(
        `    an execution took ${median(waits).toFixed(0)} ms, p95 ${percentile(waits, 0.95).toFixed(0)} ms, of ${waits.length}`,
      );
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    for (const n of services.keys()) rmSync(folder(n), { recursive: true, force: true });
    await client.end();
    await server.stop();
  }
}

async function measure(
  say: Say,
  what: string,
  client: Sql,
  services: readonly Service[],
  work: () => Promise<void>,
): Promise<void> {
  const cpus = services.map(({ pid }) => cpuOfProcess(pid));
  const processes = () => cpus.reduce((sum, cpu) => sum + cpu(), 0);
  const database = await serverCpu(client);
  const before = { processes: processes(), database: database(), transactions: await transactionsOf(client) };
  const ms = await timed(work);
  const perSecond = (now: number, then: number) => (((now - then) * 1000) / ms) * 1000;
  const transactions = (((await transactionsOf(client)) - before.transactions) / ms) * 1000;
  const [row] = await client<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where application_name like 'plumbline%'`;
  const memory = services.map(({ pid }) => memoryOf(pid).now);
  say(
    `  ${what.padEnd(34)}${row?.count} connections   ${transactions.toFixed(0)} transactions a second   CPU ${perSecond(database(), before.database).toFixed(0)} in the database, ${perSecond(processes(), before.processes).toFixed(0)} in all processes   median memory ${median(memory)} MB`,
  );
}

/** Begins an execution every tenth of a second, unless several are not answered yet; returns how long each took. */
async function executions(person: Api, { path, action }: Subject, id: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const took: number[] = [];
  const open = new Set<Promise<void>>();
  const execute = async () => {
    const { status, body } = await person("POST", `${path}/${id}/${action}`, undefined, { prefer: "wait" });
    if (status !== 200) throw new Error(`An execution was answered ${status}: ${JSON.stringify(body)}`);
  };
  while (performance.now() < until) {
    if (open.size < atOnce) {
      const one = timed(execute).then((ms) => {
        took.push(ms);
        open.delete(one);
      });
      open.add(one);
    }
    await delay(everyMs);
  }
  await Promise.all(open);
  return took;
}

async function transactionsOf(client: Sql): Promise<number> {
  const [row] = await client<{ count: number }[]>`
    select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? Number.NaN;
}
