import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "../api-keys/tables.ts";
import { auditLog } from "../audit/tables.ts";
import { updateUser } from "../auth/service/users.ts";
import { users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import {
  approveSettingsChange,
  getSettings,
  rejectSettingsChange,
  showSettings,
  updateSettings,
} from "./service.ts";
import { settings, settingsChanges } from "./tables.ts";

const allOn = { approvalWorkflow: true, fourEyes: true };
const allOff = { approvalWorkflow: false, fourEyes: false };
const noFourEyes = { approvalWorkflow: true, fourEyes: false };

const shown = (settings: typeof allOn) => ({ ...settings, revision: expect.any(Number) });

beforeEach(async () => {
  await db.delete(settingsChanges);
  await db.delete(settings);
  await db.delete(apiKeys);
  await db.delete(users);
});

/** Two Admins with everything on, and the first one's request to turn four eyes off. */
async function aPendingChange() {
  const [first, second] = [await asAdmin(), await asAdmin()];
  await updateSettings(first, allOn);
  const { pendingChange } = await updateSettings(first, noFourEyes);
  if (!pendingChange) throw new Error("Nothing waits");
  return { first, second, id: pendingChange.id };
}

describe("under four eyes, turning approval off", () => {
  test("waits for another Admin, and nothing changes until then", async () => {
    const { first, second, id } = await aPendingChange();
    expect(await getSettings()).toEqual(allOn);
    expect(await showSettings()).toEqual({
      ...shown(allOn),
      pendingChange: {
        ...noFourEyes,
        ...{ id, requester: { id: first.principal.userId, name: first.principal.name } },
        createdAt: expect.any(Date),
      },
    });
    expect(await approveSettingsChange(second, id)).toEqual(shown(noFourEyes));
    expect(await getSettings()).toEqual(noFourEyes);
  });

  test("can't be approved by the requester, whichever key they use", async () => {
    const { first, second, id } = await aPendingChange();
    await expect(approveSettingsChange(first, id)).rejects.toMatchObject({ code: "forbidden" });
    const { headers } = await aKey({ scopes: ["Admin"] }, first);
    const byKey = await rest("POST", `/settings/changes/${id}/approve`, { headers });
    expect([byKey.status, byKey.body.detail]).toEqual([403, "Someone else must approve your change"]);
    const other = await aKey({ scopes: ["Admin"] }, second);
    expect((await rest("POST", `/settings/changes/${id}/approve`, other)).status).toBe(200);
    expect(await getSettings()).toEqual(noFourEyes);
  });

  test("can't be approved by someone who became an Admin after the request", async () => {
    const former = await asEditor();
    const { first, id } = await aPendingChange();
    const { userId } = former.principal;
    await updateUser(first, { id: userId, name: "Raised", role: "Admin", enabled: true });
    for (const newcomer of [former, await asAdmin()])
      await expect(approveSettingsChange(newcomer, id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await getSettings()).toEqual(allOn);
  });

  test("can be rejected or withdrawn", async () => {
    const { first, second, id } = await aPendingChange();
    expect(await rejectSettingsChange(second, id)).toEqual(shown(allOn));
    const again = await updateSettings(first, noFourEyes);
    expect(await rejectSettingsChange(first, again.pendingChange?.id ?? 0)).toEqual(shown(allOn));
    await expect(rejectSettingsChange(second, id)).rejects.toMatchObject({
      code: "conflict",
      detail: "The change is not pending: it is Rejected",
    });
    await expect(approveSettingsChange(second, 2_000_000_000)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is superseded by the next request", async () => {
    const { first, second, id } = await aPendingChange();
    const { pendingChange } = await updateSettings(second, allOff);
    expect(pendingChange).toMatchObject({ ...allOff, requester: { id: second.principal.userId } });
    await expect(approveSettingsChange(first, id)).rejects.toMatchObject({ code: "conflict" });
    // Requests the current settings, so nothing needs approval.
    expect(await updateSettings(first, allOn)).toEqual(shown(allOn));
  });

  test("only one of two concurrent decisions wins", async () => {
    const { first, second, id } = await aPendingChange();
    const third = await asAdmin();
    await db
      .update(users)
      .set({ createdAt: sql`now() - interval '1 day'` })
      .where(eq(users.id, third.principal.userId));
    const decisions = await Promise.allSettled([
      approveSettingsChange(second, id),
      approveSettingsChange(third, id),
      rejectSettingsChange(first, id),
    ]);
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("without another Admin", () => {
  test("it takes effect at once", async () => {
    const only = await asAdmin();
    await asEditor();
    await updateSettings(only, allOn);
    expect(await updateSettings(only, allOff)).toEqual(shown(allOff));
    expect(await getSettings()).toEqual(allOff);
  });

  test("it still waits if there was another Admin in the last 7 days", async () => {
    const [first, second] = [await asAdmin(), await asAdmin()];
    await updateSettings(first, allOn);
    const { userId: id } = second.principal;
    await updateUser(first, { id, name: "Second", role: "Admin", enabled: false });
    expect(await updateSettings(first, allOff)).toMatchObject({ ...allOn, pendingChange: allOff });
    await updateUser(first, { id, name: "Second", role: "Viewer", enabled: true });
    expect(await updateSettings(first, allOff)).toMatchObject(allOn);

    const since = (days: number) =>
      db
        .update(users)
        .set({ adminUntil: sql`now() - ${days} * interval '1 day' - interval '1 minute'` })
        .where(eq(users.id, id));
    await since(6);
    expect(await updateSettings(first, allOff)).toMatchObject(allOn);
    await since(7);
    expect(await updateSettings(first, allOff)).toEqual(shown(allOff));
  });
});

test("without four eyes every change takes effect at once, and so does turning more on", async () => {
  const [first] = [await asAdmin(), await asAdmin()];
  expect(await updateSettings(first, noFourEyes)).toEqual(shown(noFourEyes));
  expect(await updateSettings(first, allOff)).toEqual(shown(allOff));
  expect(await updateSettings(first, { approvalWorkflow: false, fourEyes: true })).toMatchObject({
    fourEyes: true,
  });
  expect(await updateSettings(first, allOn)).toEqual(shown(allOn));
});

test("REST returns 200 with the pending change, and the audit log has each step", async () => {
  const [admin, other] = [await aUser("Admin"), await aUser("Admin")];
  const cookie = await cookieOf(admin);
  await rest("PUT", "/settings", { cookie, json: allOn });
  const put = await rest("PUT", "/settings", { cookie, json: noFourEyes });
  expect([put.status, put.body]).toEqual([
    200,
    {
      ...shown(allOn),
      pendingChange: {
        ...noFourEyes,
        ...{ id: expect.any(Number), requester: { id: admin.id, name: admin.name } },
        createdAt: expect.stringMatching(/Z$/),
      },
    },
  ]);
  const { id } = put.body.pendingChange;
  const approved = await rest("POST", `/settings/changes/${id}/approve`, { cookie: await cookieOf(other) });
  expect([approved.status, approved.body]).toEqual([200, shown(noFourEyes)]);
  const entries = await db
    .select({ action: auditLog.action, detail: auditLog.detail })
    .from(auditLog)
    .where(eq(auditLog.objectKind, "settings"))
    .orderBy(auditLog.id);
  expect(entries.slice(-3)).toEqual([
    { action: "settings.update", detail: "Approval workflow on, four eyes on" },
    {
      action: "settings.update",
      detail:
        "Approval workflow on, four eyes on. Pending approval by another Admin: Approval workflow on, four eyes off",
    },
    { action: "settings.approveChange", detail: "Approval workflow on, four eyes off" },
  ]);
});
