import { parseArgs } from "node:util";
import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../server/db/migrate.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { median, percentile, type Say } from "./measure.ts";
import { type Kind, makeSchedules, timesOf } from "./simulate/schedules.ts";

/**
 * A day of very many schedules, as fast as possible: minute by minute, the service's own statements claim what is due,
 * and are passed the time. Reports how long that takes, compared with a day's 86,400 seconds, and counts every
 * occurrence by cron, zone and time against croner's; each must exist exactly once. In Berlin the day has 23 hours.
 *
 * `npm run bench -- simulate --schedules 1000000`: 100,000 by default. BENCH_DATABASE_URL is a superuser's address of a
 * PostgreSQL to use, else one is started. PROCESSES (1) is how many claim at once.
 */
const { values } = parseArgs({ options: { schedules: { type: "string" } }, strict: false });
const schedules = Number(values.schedules ?? process.env.SCHEDULES ?? 100_000);
const processes = Number(process.env.PROCESSES ?? 1);
const minutes = 1440;
const minuteMs = 60_000;
const begin = new Date("2026-03-29T00:00:00Z");
const end = new Date(begin.getTime() + minutes * minuteMs);

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-simulate");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_simulate");
  await migrateDatabase(own);
  const client = postgres(own, { max: 1, onnotice: () => {} });
  process.env.DATABASE_URL = own;
  try {
    const kinds = await makeSchedules(client, schedules, begin);
    say(
      `${count(schedules)} schedules of 1,000 projects, ${count(kinds.length)} different ones; ${processes} at once`,
    );
    const ticks = await aDay(say);
    printTicks(say, ticks);
    await check(say, client, kinds);
  } finally {
    await client.end();
    await (await import("../server/db/client.ts")).closeDatabase();
    await server.stop();
  }
}

type Tick = { minute: number; claimed: number; ms: number; batches: number[] };

async function aDay(say: Say): Promise<Tick[]> {
  const { db } = await import("../server/db/client.ts");
  const { claimDue } = await import("../server/jobs/schedules.ts");
  const { subscriptionSchedule } = await import("../server/subscriptions/jobs.ts");
  const ticks: Tick[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const now = new Date(begin.getTime() + minute * minuteMs);
    const tick: Tick = { minute, claimed: 0, ms: 0, batches: [] };
    const claimer = async () => {
      for (let claimed = 1; claimed > 0; tick.claimed += claimed) {
        const startedAt = performance.now();
        claimed = await db.transaction((tx) => claimDue(tx, subscriptionSchedule, now));
        if (claimed > 0) tick.batches.push(performance.now() - startedAt);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: processes }, claimer));
    tick.ms = performance.now() - startedAt;
    ticks.push(tick);
    if (minute % 360 === 0) say(`  ${minute / 60} hours are over`);
  }
  return ticks;
}

function printTicks(say: Say, ticks: Tick[]): void {
  const claimed = ticks.reduce((sum, tick) => sum + tick.claimed, 0);
  const seconds = ticks.reduce((sum, tick) => sum + tick.ms, 0) / 1000;
  const spread = (figures: number[]) =>
    `median ${median(figures).toFixed(1)}, p95 ${percentile(figures, 0.95).toFixed(1)}, most ${Math.max(...figures).toFixed(1)} ms`;
  say(
    `  ${count(claimed)} occurrences were claimed in ${seconds.toFixed(1)} s: ${count(Math.round(claimed / seconds))} a second`,
  );
  say(`  that is ${((seconds / 86_400) * 100).toFixed(3)} % of the day`);
  say(`  a minute's claims: ${spread(ticks.map(({ ms }) => ms))}`);
  say(`  one transaction of them: ${spread(ticks.flatMap(({ batches }) => batches))}`);
  for (const { minute, claimed, ms } of ticks.toSorted((a, b) => b.ms - a.ms).slice(0, 3))
    say(
      `  at ${new Date(begin.getTime() + minute * minuteMs).toISOString().slice(11, 16)}: ${count(claimed)} in ${(ms / 1000).toFixed(1)} s`,
    );
}

/** Counts the occurrences at every time of every cron. */
async function check(say: Say, client: Sql, kinds: Kind[]): Promise<void> {
  const found = await client<{ cron: string; zone: string; at: Date; count: number }[]>`
    select cron_expression as cron, timezone as zone, scheduled_for as at, count(*)::int as count
    from occurrences join subscriptions on id = object_id group by 1, 2, 3`;
  const counted = new Map(
    found.map(({ cron, zone, at, count }) => [`${cron} ${zone} ${at.getTime()}`, count]),
  );
  let expected = 0;
  let lost = 0;
  let foreign = 0;
  for (const kind of kinds)
    for (const at of timesOf(kind, begin, end)) {
      const key = `${kind.cron} ${kind.zone} ${at.getTime()}`;
      const had = counted.get(key) ?? 0;
      counted.delete(key);
      expected += kind.count;
      lost += Math.max(kind.count - had, 0);
      foreign += Math.max(had - kind.count, 0);
    }
  for (const rest of counted.values()) foreign += rest;
  say(`  ${count(expected)} were to be; lost ${lost}, doubled or at a wrong time ${foreign}`);
  if (lost + foreign > 0) throw new Error("The claims are wrong");
}

const count = (number: number) => number.toLocaleString("en");
