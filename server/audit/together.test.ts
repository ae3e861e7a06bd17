import { count, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { appRouter } from "../app-router.ts";
import { collectDueSamples } from "../data-quality/service/collect-samples.ts";
import { db } from "../db/client.ts";
import { captureLog } from "../test/captured-log.ts";
import type { AuditKind, ProcedureMeta } from "../trpc.ts";
import { before, calls } from "./every-mutation.fixture.ts";
import { auditLog } from "./tables.ts";

/**
 * A change and its entry are stored together or not at all: each mutation is called while the database rejects its
 * entry. No part of the change may remain, and nothing may have begun.
 */
captureLog();

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: string; meta?: ProcedureMeta } }>,
);
const mutations = procedures.filter(([, { _def }]) => _def.type === "mutation");

/** Exceptions that are not a single transaction; each says why where it is defined. */
const declared: Record<Exclude<AuditKind, "change">, string[]> = {
  preparedChange: [
    ...["actors.approvePlan", "actors.create", "actors.proposePlan", "actors.refine", "actors.rejectPlan"],
    ...["actors.requestRevision", "actors.think", "actors.update"],
    ...["dataQuality.evaluate", "dataQuality.importDbt", "dataQuality.importGx"],
    ...["dataQuality.importSoda", "dataQuality.startEvaluation"],
    ...["dataSources.create", "dataSources.describe", "dataSources.tagTable", "dataSources.update"],
    ...["findings.scanAndWait"],
    ...["session.addPasskey", "session.addTotp", "session.changePassword", "session.newRecoveryCodes"],
    ...["session.removePasskey", "session.removeTotp", "session.setUp", "subscriptions.execute"],
  ],
  changes: [
    ...["dataQuality.archiveMany", "dataQuality.assignMany", "dataQuality.silenceMany"],
    ...["findings.teachInTurn", "notifications.retryMany", "queries.archiveMany", "queries.moveMany"],
    ...["subscriptions.addRecipientToMany", "subscriptions.archiveMany", "subscriptions.enableMany"],
    ...["subscriptions.silenceMany"],
    ...["tasks.assignMany", "tasks.prioritizeMany", "tasks.resolveMany", "tasks.snoozeMany"],
  ],
  run: [
    "causes.account",
    ...["dataQuality.dryRunContract", "dataQuality.dryRunRule", "dataQuality.suggestRules"],
    ...["dataSources.refreshSchema", "dataSources.testConnection"],
    ...[
      "queries.dryRun",
      "queries.explain",
      "queries.preview",
      "queries.previewStep",
      "queries.previewStored",
      "queries.query",
    ],
    ...["questions.ask", "recipients.test"],
  ],
};

test.each(["preparedChange", "changes", "run"] as const)("the procedures that are a %s are these", (kind) => {
  const found = mutations.filter(([, { _def }]) => _def.meta?.auditAs === kind).map(([name]) => name);
  expect(found.sort()).toEqual(declared[kind]);
});

beforeAll(async () => {
  await db.execute(sql`create table refused (action text)`);
  await db.execute(sql`
    create function refused() returns trigger language plpgsql as $$
    begin
      if exists (select from refused where action = new.action) then
        raise exception 'The entry cannot be written';
      end if;
      return new;
    end $$`);
  await db.execute(
    sql`create trigger refused before insert on audit_log for each row execute function refused()`,
  );
  const tables = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('refused', 'audit_log', 'audit_pending', 'rate_limits')`);
  expect(tables.length).toBeGreaterThan(30);
  const names = sql.raw(tables.map(({ name }) => `'${name}'`).join(", "));
  // A statement for each table costs a fifth of a single one with all of them.
  await db.execute(sql`
    create function stored() returns table (name text, content text) language plpgsql as $$
    begin
      foreach name in array array[${names}] loop
        execute format('select md5(string_agg(t::text, '','' order by t::text)) from %I t', name) into content;
        return next;
      end loop;
    end $$`);
});

/** All stored data, except for the log itself, with what waits for its chain, and the sign-in attempt counts. */
const stored = () => db.execute(sql`select * from stored() order by name`);

const entriesOf = async (action: string) =>
  (await db.select({ entries: count() }).from(auditLog).where(eq(auditLog.action, action)))[0]?.entries;

/** Waits for background work that calls have started. */
async function quiet(): Promise<void> {
  await vi.waitFor(
    async () => {
      const [open] = await db.execute<{ count: number }>(sql`
        select (select count(*) from evaluations where status = 'Running')
          + (select count(*) from finding_scans where status = 'Running')
          + (select count(*) from executions where status = 'Created')
          + (select count(*) from actor_executions where phase not in ('Completed', 'Failed')) as count`);
      expect(Number(open?.count)).toBe(0);
    },
    { timeout: 20_000, interval: 50 },
  );
  await collectDueSamples();
}

describe("if the entry cannot be written", () => {
  // In the order of the calls, each of which depends on the previous ones.
  test.each(Object.entries(calls))("%s has no effect", async (name, call) => {
    let found: unknown;
    before.request = async () => {
      // Its use is noted once a minute, by whichever call comes then.
      await db.execute(sql`update sessions set last_used_at = now()`);
      found = await stored();
    };
    await db.execute(sql`insert into refused values (${name})`);
    const nextUser = await db.execute<{ id: number }>(sql`select last_value as id from users_id_seq`);
    expect((await call()).status, "the answer").toBe(500);
    expect(await stored()).toEqual(found);
    expect(await entriesOf(name)).toBe(0);

    before.request = async () => {};
    await db.execute(sql`delete from refused`);
    // The calls refer to users by their ids.
    if (name === "session.setUp" || name === "users.create")
      await db.execute(
        sql`select setval('users_id_seq', ${nextUser[0]?.id ?? 1}, ${name !== "session.setUp"})`,
      );
    expect([200, 201, 202, 204], "the answer, when it is tried again").toContain((await call()).status);
    expect(await entriesOf(name)).toBeGreaterThan(0);
    await quiet();
  });
});
