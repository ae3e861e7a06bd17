import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eq, inArray, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { runDue } from "../jobs/schedules.ts";
import { jobRuns } from "../jobs/tables.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { runSubscription, subscriptionSchedule } from "./jobs.ts";
import { executeNow, startExecution } from "./service/execute.ts";
import { executions, subscriptions } from "./tables.ts";

/** A data source that accepts connections and never responds delays only its own callers. */

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});
afterAll(closeSources);

async function aSilentServer() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => open.size,
    /** Drops all connections and stops. */
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Subscriptions that became due the given number of seconds ago. */
async function dueSubscriptions(
  count: number,
  dataSource: { id: number; projectId: number },
  secondsAgo: number,
) {
  const of = await aQuery({ dataSource, sql: "select 1 as one" }, ctx);
  const made: number[] = [];
  for (let n = 0; n < count; n++) made.push((await aSubscription({ query: of }, ctx)).id);
  await db
    .update(subscriptions)
    .set({ nextRunAt: query`now() - ${secondsAgo} * interval '1 second'` })
    .where(inArray(subscriptions.id, made));
  return made;
}

const executionsOf = (ids: number[]) =>
  db.select().from(executions).where(inArray(executions.subscriptionId, ids));

test("thirty hanging executions delay neither those of another data source nor manual runs", async () => {
  const silent = await aSilentServer();
  onTestFinished(silent.close);
  const hanging = await aDataSource({
    name: "Hanging",
    connection: { host: "127.0.0.1", port: silent.port },
  });
  const good = await aDataSource({ name: "Good" });
  // The hanging ones have waited longer, so they are first in the queue.
  const stuck = await dueSubscriptions(30, hanging, 60);
  const fine = await dueSubscriptions(5, good, 1);
  await runDue(subscriptionSchedule);

  // Fewer slots than hanging executions.
  const engine = await startEngine([runSubscription], { concurrency: 5, pollMs: 3_600_000, drainMs: 0 });
  onTestFinished(() => engine.stop());
  await expect
    .poll(async () => (await executionsOf(fine)).map(({ status }) => status), { timeout: 8_000 })
    .toEqual(Array(5).fill("NotificationSent"));
  const begun = await executionsOf(stuck);
  expect(begun.map(({ status }) => status)).toEqual(["Created", "Created"]);
  expect(silent.connections()).toBe(2);

  // A manual run on the working source completes, and one on the hanging source gets its own connection.
  expect(await executeNow(ctx, fine[0] as number)).toMatchObject({ status: "NotificationSent" });
  await startExecution(ctx, stuck[29] as number);
  await expect.poll(silent.connections).toBe(3);
  expect(await db.select().from(jobRuns).where(eq(jobRuns.status, "Running"))).toHaveLength(2);

  // When the source stops for good, every execution learns of it, and none is lost.
  silent.close();
  await engine.idle();
  const ended = (await executionsOf(stuck)).filter(({ trigger }) => trigger === "Scheduled");
  expect(ended.map(({ status }) => status)).toEqual(Array(30).fill("Failed"));
  expect(new Set(ended.map(({ subscriptionId }) => subscriptionId)).size).toBe(30);
}, 180_000);
