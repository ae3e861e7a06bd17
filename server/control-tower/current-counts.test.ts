import { eq, sql as query } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { db, inOneTransaction, sql } from "../db/client.ts";
import { countExecutions, countStatuses, rebuildCounters } from "../subscriptions/service/counters.ts";
import { archiveSubscription } from "../subscriptions/service/subscriptions.ts";
import { executions } from "../subscriptions/tables.ts";
import { recordNoFindings } from "../tasks/service/findings.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aFinding, anAnomaly, anExecution, aSubscription } from "../test/factories/subscriptions.ts";
import { type Counts, loadAllCounts, loadChangedCounts, loadMoment } from "./service/counts.ts";
import { currentCounts } from "./service/current-counts.ts";
import { windowBefore } from "./window.ts";

/** What a process remembers is what the database has at the time of the call, whoever changed it and however. */
let ctx: SignedIn;
let watch: Awaited<ReturnType<typeof aSubscription>>;

const hour = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms);

beforeEach(async () => {
  ctx = await asAdmin();
  watch = await aSubscription({}, ctx);
  // From here on, what has changed is read, rather than everything.
  await currentCounts(1);
});

async function current(id = watch.id, timeRangeDays = 1) {
  const { counts } = await currentCounts(timeRangeDays);
  const { total, ok, anomalies, openTasks } = counts.get(id) ?? {};
  return [total, ok, anomalies, openTasks];
}

describe("a call has what changed since the one before", () => {
  test("executions, also those before the time range", async () => {
    expect(await current()).toEqual([0, 0, 0, 0]);
    await anExecution({ subscriptionId: watch.id });
    expect(await current()).toEqual([1, 1, 0, 0]);
    await anExecution({ subscriptionId: watch.id, status: "Failed", executedAt: ago(23 * hour) });
    await anExecution({ subscriptionId: watch.id, executedAt: ago(25 * hour) });
    await anExecution({ subscriptionId: watch.id, executedAt: ago(100 * hour) });
    expect(await current()).toEqual([2, 1, 0, 0]);
    expect(await current(watch.id, 7)).toEqual([4, 3, 0, 0]);
  });

  test.each([
    ["in the time range", 2 * hour, [1, 0, 0, 0], [1, 1, 0, 0]],
    ["before it", 30 * hour, [0, 0, 0, 0], [0, 0, 0, 0]],
  ])("the status of an execution %s", async (_, before, first, then) => {
    const id = await anExecution({
      ...{ subscriptionId: watch.id, status: "Created", executedAt: ago(before) },
    });
    expect(await current()).toEqual(first);
    await db.transaction(async (tx) => {
      const [row] = await tx.select().from(executions).where(eq(executions.id, id));
      if (!row) throw new Error("It was just stored");
      await tx.update(executions).set({ status: "NoResults" }).where(eq(executions.id, id));
      await countStatuses(tx, [{ before: row, status: "NoResults" }]);
    });
    expect(await current()).toEqual(then);
  });

  test("anomalies, and tasks that are opened and resolved", async () => {
    await anAnomaly(watch.id);
    expect(await current()).toEqual([1, 1, 1, 0]);
    await aFinding(watch);
    expect(await current()).toEqual([1, 1, 1, 1]);
    await db.transaction((tx) => recordNoFindings(tx, [{ subscriptionId: watch.id, at: new Date() }]));
    expect(await current()).toEqual([1, 1, 1, 0]);
  });

  test("subscriptions that are new, archived, or changed by hand", async () => {
    const { id } = await aSubscription({}, ctx);
    expect(await current(id)).toEqual([0, 0, 0, 0]);
    await sql`update subscriptions set created_at = '2020-01-01' where id = ${id}`;
    expect((await currentCounts(1)).counts.get(id)?.createdAt).toBe(Date.UTC(2020));
    await archiveSubscription(ctx, id);
    expect(await current(id)).toEqual(Array(4).fill(undefined));
    await sql`update subscriptions set archived_at = null where id = ${id}`;
    expect(await current(id)).toEqual([0, 0, 0, 0]);
  });

  test("counters that were rebuilt, of a subscription without executions, too", async () => {
    await anExecution({ subscriptionId: watch.id });
    expect(await current()).toEqual([1, 1, 0, 0]);
    await sql`delete from executions where subscription_id = ${watch.id}`;
    await db.transaction(rebuildCounters);
    expect(await current()).toEqual([0, 0, 0, 0]);
  });
});

