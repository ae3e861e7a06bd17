import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { sessionCookie, signIn } from "../../e2e/api.ts";
import { pages, redirecting } from "../../e2e/every-page.ts";
import { type Service, scratch, startService } from "../../e2e/service.ts";
import { Clock } from "../../faults/clock.ts";
import { findOpen } from "../../faults/quiet.ts";
import { addressOf, emptyDatabase, givenOrOwnServer } from "../database.ts";
import { latencies, loadOf } from "../doors/load.ts";
import { median, type Say } from "../measure.ts";
import { memoryOf } from "./memory.ts";

/**
 * Days of work that pass within minutes: the clock of the service and of its database is set forward to shortly before the next
 * full hour as soon as everything that was due has been done. So schedules, watching, scans, retention, and all that happens
 * hourly or daily take place as often as in real days; what happens every minute does not.
 *
 * Each day has some 9,000 executions and 9,000 evaluations, half of the former with a search for anomalies. In each hour,
 * people open every page without a parameter, programs read 200 contracts over REST and 40 over MCP, and someone evaluates.
 */
const size = { each: 1000, sources: 10, orders: 20_000 };
const hourMs = 60 * 60_000;
const hours = 24;
const marginMs = 2000;
const longestStepMs = 5 * 60_000;
const idleForMs = 60_000;
const goals = { dayMb: 500, growth: 1.1 };

export async function simulateDays(say: Say, days: number): Promise<void> {
  const server = await givenOrOwnServer("bench-house-days");
  const watched = await emptyDatabase(server.adminUrl, "plumbline_bench_house_watched");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_house");
  const folder = join(scratch, "bench-house-days-service");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const client = postgres(addressOf(server.adminUrl, "plumbline_bench_house"), {
    max: 2,
    onnotice: () => {},
  });
  const clock = new Clock(join(folder, "clock"));
  await clock.install(client, "plumbline_bench_house");
  const settings = {
    DATABASE_URL: own,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
    RATE_LIMIT_PRINCIPAL: "off",
    RATE_LIMIT_ADDRESS: "off",
    LOG_LEVEL: "error",
  };
  let service: Service | undefined;
  try {
    const byHand = await makeWork(client, { own, watched, settings });
    service = await startService(folder, {
      ...settings,
      FAULTS_CLOCK: clock.file,
      NODE_OPTIONS: "--import ./faults/shifted-date.mjs",
    });
    const { pid } = service;
    const forward = async () => {
      const left = hourMs - (clock.now() % hourMs) - marginMs;
      if (left > 0) await clock.jump(client, left / 1000, () => process.kill(pid ?? 0, "SIGUSR2"));
      await delay(marginMs + 500);
    };
    await measure(say, days, { client, service, byHand, forward });
  } finally {
    await service?.stop();
    await client.end();
    await server.stop();
  }
}

type Simulated = { client: Sql; service: Service; byHand: number; forward(): Promise<void> };

async function measure(
  say: Say,
  days: number,
  { client, service, byHand, forward }: Simulated,
): Promise<void> {
  say("Memory of the process on simulated days, beside its database; MB");
  const { body } = await (await signIn(service.url))("POST", "/api-keys", {
    name: "Bench",
    scopes: ["Read", "Execute"],
  });
  const { rawKey } = body as { rawKey: string };
  const figures: number[] = [];
  for (let day = 1; day <= days; day++) {
    const before = await countRuns(client);
    const samples: number[] = [];
    for (let hour = 0; hour < hours; hour++) {
      await forward();
      await visit(service, rawKey, byHand);
      await isDone(client);
      samples.push(memoryOf(service.pid).now);
    }
    figures.push(median(samples));
    const after = await countRuns(client);
    say(
      `  ${`day ${day}, median of its hours`.padEnd(44)}${median(samples).toFixed(0).padStart(7)}   most ${Math.max(...samples)}   ${after.executions - before.executions} executions, ${after.evaluations - before.evaluations} evaluations${day === 1 ? `   (goal: at most ${goals.dayMb})` : ""}`,
    );
  }
  say(
    `  ${"the last day ÷ the first".padEnd(44)}${((figures.at(-1) ?? 0) / (figures[0] ?? 0)).toFixed(2).padStart(7)}   (goal: at most ${goals.growth})`,
  );
  await delay(idleForMs);
  say(
    `  ${"idle for a minute after that".padEnd(44)}${memoryOf(service.pid).now.toFixed(0).padStart(7)}   most ever ${memoryOf(service.pid).most}`,
  );
}

/** What people and programs ask in an hour. */
async function visit({ url }: Service, key: string, contractId: number): Promise<void> {
  const authorization = `Bearer ${key}`;
  const path = `/svc/api/data-quality/contracts/${contractId}`;
  const cookie = await sessionCookie(url);
  for (const page of pages.filter((page) => !page.includes("[") && !redirecting.includes(page)))
    await (await fetch(`${url}${page}`, { headers: { cookie } })).text();
  await latencies(loadOf(`${url}${path}`, { headers: { authorization } }), { connections: 4, requests: 200 });
  const call = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "get_contract", arguments: { contract_id: contractId } },
  });
  const headers = {
    ...{ authorization, "content-type": "application/json" },
    accept: "application/json, text/event-stream",
  };
  await latencies(loadOf(`${url}/svc/mcp`, { headers, body: call }), { connections: 4, requests: 40 });
  const evaluated = await fetch(`${url}${path}/evaluate`, {
    method: "POST",
    headers: { authorization, prefer: "wait" },
  });
  if (evaluated.status !== 200)
    throw new Error(`An evaluation was answered ${evaluated.status}: ${await evaluated.text()}`);
}

/** Waits until nothing is due, and nothing that has begun is unfinished. */
async function isDone(client: Sql): Promise<void> {
  const until = performance.now() + longestStepMs;
  for (;;) {
    const open = await findOpen(client);
    if (open.length === 0) return;
    if (performance.now() > until) throw new Error(`Still open: ${JSON.stringify(open).slice(0, 1000)}`);
    await delay(100);
  }
}

async function countRuns(client: Sql): Promise<{ executions: number; evaluations: number }> {
  const [row] = await client<{ executions: number; evaluations: number }[]>`
    select (select count(*)::int from executions) as executions, (select count(*)::int from evaluations) as evaluations`;
  return row ?? { executions: 0, evaluations: 0 };
}

/** Contracts and subscriptions of which a third runs hourly, and the others daily. */
async function makeWork(
  client: Sql,
  { own, watched, settings }: { own: string; watched: string; settings: Record<string, string> },
): Promise<number> {
  const orders = postgres(watched, { max: 1, onnotice: () => {} });
  await orders`
    create table orders as
    select i as id, i % 7 as customer, now() - i * interval '1 minute' as placed_at from generate_series(1, ${size.orders}::int) as i`;
  await orders.end();
  const { migrateDatabase } = await import("../../server/db/migrate.ts");
  await migrateDatabase(own);
  Object.assign(process.env, settings);
  const { makeSubjects, subjects } = await import("../schedule/subjects.ts");
  const [byHand = 0] = await makeSubjects([subjects.contracts, subjects.subscriptions], {
    ...{ watched, count: size.each, sources: size.sources },
  });
  await client`update subscriptions set anomaly_enabled = id % 2 = 0`;
  for (const table of ["contracts", "subscriptions"])
    await client`
      update ${client(table)} set next_run_at = now(), cron_expression = case
        when id % 3 = 0 then '0 * * * *' else '0 ' || id % 24 || ' * * *' end
      where enabled`;
  return byHand;
}
