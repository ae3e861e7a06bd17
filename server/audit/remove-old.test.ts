import { beforeEach, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { sequentiallyRead } from "../test/sequential-scans.ts";
import { removeOldEntries } from "./service.ts";

/** The trigger that protects the log also prevents emptying it. */
beforeEach(async () => {
  await sql.unsafe(`
    alter table audit_log disable trigger audit_log_stands;
    truncate audit_log, key_reads;
    alter table audit_log enable trigger audit_log_stands`);
});

/** Entries, each a day older than the previous one. */
async function entries(count: number, newestDays = 0) {
  await sql`
    insert into audit_log (at, principal_kind, principal_name, action, object_kind, detail)
    select now() - (${newestDays}::float8 + i) * interval '1 day', 'System', 'System', 'test', 'test', (${newestDays}::float8 + i)::text
    from generate_series(0, ${count - 1}::int) as i`;
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const daysLeft = async () =>
  (await sql`select detail from audit_log order by at desc`).map(({ detail }) => Number(detail));

test("entries older than the limit are removed, with the hours of key reads", async () => {
  await entries(3, 398.999);
  await entries(2, 400.0001);
  await sql`
    insert into key_reads (key_id, hour, count)
    values (1, now() - interval '400 days 1 minute', 5), (1, now() - interval '399 days', 6)`;
  // The last of the first three, the two others, and one hour.
  expect(await removeOldEntries(daysAgo(400))).toBe(4);
  expect(await daysLeft()).toEqual([398.999, 399.999]);
  expect(await sql`select count from key_reads`).toEqual([{ count: 6 }]);
});

test.each([
  "delete from audit_log",
  "delete from audit_log where at < now() - interval '2 years'",
  "update audit_log set detail = null",
  "truncate audit_log",
])("nothing else removes old entries: %s", async (statement) => {
  await entries(3, 1000);
  await expect(sql.unsafe(statement)).rejects.toThrow("The audit log is only ever added to");
  // And the function leaves no permission behind in its transaction.
  await expect(
    sql.begin(async (tx) => {
      await tx`select remove_old_audit_entries(interval '1001.5 days', 10)`;
      await tx.unsafe(statement);
    }),
  ).rejects.toThrow("The audit log is only ever added to");
  expect(await daysLeft()).toHaveLength(3);
});

test("entries of the last 365 days stay, whoever the caller is", async () => {
  await entries(2, 364.9);
  const refusal = "Entries of the last 365 days stay in the audit log";
  await expect(sql`select remove_old_audit_entries(interval '30 days', 10)`).rejects.toThrow(refusal);
  const forged = sql.begin(async (tx) => {
    await tx`select set_config('plumbline.removes_old_audit_entries', 'on', true)`;
    await tx`delete from audit_log`;
  });
  await expect(forged).rejects.toThrow(refusal);
  expect(await daysLeft()).toEqual([364.9, 365.9]);
  expect(await removeOldEntries(daysAgo(365))).toBe(1);
});

test("thousands are removed in batches while new ones arrive, without scanning the whole log", async () => {
  await sql`
    insert into audit_log (at, principal_kind, principal_name, action, object_kind)
    select now() - interval '500 days', 'System', 'System', 'old', 'test' from generate_series(1, 2500)`;
  await sql`
    insert into audit_log (at, principal_kind, principal_name, action, object_kind)
    select now(), 'System', 'System', 'new', 'test' from generate_series(1, 20000)`;
  await sql`insert into key_reads (key_id, hour, count)
    select i, now() - interval '1 hour', 1 from generate_series(1, 20000) as i`;
  await sql`vacuum analyze audit_log, key_reads`;
  const work = () => Promise.all([removeOldEntries(daysAgo(400)), entries(10)]);
  expect(await sequentiallyRead(["audit_log", "key_reads"], work)).toEqual([]);
  expect(await sql`select action, count(*)::int from audit_log group by 1 order by 1`).toEqual([
    { action: "new", count: 20_000 },
    { action: "test", count: 10 },
  ]);
});

test("the function that removes is for its owner alone: it removes with the owner's rights", async () => {
  const [right] = await sql`
    select has_function_privilege('pg_monitor', 'remove_old_audit_entries(interval, integer)', 'execute') as any,
      prosecdef, proconfig from pg_proc where proname = 'remove_old_audit_entries'`;
  expect(right).toEqual({
    any: false,
    prosecdef: true,
    // So that nobody puts tables or functions of their own in front of those it means.
    proconfig: ["plumbline.removes_old_audit_entries=on", "search_path=public, pg_temp"],
  });
});
