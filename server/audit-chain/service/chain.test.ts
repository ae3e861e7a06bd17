import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { recordAsSystem, recordRunBeginning, removeOldEntries, systemAs } from "../../audit/service.ts";
import { sql } from "../../db/client.ts";
import { decrypt, encrypt, secretKey } from "../../db/encryption.ts";
import { programEnv } from "../../test/program-env.ts";
import { removeOld } from "./remove-old.ts";
import { moveAnchor, sealChain, signingKeyOf } from "./seal-chain.ts";
import { verifyChain } from "./verify-chain.ts";

/** The triggers that protect the log also keep a test from starting anew. */
beforeEach(async () => {
  await sql.unsafe(`
    alter table audit_log disable trigger audit_log_stands;
    truncate audit_log, audit_pending, audit_chain, audit_chain_state, audit_export;
    alter table audit_log enable trigger audit_log_stands`);
});

const anchorHash = async () =>
  (await sql`select encode(hash, 'hex') as hash from audit_chain_state`)[0]?.hash as string;
const entry = (detail: string) => recordAsSystem({ action: "test", objectKind: "test", detail });
async function three() {
  for (const detail of ["one", "two", "three"]) await entry(detail);
  await sealChain();
  const rows = await sql`select id from audit_log order by id`;
  return rows.map(({ id }) => id as number);
}
/** As someone with the database's rights would, past the triggers. */
const tamper = (statement: string) =>
  sql
    .unsafe(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`)
    .simple();
const found = async (known = {}) => {
  const { ok, problems } = await verifyChain(known);
  expect(ok).toBe(problems.length === 0);
  return problems.map(({ kind, entryId }) => [kind, entryId]);
};

test("what the service records is in the chain, in order, and verifies", async () => {
  const ids = await three();
  expect(await verifyChain()).toMatchObject({
    ...{ ok: true, links: 3, waiting: 0, problemCount: 0, problems: [], removedBefore: null },
    end: { position: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    publicKey: expect.stringContaining("BEGIN PUBLIC KEY"),
  });
  await entry("four");
  expect(await verifyChain()).toMatchObject({ ok: true, links: 3, waiting: 1 });
  expect(await sealChain()).toBe(1);
  expect(await sealChain()).toBe(0);
  expect(await verifyChain()).toMatchObject({ ok: true, links: 4, waiting: 0 });
  expect(
    await sql`select entry_id, signature is not null as signed from audit_chain order by position`,
  ).toEqual([
    ...ids.map((id, i) => ({ entry_id: id, signed: i === 2 })),
    { entry_id: (ids[2] ?? 0) + 1, signed: true },
  ]);
});

test("the outcome of a run is chained as well, and nothing else may change", async () => {
  const by = systemAs("Test");
  const end = await recordRunBeginning({ by, address: "", action: "run", objectKind: "test" });
  await sealChain();
  await end("12 rows");
  expect(await verifyChain()).toMatchObject({ ok: true, links: 1, waiting: 1 });
  await sealChain();
  expect(await verifyChain()).toMatchObject({ ok: true, links: 2, waiting: 0 });
  // Even if the change is put into the chain by its own means.
  await tamper("update audit_log set outcome = '1 row'");
  await sql`insert into audit_pending (entry_id) select id from audit_log`;
  await sealChain();
  expect((await found()).map(([kind]) => kind)).toEqual(["Changed"]);
});

test.each([
  ["changed", "update audit_log set detail = 'other' where detail = 'two'", ["Changed"]],
  ["given to someone else", "update audit_log set principal_name = 'Eve' where detail = 'two'", ["Changed"]],
  ["moved in time", "update audit_log set at = at - interval '1 hour' where detail = 'two'", ["Changed"]],
  ["removed", "delete from audit_log where detail = 'two'", ["Removed"]],
  [
    "removed with its link",
    "delete from audit_chain where position = 2; delete from audit_log where detail = 'two'",
    ["Broken"],
  ],
  [
    "removed, and the links numbered anew",
    "delete from audit_chain where position = 2; delete from audit_log where detail = 'two'; update audit_chain set position = 2 where position = 3",
    ["Broken", "NotSigned"],
  ],
  [
    "added without a link",
    "insert into audit_log (principal_kind, principal_name, action, object_kind) values ('System', 'x', 'x', 'x')",
    ["Added"],
  ],
  [
    "signed by another",
    "update audit_chain set signature = '\\x00' || substr(signature, 2) where position = 3",
    ["NotSigned"],
  ],
  ["not signed at the end", "update audit_chain set signature = null", ["NotSigned"]],
  [
    "said to be older",
    "update audit_chain_state set removed_before = now() + interval '1 day'",
    ["NotSigned"],
  ],
])("an entry that was %s is found", async (_, statement, kinds) => {
  await three();
  expect(await found()).toEqual([]);
  await tamper(statement);
  expect((await found()).map(([kind]) => kind)).toEqual(kinds);
});

test("the whole chain computed anew is found by its signatures", async () => {
  await three();
  await tamper(
    "delete from audit_log where detail = 'three'; delete from audit_chain; delete from audit_chain_state",
  );
  await sql`insert into audit_pending (entry_id) select id from audit_log`;
  // Without ENCRYPTION_KEY, the only key to sign with is one of their own.
  await sealChain();
  const [state] = await sql`select signing_key from audit_chain_state`;
  const own = encrypt(decrypt(state?.signing_key, signingKeyOf), signingKeyOf, secretKey("07".repeat(32)));
  await tamper(`update audit_chain_state set signing_key = '\\x${own.toString("hex")}'`);
  await expect(verifyChain()).rejects.toThrow("another ENCRYPTION_KEY");
});

test("a chain that was removed as a whole, and that the service has begun anew, is younger, with another key", async () => {
  await three();
  const before = await verifyChain();
  await tamper(
    "delete from audit_log where detail = 'two'; delete from audit_chain; delete from audit_chain_state; insert into audit_pending (entry_id) select id from audit_log order by id",
  );
  await sealChain();
  const after = await verifyChain();
  // The service cannot tell it from a new installation; people who know since when it runs can.
  expect(after).toMatchObject({ ok: true, links: 2 });
  expect(after.startedAt?.getTime()).toBeGreaterThan(before.to?.getTime() ?? 0);
  expect(after.publicKey).not.toBe(before.publicKey);
  expect(await found(before.end)).toEqual([["Shortened", null]]);
  // Nor can its beginning be moved back.
  await tamper("update audit_chain_state set started_at = started_at - interval '1 year'");
  expect(await found()).toEqual([["NotSigned", null]]);
});

test("an end that was noted earlier must still be there", async () => {
  await three();
  const { end } = await verifyChain();
  expect(await found(end)).toEqual([]);
  await entry("four");
  await sealChain();
  expect(await found(end)).toEqual([]);
  expect(() => verifyChain({ hash: end.hash })).toThrow("hash needs its position");
  expect((await found({ ...end, hash: "0".repeat(64) })).map(([kind]) => kind)).toEqual(["Broken"]);
  const { end: last } = await verifyChain();
  // Cut after a signed link, the chain is whole by itself.
  await tamper("delete from audit_log where detail = 'four'; delete from audit_chain where position = 4");
  expect(await found()).toEqual([]);
  expect(await found(last)).toEqual([["Shortened", null]]);
});

test("entries removed by age leave an anchor from which the rest verifies", async () => {
  await tamper(`
    insert into audit_log (at, principal_kind, principal_name, action, object_kind)
    select now() - i * interval '1 day', 'System', 'System', 'test', 'test' from generate_series(500, 398, -1) as i`);
  await sql`insert into audit_pending (entry_id) select id from audit_log order by id`;
  await three();
  expect(await verifyChain()).toMatchObject({ ok: true, links: 106 });
  // 500 to 401 days old.
  expect(await removeOld(400)).toBe(
    101 -
      (
        await sql`select 1 from audit_log where at >= now() - interval '400 days' and at < now() - interval '399 days 23 hours 59 minutes'`
      ).length,
  );
  const after = await verifyChain();
  expect(after).toMatchObject({ ok: true, problems: [] });
  expect(after.links).toBeLessThanOrEqual(6);
  expect(Math.round((Date.now() - (after.removedBefore?.getTime() ?? 0)) / 86_400_000)).toBe(400);
  expect(after.end.position).toBe(106);
  // An end that was noted when it was the anchor is compared with it; what was before is gone.
  const anchor = { position: 106 - after.links, hash: await anchorHash() };
  expect(await found(anchor)).toEqual([]);
  expect(await found({ ...anchor, hash: "0".repeat(64) })).toEqual([["Broken", null]]);
  expect(await found({ position: 1, hash: "0".repeat(64) })).toEqual([]);
  // The anchor allows nothing younger to be missing.
  await tamper("delete from audit_log where detail = 'one'");
  expect((await found()).map(([kind]) => kind)).toEqual(["Removed"]);
});

test("exactly what the anchor allows is removed by age, however long that takes; nothing while it is off", async () => {
  const limit = await moveAnchor(400, { isExported: false });
  // Meanwhile, this one gets older than 400 days.
  await sql`
    insert into audit_log (at, principal_kind, principal_name, action, object_kind)
    values (${limit.toISOString()}, 'System', 'System', 'kept', 'test'),
      (${new Date(limit.getTime() - 1).toISOString()}, 'System', 'System', 'old', 'test')`;
  await sealChain();
  expect(await removeOld(null)).toBe(0);
  expect(await removeOldEntries(limit)).toBe(1);
  expect(await verifyChain()).toMatchObject({ ok: true, links: 2 });
  expect(await sql`select action from audit_log`).toEqual([{ action: "kept" }]);
});

test("several processes extend one chain, one after the other, while entries are added", async () => {
  const files = Array.from({ length: 3 }, () =>
    fork(path.join(import.meta.dirname, "../sealer.fixture.ts"), {
      execArgv: [],
      env: { ...process.env, ...programEnv },
      stdio: "ignore",
    }),
  );
  const codes = await Promise.all(files.map((child) => once(child, "exit")));
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
  await sealChain();
  expect(await verifyChain()).toMatchObject({ ok: true, links: 150, waiting: 0 });
  const [range] = await sql`select min(position)::int as first, max(position)::int as last from audit_chain`;
  expect(range).toEqual({ first: 1, last: 150 });
}, 120_000);
