import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eq, inArray, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service.ts";
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

/** A data source that takes connections and never says a word delays those who ask it, and nobody else. */

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
    /** Hangs up on everybody, and is gone. */
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Subscriptions whose time came so many seconds ago. */
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

test("thirty executions that hang delay neither those of another data source nor a person's", async () => {
  const silent = await aSilentServer();
  onTestFinished(silent.close);
  const hanging = await aDataSource({
    name: "Hanging",
    connection: { host: "127.0.0.1", port: silent.port },
  });
  const good = await aDataSource({ name: "Good" });
  // Those that hang have waited longer, so they are first in line.
  const stuck = await dueSubscriptions(30, hanging, 60);
  const fine = await dueSubscriptions(5, good, 1);
  await runDue(subscriptionSchedule);

  // Fewer places than there are executions that hang.
  const engine = await startEngine([runSubscription], { concurrency: 5, pollMs: 3_600_000, drainMs: 0 });
  onTestFinished(() => engine.stop());
  await expect
    .poll(async () => (await executionsOf(fine)).map(({ status }) => status), { timeout: 8_000 })
    .toEqual(Array(5).fill("NotificationSent"));
  const begun = await executionsOf(stuck);
  expect(begun.map(({ status }) => status)).toEqual(["Created", "Created"]);
  expect(silent.connections()).toBe(2);

  // A person's click on the good source is answered, and on the hanging one gets a connection of its own.
  expect(await executeNow(ctx, fine[0] as number)).toMatchObject({ status: "NotificationSent" });
  await startExecution(ctx, stuck[29] as number);
  await expect.poll(silent.connections).toBe(3);
  expect(await db.select().from(jobRuns).where(eq(jobRuns.status, "Running"))).toHaveLength(2);

  // When it is gone for good, every execution is told so, and none is lost.
  silent.close();
  await engine.idle();
  const ended = (await executionsOf(stuck)).filter(({ trigger }) => trigger === "Scheduled");
  expect(ended.map(({ status }) => status)).toEqual(Array(30).fill("Failed"));
  expect(new Set(ended.map(({ subscriptionId }) => subscriptionId)).size).toBe(30);
}, 60_000);
