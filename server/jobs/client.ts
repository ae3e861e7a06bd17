import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { Inngest } from "inngest";
import type { Connection } from "../db/client.ts";
import { log } from "../telemetry/log.ts";
import { jobEvents } from "./tables.ts";

/**
 * Background jobs. Each is an Inngest function, defined once in its domain's `jobs.ts`.
 *
 * A domain declares its events in `events.ts`, with a Zod schema (no transforms, no defaults), and its
 * functions in `jobs.ts`; server/job-functions.ts lists them, along with the schedules:
 *
 *     // data-quality/events.ts
 *     export const contractDue = eventType("data-quality/contract.due", {
 *       schema: z.object({ contractId: z.int(), scheduledFor: z.iso.datetime() }),
 *     });
 *
 *     // data-quality/jobs.ts
 *     export const contractSchedule = defineSchedule({
 *       kind: "contract",
 *       table: contracts, // has id, cronExpression, timezone, nextRunAt
 *       event: ({ objectId, scheduledFor }) =>
 *         contractDue.create({ contractId: objectId, scheduledFor: scheduledFor.toISOString() }),
 *     });
 *
 *     export const runEvaluation = inngest.createFunction(
 *       { id: "run-evaluation", triggers: contractDue, retries: maxRetries },
 *       async ({ event, step, runId }) => {
 *         const occurrence = { kind: "contract", objectId: event.data.contractId, scheduledFor: … };
 *         const evaluation = await step.run("evaluate", () =>
 *           ifClaimed(occurrence, runId, () => evaluateContract(…)),
 *         );
 *         if ("skipped" in evaluation) return evaluation;
 *         await step.run("alert", () => alertIfDue(evaluation.id));
 *       },
 *     );
 *
 *     // a service, in its own transaction
 *     await sendEvents(tx, evaluationRequested.create({ contractId }, { id: `evaluation/${id}` }));
 *
 * Supported features: event and cron triggers (in UTC), `step.run`, one step after the other, `retries` (3 by default,
 * counted separately for each step), NonRetriableError, RetryAfterError, and a concurrency limit for runs whose events
 * have the same value in a property, as `concurrency: { key: "event.data.dataSourceId", limit: 2 }`. The embedded
 * engine rejects anything else on startup, or fails the run if it only shows while the run executes. A step returns
 * JSON (a Date becomes text). Its work may happen twice if the process dies during it; once it has returned, it never
 * runs again. A step that sends events must call `sendEvents` with ids, or a retry sends them a second time.
 */
export const appId = "plumbline";

/**
 * Whether jobs run on the embedded engine, in this process and its PostgreSQL, rather than on Inngest. Reads the
 * settings unchecked, because a build loads this file too; the process checks them on startup.
 */
export function isEmbedded(): boolean {
  return !process.env.INNGEST_SIGNING_KEY;
}

/** What `eventType(…).create(…)` returns. */
export type Event = {
  name: string;
  data: Record<string, unknown>;
  /** Events with the same id are processed once. */
  id?: string;
  /** When it happened, in milliseconds since 1970; defaults to now. */
  ts?: number;
  validate?(): Promise<void>;
};

/** Workers listen on this channel of the database; its payload is empty. */
export const wakeUpChannel = "plumbline_jobs";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * `isDev` is always set: otherwise an INNGEST_DEV in the environment would turn off signature checks.
 */
function inngestOptions() {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;
  return {
    isDev: false,
    logger: log,
    ...(INNGEST_BASE_URL && { baseUrl: INNGEST_BASE_URL }),
    ...(INNGEST_EVENT_KEY && { eventKey: INNGEST_EVENT_KEY }),
    ...(INNGEST_SIGNING_KEY && { signingKey: INNGEST_SIGNING_KEY }),
  };
}

/** Nothing leaves this process: `sendEvents` stores events. The engine writes the log. */
const embeddedOptions = {
  isDev: true,
  logger: silent,
  baseUrl: "http://embedded.invalid",
  fetch: rejectRequest,
};

export const inngest = new Inngest({
  id: appId,
  aiMetadata: false,
  ...(isEmbedded() ? embeddedOptions : inngestOptions()),
});

/**
 * `inngest.send` and `step.sendEvent` would need Inngest; `sendEvents` works with both.
 */
async function rejectRequest(input: RequestInfo | URL): Promise<Response> {
  throw new Error(`The embedded engine sends no requests: ${new Request(input).url} needs Inngest`);
}

/**
 * Validates events against their schemas and sends them from a service. On the embedded engine they are part of the
 * caller's transaction. Inngest receives them immediately, so send last, and set ids so that a caller that tries again
 * sends them once. Returns their ids.
 */
export async function sendEvents(connection: Connection, events: Event | Event[]): Promise<string[]> {
  const list = [events].flat();
  if (list.length === 0) return [];
  if (!isEmbedded()) return (await inngest.send(list)).ids;
  for (const event of list) await event.validate?.();
  return insertEvents(connection, list);
}

/** Stores events and wakes a worker when the transaction commits. Existing keys are skipped. */
export async function insertEvents(connection: Connection, events: Event[]): Promise<string[]> {
  const rows = events.map(({ name, data, id, ts }) => ({
    key: id ?? randomUUID(),
    name,
    // As text within JSON, so that PostgreSQL does not look for what it could not store as text, such as NUL.
    data: JSON.stringify(data),
    ...(ts !== undefined && { occurred_at: new Date(ts) }),
  }));
  // One value, however many: hundreds come at once, and writing a list of values costs more than storing them.
  await connection.execute(sql`
    with stored as (
      insert into ${jobEvents} (key, name, data, occurred_at)
      select key, name, data::json, coalesce(occurred_at, now())
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (key text, name text, data text, occurred_at timestamptz)
      on conflict (key) do nothing
    )
    ${wakeUp(isWorking ? self : everyone)}`);
  return rows.map((row) => row.key);
}

/** This process, to the others. */
const self = randomUUID();
const everyone = "";
let isWorking = false;

/** Says that this process runs jobs from now on, or no longer. */
export function setWorking(working: boolean): void {
  isWorking = working;
}

/**
 * Who should look at once when they are woken: all processes if none is named, else only that which looks for itself. So a process
 * takes what it has made, and a hundred others do not all look for the same event.
 */
export const isForThisProcess = (payload: string): boolean => payload === everyone || payload === self;

/** Wakes all processes when the transaction commits. */
export async function wakeWorkers(connection: Connection): Promise<void> {
  await connection.execute(wakeUp(everyone));
}

const wakeUp = (who: string): SQL => sql`select pg_notify(${wakeUpChannel}, ${who})`;
