import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { scratch } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { rebuildCounters } from "../server/subscriptions/service/counters.ts";
import { inAWhile, storeExecutions } from "./control-tower/a-while.ts";
import { addExecutions, buildHistory } from "./control-tower/history.ts";
import { plainStatistics, plainWorstFirst } from "./control-tower/plain.ts";
import { openService } from "./control-tower/service.ts";
import { addressOf, emptyDatabase, givenOrOwnServer } from "./database.ts";
import { interleave, median, percentile, printFigures, ratio, type Say, timed } from "./measure.ts";

/**
 * Measures Control Tower at size: `/health` and `/statistics` (without their cache) over REST, in turns with the
 * obvious plain SQL, which counts the executions of the window; then once more with twice as many executions in the
 * same period.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. SUBSCRIPTIONS (10,000),
 * EXECUTIONS (5 million), TASKS and ANOMALIES (200,000 each) are the sizes, ROUNDS (5) is how often each is measured.
 * TWICE=off leaves out the second part, which takes as long again at large sizes. HISTORY=kept uses the history that an
 * earlier run with TWICE=off left in the same server.
 */
const size = {
  subscriptions: Number(process.env.SUBSCRIPTIONS ?? 10_000),
  executions: Number(process.env.EXECUTIONS ?? 5_000_000),
  tasks: Number(process.env.TASKS ?? 200_000),
  anomalies: Number(process.env.ANOMALIES ?? 200_000),
};
const rounds = Number(process.env.ROUNDS ?? 5);
/** The number of requests per 95th percentile. */
const requests = 100;
const warmUp = 30;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-control-tower");
  const name = "plumbline_bench_tower";
  const own = addressOf(server.adminUrl, name);
  const isKept = process.env.HISTORY === "kept";
  if (!isKept) await emptyDatabase(server.adminUrl, name);
  await migrateDatabase(own);
  // Sorting many executions takes more temporary files than the service's own database allows.
  const connection = { temp_file_limit: -1 };
  const client = postgres(own, { max: 1, onnotice: () => {}, connection });
  // The service's own client reads it when it is loaded.
  process.env.DATABASE_URL = own;
  try {
    say(
      `${count(size.subscriptions)} subscriptions, ${count(size.executions)} executions in 90 days, ${count(size.tasks)} tasks, ${count(size.anomalies)} anomalies; milliseconds, median of ${rounds} rounds in turns`,
    );
    if (!isKept) {
      await buildHistory(client, size);
      await settle(client);
    }
    const before = await withService(own, (service) => compare(say, client, service));
    if (process.env.TWICE === "off") return;
    await addExecutions(client, size.executions);
    await settle(client);
    say(`Twice the executions: ${count(2 * size.executions)}`);
    const after = await withService(own, measureWarm);
    for (const [name, figures] of Object.entries(after)) {
      printFigures(say, name, figures);
      const growth = median(figures) / median(before[name as keyof typeof before]);
      say(
        `    95 of 100 within ${percentile(figures, 0.95).toFixed(0)} ms; ${growth.toFixed(2)} times as long as before (goal: at most 1.3)`,
      );
    }
  } finally {
    await client.end();
    await (await import("../server/db/client.ts")).closeDatabase();
    await server.stop();
  }
}

/** Counts the rows that were added behind the service's back, and vacuums as autovacuum eventually would. */
async function settle(client: Sql): Promise<void> {
  const { db } = await import("../server/db/client.ts");
  await db.transaction(rebuildCounters);
  await client`vacuum analyze`;
}

/** Runs the service only while measuring: its jobs every minute would interfere with building the history. */
async function withService<T>(databaseUrl: string, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await openService(databaseUrl, join(scratch, "bench-control-tower-data"));
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

type Service = Awaited<ReturnType<typeof openService>>;

async function compare(say: Say, client: Sql, service: Service) {
  await sayFirst(say, service);
  await service.expectSame(await plainStatistics(client));
  const [statistics = [], plainly = [], health = [], plainHealth = []] = await interleave(
    [
      () => timed(() => service.get("/control-tower/statistics")),
      () => timed(async () => void (await plainStatistics(client))),
      () => timed(() => service.get("/control-tower/health")),
      () => timed(() => plainWorstFirst(client)),
    ],
    rounds,
  );
  printFigures(say, "statistics in plain SQL", plainly);
  printFigures(say, "/statistics", statistics);
  ratio(say, "/statistics ÷ plain SQL", statistics, plainly, "at most 0.05");
  printFigures(say, "the worst 100 in plain SQL", plainHealth);
  printFigures(say, "/health", health);
  ratio(say, "/health ÷ plain SQL", health, plainHealth, "at most 0.05");
  const all = await measureWarm(service);
  for (const [name, figures] of Object.entries(all)) sayMost(say, name, figures);
  for (const [name, figures] of Object.entries(await measureAfterAWhile(service)))
    sayMost(
      say,
      `${name}, with ${inAWhile} more executions before each request, as many as come in 30 s at a million a day`,
      figures,
    );
  return all;
}

const sayMost = (say: Say, name: string, figures: readonly number[]) =>
  say(
    `  ${name}: median ${median(figures).toFixed(0)}, 95 of 100 within ${percentile(figures, 0.95).toFixed(0)} ms (goal: at most 50)`,
  );

/** The first request for a time range reads everything, once for each process. */
async function sayFirst(say: Say, service: Service): Promise<void> {
  for (const days of [30, 90]) {
    const ms = await timed(() => service.get(`/control-tower/statistics?timeRangeDays=${days}`));
    say(`  the first request for ${days} days: ${ms.toFixed(0)} ms`);
  }
}

/**
 * Each request has at least as much new to read as the page when it refreshes; the one about another time range than the two
 * others has three times as much.
 */
async function measureAfterAWhile(service: Service) {
  let seed = 0;
  return measure(service, 20, async () => storeExecutions(inAWhile, seed++));
}

/** A service that has just started is slower at first. */
async function measureWarm(service: Service) {
  await measure(service, warmUp);
  return measure(service);
}

/** Sends each kind of request in turn, many times. */
async function measure(service: Service, times = requests, before = async () => {}) {
  const paths = {
    "/statistics": "/control-tower/statistics",
    "/health, worst first": "/control-tower/health",
    "/health by anomalies, last 90 days": "/control-tower/health?sortBy=Anomalies&timeRangeDays=90",
  };
  const figures = await interleave(
    Object.values(paths).map((path) => async () => {
      await before();
      return timed(() => service.get(path));
    }),
    times,
  );
  return Object.fromEntries(Object.keys(paths).map((name, index) => [name, figures[index] ?? []])) as Record<
    keyof typeof paths,
    number[]
  >;
}

const count = (number: number) => number.toLocaleString("en");
