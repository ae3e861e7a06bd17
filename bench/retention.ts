import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { scratch } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { buildHistory } from "./control-tower/history.ts";
import { openService } from "./control-tower/service.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { median, percentile, printSpread, type Say, timed } from "./measure.ts";

/**
 * Measures how requests are affected while old executions are removed: Control Tower over REST, and executions being
 * started, alternating between some seconds with the cleanup and without. Two thirds of the executions are old.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. SUBSCRIPTIONS (2,000) and
 * EXECUTIONS (1 million) are the sizes, ROUNDS (5) is how often it is measured.
 */
const size = {
  subscriptions: Number(process.env.SUBSCRIPTIONS ?? 2000),
  executions: Number(process.env.EXECUTIONS ?? 1_000_000),
  tasks: 2000,
  anomalies: 20_000,
};
const rounds = Number(process.env.ROUNDS ?? 5);
const turnMs = 4000;
const keptDays = 30;

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-retention");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_retention");
  await migrateDatabase(own);
  process.env.DATABASE_URL = own;
  const client = postgres(own, { max: 1, onnotice: () => {} });
  try {
    await buildHistory(client, size);
    const { db, closeDatabase } = await import("../server/db/client.ts");
    const { rebuildCounters } = await import("../server/subscriptions/service/counters.ts");
    await db.transaction(rebuildCounters);
    await client`vacuum analyze`;
    const service = await openService(own, join(scratch, "bench-retention-data"));
    try {
      say(
        `${size.executions.toLocaleString("en")} executions of ${size.subscriptions} subscriptions; milliseconds`,
      );
      await compare(say, service);
      await printLeft(say, client);
    } finally {
      await service.close();
      await closeDatabase();
    }
  } finally {
    await client.end();
    await server.stop();
  }
}

type Service = Awaited<ReturnType<typeof openService>>;

async function compare(say: Say, service: Service): Promise<void> {
  const { removeOldExecutions } = await import("../server/subscriptions/service/remove-old.ts");
  const { anExecution } = await import("../server/test/factories/subscriptions.ts");
  const ways = {
    "/health": () => service.get("/control-tower/health"),
    "/statistics": () => service.get("/control-tower/statistics"),
    "an execution is stored": async () => void (await anExecution({ subscriptionId: 1 })),
  };
  const figures = Object.keys(ways).map((name) => ({ name, quiet: [] as number[], busy: [] as number[] }));
  const turn = async (which: "quiet" | "busy") => {
    for (const until = performance.now() + turnMs; performance.now() < until; )
      for (const { name, ...figure } of figures)
        figure[which].push(await timed(ways[name as keyof typeof ways]));
  };
  await turn("quiet");
  for (const figure of figures) figure.quiet.length = 0;

  let removed = 0;
  let removingMs = 0;
  for (let round = 0; round < rounds; round++) {
    await turn("quiet");
    const startedAt = performance.now();
    const [count] = await Promise.all([removeOldExecutions(keptDays, turnMs), turn("busy")]);
    removed += count;
    removingMs += Math.min(performance.now() - startedAt, turnMs);
    await delay(200);
  }
  say(
    `  ${removed.toLocaleString("en")} were removed in ${(removingMs / 1000).toFixed(1)} s: ${Math.round((removed / removingMs) * 1000)} a second`,
  );
  for (const { name, quiet, busy } of figures) {
    printSpread(say, `${name}, before`, quiet);
    printSpread(say, `${name}, meanwhile`, busy);
    say(
      `  ${"meanwhile ÷ before".padEnd(44)}${(median(busy) / median(quiet)).toFixed(2).padStart(7)}   p95 ${(percentile(busy, 0.95) / percentile(quiet, 0.95)).toFixed(2).padStart(7)}`,
    );
  }
}

async function printLeft(say: Say, client: Sql): Promise<void> {
  const [left] = await client<{ old: number }[]>`
    select count(*)::int as old from executions where executed_at < now() - ${keptDays} * interval '1 day'`;
  say(`  old ones that are left: ${left?.old.toLocaleString("en")}`);
}
