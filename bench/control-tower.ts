import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { scratch } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { addExecutions, buildHistory } from "./control-tower/history.ts";
import { plainStatistics, plainWorstFirst } from "./control-tower/plain.ts";
import { addressOf, givenOrOwnServer } from "./database.ts";
import { interleave, median, ratio, type Say, tell, timed } from "./measure.ts";

/**
 * What Control Tower costs at size: `/health` and `/statistics` (their cache switched off) through the REST door, in
 * turns with what one would write in plain SQL, which counts the executions of the window; then once more with twice
 * the executions in the same time.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. SUBSCRIPTIONS (10,000),
 * EXECUTIONS (5 million), TASKS and ANOMALIES (200,000 each) are the sizes, ROUNDS how often each is measured (5).
 */
const size = {
  subscriptions: Number(process.env.SUBSCRIPTIONS ?? 10_000),
  executions: Number(process.env.EXECUTIONS ?? 5_000_000),
  tasks: Number(process.env.TASKS ?? 200_000),
  anomalies: Number(process.env.ANOMALIES ?? 200_000),
};
const rounds = Number(process.env.ROUNDS ?? 5);
/** Of which the 95th percentile is taken. */
const requests = 100;
const warmUp = 30;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-control-tower");
  const own = addressOf(server.adminUrl, "plumbline_bench_tower");
  await remake(server.adminUrl, "plumbline_bench_tower");
  await migrateDatabase(own);
  const client = postgres(own, { max: 1, onnotice: () => {} });
  process.env.DATABASE_URL = own;
  const { openService } = await import("./control-tower/service.ts");
  const service = await openService(join(scratch, "bench-control-tower-data"));
  try {
    say(
      `${count(size.subscriptions)} subscriptions, ${count(size.executions)} executions in 90 days, ${count(size.tasks)} tasks, ${count(size.anomalies)} anomalies; milliseconds, median of ${rounds} rounds in turns`,
    );
    await buildHistory(client, size);
    await service.rebuildCounters();
    // As autovacuum does of itself, in time.
    await client`vacuum analyze`;
    const before = await compare(say, client, service);
    await addExecutions(client, size.executions);
    await service.rebuildCounters();
    // As autovacuum does of itself, in time.
    await client`vacuum analyze`;
    say(`Twice the executions: ${count(2 * size.executions)}`);
    const after = await measure(service);
    for (const [name, figures] of Object.entries(after)) {
      tell(say, name, figures);
      const growth = median(figures) / median(before[name as keyof typeof before]);
      say(
        `    95 of 100 within ${percentile(figures, 0.95).toFixed(0)} ms; ${growth.toFixed(2)} times as long as before (goal: at most 1.3)`,
      );
    }
  } finally {
    await service.close();
    await client.end();
    await server.stop();
  }
}

type Service = Awaited<ReturnType<typeof import("./control-tower/service.ts").openService>>;

async function compare(say: Say, client: Sql, service: Service) {
  await service.expectSame(await plainStatistics(client));
  // A service that has just started is slower: growth would look smaller than it is.
  await measure(service, warmUp);
  const [statistics = [], plainly = [], health = [], plainHealth = []] = await interleave(
    [
      () => timed(() => service.get("/control-tower/statistics")),
      () => timed(async () => void (await plainStatistics(client))),
      () => timed(() => service.get("/control-tower/health")),
      () => timed(() => plainWorstFirst(client)),
    ],
    rounds,
  );
  tell(say, "statistics in plain SQL", plainly);
  tell(say, "/statistics", statistics);
  ratio(say, "/statistics ÷ plain SQL", statistics, plainly, "at most 0.05");
  tell(say, "the worst 100 in plain SQL", plainHealth);
  tell(say, "/health", health);
  ratio(say, "/health ÷ plain SQL", health, plainHealth, "at most 0.05");
  const all = await measure(service);
  for (const [name, figures] of Object.entries(all))
    say(`  ${name}: 95 of 100 within ${percentile(figures, 0.95).toFixed(0)} ms (goal: at most 50)`);
  return all;
}

/** Each request in turn, many times. */
async function measure(service: Service, times = requests) {
  const paths = {
    "/statistics": "/control-tower/statistics",
    "/health, worst first": "/control-tower/health",
    "/health by anomalies, last 90 days": "/control-tower/health?sortBy=Anomalies&timeRangeDays=90",
  };
  const figures = await interleave(
    Object.values(paths).map((path) => () => timed(() => service.get(path))),
    times,
  );
  return Object.fromEntries(Object.keys(paths).map((name, index) => [name, figures[index] ?? []])) as Record<
    keyof typeof paths,
    number[]
  >;
}

function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

const count = (number: number) => number.toLocaleString("en");

async function remake(adminUrl: string, database: string): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(`drop database if exists ${database} with (force)`);
    await admin.unsafe(`create database ${database}`);
  } finally {
    await admin.end();
  }
}
