import { beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { archiveQuery } from "./archive.ts";
import { setLocked } from "./lock.ts";
import { getQuery } from "./queries.ts";
import { restoreVersion, updateQuery } from "./save-query.ts";
import { activateVersion, listVersions, rejectVersion } from "./versions.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asEditor();
});

const needsApproval = { needsApproval: true };
const activate = (queryId: number, number: number) =>
  db.transaction((tx) => activateVersion(tx, { queryId, number }));
const reject = (queryId: number, number: number) =>
  db.transaction((tx) => rejectVersion(tx, { queryId, number }));
const statuses = async (id: number) =>
  (await listVersions(ctx, id)).items.map(({ number, status }) => `${number} ${status}`);

/** A query with SQL `select 1` and a pending change to `select 2`. */
async function aPendingChange() {
  const query = await aQuery({ sql: "select 1" });
  const [step] = query.steps;
  const propose = (by: SignedIn, sql: string) =>
    updateQuery(
      by,
      { id: query.id, name: query.name, steps: [{ dataSourceId: step?.dataSourceId, sql }] },
      needsApproval,
    );
  await propose(ctx, "select 2");
  return { id: query.id, propose };
}

const notPending = { code: "conflict", detail: "The version is not pending approval" };

describe("a change that needs approval", () => {
  test("is pending, and the active version keeps running unchanged", async () => {
    const { id } = await aPendingChange();
    expect(await getQuery(ctx, id)).toMatchObject({
      activeVersion: 1,
      pendingVersion: 2,
      steps: [{ sql: "select 1" }],
    });
    expect(await statuses(id)).toEqual(["2 PendingApproval", "1 Active"]);
  });

  test("runs once approved, and the previous version is archived", async () => {
    const { id } = await aPendingChange();
    await activate(id, 2);
    expect(await getQuery(ctx, id)).toMatchObject({
      activeVersion: 2,
      pendingVersion: null,
      steps: [{ sql: "select 2" }],
    });
    expect(await statuses(id)).toEqual(["2 Active", "1 Archived"]);
  });

  test("changes nothing if rejected", async () => {
    const { id } = await aPendingChange();
    await reject(id, 2);
    expect(await getQuery(ctx, id)).toMatchObject({ activeVersion: 1, pendingVersion: null });
    expect(await statuses(id)).toEqual(["2 Rejected", "1 Active"]);
  });

  test("is superseded by the requester's next one, and nobody else can add one", async () => {
    const { id, propose } = await aPendingChange();
    await expect(propose(await asEditor(), "select 3")).rejects.toMatchObject({
      code: "conflict",
      detail: "Another change to this query is pending approval",
    });
    await propose(ctx, "select 3");
    expect(await statuses(id)).toEqual(["3 PendingApproval", "2 Superseded", "1 Active"]);
    await expect(activate(id, 2)).rejects.toMatchObject(notPending);
  });

  test("stays pending when a version is restored, and cannot be restored itself", async () => {
    const { id } = await aPendingChange();
    await expect(restoreVersion(ctx, { id, number: 2 })).rejects.toMatchObject({
      code: "conflict",
      detail: "Version 2 is waiting for approval",
    });
    await reject(id, 2);
    await restoreVersion(ctx, { id, number: 2 }, needsApproval);
    expect(await statuses(id)).toEqual(["3 PendingApproval", "2 Rejected", "1 Active"]);
  });
});

describe("a decision", () => {
  test("happens once, even with many concurrent attempts", async () => {
    const { id } = await aPendingChange();
    const decisions = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? activate(id, 2) : reject(id, 2))),
    );
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const decision of decisions)
      if (decision.status === "rejected") expect(decision.reason).toMatchObject(notPending);
    expect(["2 Active,1 Archived", "2 Rejected,1 Active"]).toContain((await statuses(id)).join());
  });

  test("requires a pending version", async () => {
    const { id } = await aPendingChange();
    await expect(activate(id, 1)).rejects.toMatchObject(notPending);
    await expect(reject(id, 1)).rejects.toMatchObject(notPending);
    await expect(activate(id, 3)).rejects.toMatchObject({ code: "not_found" });
    expect(await statuses(id)).toEqual(["2 PendingApproval", "1 Active"]);
  });

  test("cannot approve a change to a locked or archived query, but can reject it if locked", async () => {
    const { id } = await aPendingChange();
    await setLocked(await asAdmin(), id, true);
    await expect(activate(id, 2)).rejects.toMatchObject({ code: "conflict", detail: "Query is locked" });
    await setLocked(await asAdmin(), id, false);
    await archiveQuery(ctx, { id });
    await expect(activate(id, 2)).rejects.toMatchObject({ code: "not_found", detail: "Query not found" });
    await expect(reject(id, 2)).rejects.toMatchObject({ code: "not_found" });
  });
});