test("a change that was made before a call, and committed after it, is in the next", async () => {
  const [begun, may, other] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    await aSubscription({}, ctx),
  ];
  const slow = db.transaction(async (tx) => {
    const [row] = await tx
      .insert(executions)
      .values({
        subscriptionId: watch.id,
        ...{ status: "NoResults", trigger: "Scheduled", executedAt: new Date(), queryVersion: 1 },
      })
      .returning();
    if (!row) throw new Error("The insert returned no execution");
    await countExecutions(tx, [row]);
    begun.resolve();
    await may.promise;
  });
  await begun.promise;
  // Later transactions end before it, and are read.
  await anExecution({ subscriptionId: other.id });
  expect([await current(), await current(other.id)]).toEqual([
    [0, 0, 0, 0],
    [1, 1, 0, 0],
  ]);
  await anExecution({ subscriptionId: other.id });
  expect(await current(other.id)).toEqual([2, 2, 0, 0]);
  may.resolve();
  await slow;
  expect(await current()).toEqual([1, 1, 0, 0]);
});

test("calls that come while one is being answered get what was committed before they came", async () => {
  const first = currentCounts(1);
  await anExecution({ subscriptionId: watch.id });
  const [, ...later] = await Promise.all([first, currentCounts(1), currentCounts(1)]);
  expect(later.map(({ counts }) => counts.get(watch.id)?.total)).toEqual([1, 1]);
});

test("a call that fails forgets nothing, and what it would have read is in the next", async () => {
  await anExecution({ subscriptionId: watch.id });
  await sql`alter table subscription_day rename to away`;
  try {
    await expect(currentCounts(1)).rejects.toThrow();
  } finally {
    await sql`alter table away rename to subscription_day`;
  }
  expect(await current()).toEqual([1, 1, 0, 0]);
});

test("more time ranges than are remembered are all right", async () => {
  for (const days of [1, 3, 5, 7, 9])
    await anExecution({ subscriptionId: watch.id, executedAt: ago((days * 24 - 1) * hour) });
  for (const more of [0, 1]) {
    for (const [days, total] of [
      [1, 1],
      [3, 2],
      [5, 3],
      [7, 4],
      [9, 5],
      [365, 5],
    ] as const)
      expect((await current(watch.id, days))[0]).toBe(total + more);
    await anExecution({ subscriptionId: watch.id });
  }
});

test("nothing uncommitted is remembered: it cannot be asked in a transaction", async () => {
  await expect(inOneTransaction(async () => currentCounts(1))).rejects.toThrow("inside a transaction");
});

test("a restored database, where numbers of transactions are later than any of this server's, is not read again and again", async () => {
  await anExecution({ subscriptionId: watch.id });
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update subscription_state set changed = '900000000000' where subscription_id = ${watch.id}`;
  });
  const changedSince = (changesFrom: string) =>
    db.transaction(async (tx) => {
      const window = windowBefore((await loadMoment(tx)).now, 1);
      const changed = await loadChangedCounts(tx, window, { changesFrom, from: window.from });
      return changed.map(({ id }) => id);
    });
  const [last] = await sql<{ id: string }[]>`select pg_current_xact_id()::text as id`;
  // Other tests use the server at the same time: what came after the oldest of their open transactions is read again.
  const changesFrom = await vi.waitUntil(
    async () => {
      const moment = await db.transaction(loadMoment);
      return BigInt(moment.changesFrom) > BigInt(last?.id ?? 0) && moment.changesFrom;
    },
    { timeout: 30_000, interval: 20 },
  );
  expect(await changedSince(changesFrom)).not.toContain(watch.id);
  await anExecution({ subscriptionId: watch.id });
  expect(await changedSince(changesFrom)).toContain(watch.id);
});

describe("as time passes", () => {
  /** Executions and anomalies every seven hours of the last four days. */
  async function aHistory() {
    const { id } = await aSubscription({}, ctx);
    for (let hours = 1; hours < 96; hours += 7) {
      const executedAt = ago(hours * hour);
      const executionId = await anExecution({ subscriptionId: id, executedAt });
      if (hours % 2 === 0) await anAnomaly(id, { executionId, detectedAt: executedAt });
    }
    return id;
  }

  const without = (counts: readonly Counts[]) =>
    new Map(counts.filter(({ isArchived }) => !isArchived).map((each) => [each.id, each]));

  test.each([
    [1, 20],
    [2, 8],
    [4, 6],
    [3, -7],
  ])(
    "a window of %i days that moves by %i hours loses and gains the same as one that is read anew",
    async (days, hours) => {
      const id = await aHistory();
      await db.transaction(async (tx) => {
        const { now, changesFrom } = await loadMoment(tx);
        const [before, after] = [now, new Date(now.getTime() + hours * hour)].map((at) =>
          windowBefore(at, days),
        );
        if (!before || !after) throw new Error("Both were given");
        const known = without(await loadAllCounts(tx, before));
        const first = known.get(id);
        for (const each of await loadChangedCounts(tx, after, { changesFrom, from: before.from }))
          known.set(each.id, each);
        const anew = without(await loadAllCounts(tx, after));
        expect(known.get(id)).toEqual(anew.get(id));
        expect(known.get(id)).not.toEqual(first);
        const [plain] = await tx.execute(query`
        select count(*)::int as total from executions
        where subscription_id = ${id} and executed_at >= ${after.from.toISOString()}`);
        expect(anew.get(id)?.total).toBe(plain?.total);
      });
    },
  );
});
