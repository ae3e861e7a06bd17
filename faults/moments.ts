import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import type { Random } from "./random.ts";

/** Events reported by observers of the service: a message has arrived, a request was sent or answered. */
export class Signals extends EventEmitter<Record<Signal, []>> {}
export type Signal = "mail" | "webhook" | "sent" | "answered";

/** An event to wait for; the process is killed right after it. */
type Moment = { name: string } & (
  | { kind: "seen"; sql: string }
  | { kind: "signaled"; signal: Signal }
  | { kind: "started" }
  | { kind: "any" }
);

/** A lease that was just taken or renewed: its worker is running, in this process. */
const fresh = "lease_until > faults_clock.clock_timestamp() + interval '29 seconds'";

export const moments: readonly Moment[] = [
  { name: "while it starts", kind: "started" },
  { name: "at any time", kind: "any" },
  {
    name: "an evaluation runs",
    kind: "seen",
    sql: `select from evaluations where status = 'Running' and ${fresh}`,
  },
  {
    name: "an execution runs",
    kind: "seen",
    sql: `select from executions where status = 'Created' and ${fresh}`,
  },
  {
    name: "an actor thinks",
    kind: "seen",
    sql: `select from actor_executions where kind = 'ThinkCycle' and completed_at is null and ${fresh}`,
  },
  {
    name: "a plan is being run",
    kind: "seen",
    sql: `select from actor_executions where kind = 'PlanRun' and completed_at is null and ${fresh}`,
  },
  {
    name: "a plan is between two actions",
    kind: "seen",
    sql: `select from actor_executions run where kind = 'PlanRun' and completed_at is null and ${fresh}
      and exists (select from actor_actions where plan_id = run_plan_id and status = 'Succeeded')`,
  },
  {
    name: "a delivery was claimed",
    kind: "seen",
    sql: `select from deliveries where status = 'Queued' and ${fresh}`,
  },
  {
    name: "a scheduled time was claimed",
    kind: "seen",
    sql: `select from occurrences where claimed_at > faults_clock.clock_timestamp() - interval '200 milliseconds'`,
  },
  { name: "a mail has arrived", kind: "signaled", signal: "mail" },
  { name: "a webhook has arrived", kind: "signaled", signal: "webhook" },
  { name: "a request was sent", kind: "signaled", signal: "sent" },
  { name: "a request was answered", kind: "signaled", signal: "answered" },
];

const timeoutMs = 6_000;
const lookEveryMs = 15;

type Around = {
  sql: Sql;
  signals: Signals;
  random: Random;
  whenUp: () => Promise<void>;
  /** How long a start takes, in milliseconds. */
  startMs: number;
};

/**
 * Waits until it is time to kill, and returns the moment's name. Gives up on an event that takes more than a few
 * seconds.
 */
export async function waitForMoment({ sql, signals, random, whenUp, startMs }: Around): Promise<string> {
  const moment = random.pick(moments);
  const then = random.between(0, 60);
  if (moment.kind === "started") {
    await delay(random.between(0, startMs));
    return moment.name;
  }
  await whenUp();
  if (moment.kind === "any") {
    await delay(random.between(200, 5_000));
    return moment.name;
  }
  // So that it is not always the first one.
  await delay(random.between(0, 1_500));
  const has =
    moment.kind === "signaled" ? await isSignaled(signals, moment.signal) : await isSeen(sql, moment.sql);
  if (!has) return "at any time";
  await delay(then);
  return moment.name;
}

function isSignaled(signals: Signals, signal: Signal): Promise<boolean> {
  return once(signals, signal, { signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );
}

async function isSeen(sql: Sql, query: string): Promise<boolean> {
  for (const until = performance.now() + timeoutMs; performance.now() < until; ) {
    const rows = await sql.unsafe(query).catch(() => []);
    if (rows.length > 0) return true;
    await delay(lookEveryMs);
  }
  return false;
}
