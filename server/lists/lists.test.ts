import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { archiveActor } from "../actors/service/actors.ts";
import { apiKeys } from "../api-keys/tables.ts";
import type { SignedIn } from "../auth/principal.ts";
import { createServiceAccount } from "../auth/service/service-accounts.ts";
import { users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { createPolicyInput } from "../incidents/schema.ts";
import { createPolicy } from "../incidents/service/policies.ts";
import { createWindowInput } from "../maintenance/schema.ts";
import { createWindow } from "../maintenance/service.ts";
import { projects } from "../projects/tables.ts";
import { archiveQuery } from "../queries/service/archive.ts";
import { anActor } from "../test/factories/actors.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aMember, aUser } from "../test/factories/sessions.ts";
import {
  actorsPageInput,
  apiKeysPageInput,
  archivedPageInput,
  dataSourcesPageInput,
  policiesPageInput,
  projectsPageInput,
  recipientsPageInput,
  serviceAccountsPageInput,
  usersPageInput,
  windowsPageInput,
} from "./schema.ts";
import { actorsPage } from "./service/actors.ts";
import { apiKeysPage } from "./service/api-keys.ts";
import { archivedActors, archivedQueries } from "./service/archived.ts";
import { dataSourcesPage } from "./service/data-sources.ts";
import { policiesPage } from "./service/policies.ts";
import { projectsPage } from "./service/projects.ts";
import { recipientsPage } from "./service/recipients.ts";
import { serviceAccountsPage, usersPage } from "./service/users.ts";
import { windowsPage } from "./service/windows.ts";

let admin: SignedIn;
beforeAll(async () => {
  admin = await asAdmin();
});

const namesOf = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name);

/** Renames a stored user, to find the test's own ones by a word. */
async function renamed(user: { id: number }, name: string, change: Partial<typeof users.$inferInsert> = {}) {
  await db
    .update(users)
    .set({ name, ...change })
    .where(eq(users.id, user.id));
  return user;
}

test("users are found by name, address, role, and state, and people limited to projects sort by their highest role", async () => {
  const { id: projectId } = await aProject();
  await renamed(await aUser("Viewer"), "Quill Ann", { email: "ann@quill.example" });
  await renamed(await aUser("Editor"), "Quill Bob", { enabled: false });
  await renamed(await aMember({ projectId, role: "Admin" }), "Quill Cleo");
  const page = (asked: object) => usersPage(usersPageInput.parse({ search: "quill", ...asked }));

  expect(namesOf(await page({}))).toEqual(["Quill Ann", "Quill Bob", "Quill Cleo"]);
  expect(namesOf(await page({ sortBy: "Role" }))).toEqual(["Quill Cleo", "Quill Bob", "Quill Ann"]);
  expect(namesOf(await page({ sortBy: "Role", sortDirection: "Asc" }))).toEqual([
    ...["Quill Ann", "Quill Bob", "Quill Cleo"],
  ]);
  expect(namesOf(await page({ role: "Admin" }))).toEqual(["Quill Cleo"]);
  expect(namesOf(await page({ enabled: false }))).toEqual(["Quill Bob"]);
  expect(namesOf(await page({ search: "ann@quill" }))).toEqual(["Quill Ann"]);
  expect(await page({ pageSize: 2, page: 1 })).toMatchObject({
    ...{ items: [{ name: "Quill Cleo" }], page: 1, pageSize: 2, totalCount: 3 },
  });
});

test("service accounts say how many of their keys are active, and when one was last used", async () => {
  const account = async (name: string) => createServiceAccount(admin, { name, role: "Editor" });
  const [busy, idle] = [await account("Heron busy"), await account("Heron idle")];
  const keyOf = (serviceAccountId: number) => aKey({ serviceAccountId, scopes: ["Read"] }, admin);
  const [first, revoked] = [await keyOf(busy.id), await keyOf(busy.id)];
  const [early, late] = [new Date("2025-03-01T08:00:00Z"), new Date("2025-03-02T08:00:00Z")];
  await db.update(apiKeys).set({ lastUsedAt: early }).where(eq(apiKeys.id, first.id));
  await db.update(apiKeys).set({ lastUsedAt: late, revokedAt: late }).where(eq(apiKeys.id, revoked.id));
  const page = (asked: object) =>
    serviceAccountsPage(admin, serviceAccountsPageInput.parse({ search: "heron", ...asked }));

  expect((await page({ sortBy: "Keys" })).items).toMatchObject([
    { id: busy.id, activeKeyCount: 1, lastUsedAt: late },
    { id: idle.id, activeKeyCount: 0, lastUsedAt: null },
  ]);
  // The one that was never used comes last, whichever way.
  expect(namesOf(await page({ sortBy: "LastUsed", sortDirection: "Asc" }))).toEqual([
    ...["Heron busy", "Heron idle"],
  ]);
});

describe("API keys", () => {
  test("are found by project, status, and owner, with what made them and what they made", async () => {
    const { id: projectId } = await aProject({ name: "Egret sales" });
    const maker = await aKey({ name: "Egret maker" }, admin);
    const made = await aKey({ name: "Egret made", allowedProjectIds: [projectId] }, admin);
    await db.update(apiKeys).set({ parentKeyId: maker.id }).where(eq(apiKeys.id, made.id));
    const gone = await aKey({ name: "Egret gone" }, admin);
    await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, gone.id));
    const other = await aKey({ name: "Egret of another" });
    const page = (asked: object) => apiKeysPage(admin, apiKeysPageInput.parse({ search: "egret", ...asked }));

    expect(namesOf(await page({}))).toEqual([
      ...["Egret of another", "Egret gone", "Egret made", "Egret maker"],
    ]);
    expect(namesOf(await page({ sortBy: "Status", sortDirection: "Desc" })).at(0)).toBe("Egret gone");
    expect(namesOf(await page({ status: "Revoked" }))).toEqual(["Egret gone"]);
    expect(namesOf(await page({ ownerId: other.user.id }))).toEqual(["Egret of another"]);
    const { items } = await page({ search: "sales" });
    expect(items).toMatchObject([{ id: made.id, madeBy: "Egret maker", activeBelow: [] }]);
    expect((await page({ search: "maker" })).items).toMatchObject([
      { id: maker.id, madeBy: null, activeBelow: [{ id: made.id, name: "Egret made" }] },
    ]);
  });

  test("of others are seen by Admins only", async () => {
    const editor = await asEditor();
    await aKey({ name: "Crane", scopes: ["Read"] }, editor);
    await aKey({ name: "Crane of another" });
    const page = await apiKeysPage(editor, apiKeysPageInput.parse({ search: "crane" }));
    expect(namesOf(page)).toEqual(["Crane"]);
  });
});

test("data sources are found by project and connection, and sort by their enabled contracts", async () => {
  const { id: projectId } = await aProject({ name: "Ibis" });
  const quiet = await aDataSource({ projectId, name: "Archive", connection: { host: "ibis-2.example" } });
  const busy = await aDataSource({ projectId, name: "Warehouse", connection: { host: "ibis-10.example" } });
  await aContract({ dataSourceId: busy.id });
  await aContract({ dataSourceId: busy.id, enabled: false });
  const page = (asked: object, ctx = admin) =>
    dataSourcesPage(ctx, dataSourcesPageInput.parse({ search: "ibis", ...asked }));

  expect((await page({ sortBy: "Contracts" })).items).toMatchObject([
    { id: busy.id, activeContractCount: 1 },
    { id: quiet.id, activeContractCount: 0 },
  ]);
  expect(namesOf(await page({ sortBy: "Server" }))).toEqual(["Archive", "Warehouse"]);
  expect(namesOf(await page({ search: "ibis-10" }))).toEqual(["Warehouse"]);
  expect((await page({ projectId: projectId + 1 })).totalCount).toBe(0);
  expect((await page({}, await asAdmin({ projectIds: [] }))).totalCount).toBe(0);
  for (const source of (await page({})).items) expect(source).not.toHaveProperty("secret");
});

test("recipients are found by the name of their type and of their project", async () => {
  const { id: projectId } = await aProject({ name: "Stork" });
  await aRecipient({
    projectId,
    name: "Room",
    type: "GoogleChat",
    destination: "https://chat.googleapis.com/v1/spaces/a/messages?key=k&token=t",
  });
  await aRecipient({ projectId, name: "Team" });
  const page = (asked: object) =>
    recipientsPage(admin, recipientsPageInput.parse({ search: "stork", ...asked }));

  expect(namesOf(await page({ sortBy: "Type" }))).toEqual(["Team", "Room"]);
  expect(namesOf(await page({ search: "google chat stork" }))).toEqual(["Room"]);
});

test("projects sort by description, those without one last", async () => {
  await aProject({ name: "Swift none" });
  const { id } = await aProject({ name: "Swift told" });
  await db.update(projects).set({ description: "Orders" }).where(eq(projects.id, id));
  const page = (asked: object) => projectsPage(admin, projectsPageInput.parse({ search: "swift", ...asked }));
  expect(namesOf(await page({ sortBy: "Description" }))).toEqual(["Swift told", "Swift none"]);
  expect(namesOf(await page({ search: "orders" }))).toEqual(["Swift told"]);
});

test("actors that need attention come first, and say whether one of them works, on any page", async () => {
  const { id: projectId } = await aProject();
  const { id: dataSourceId } = await aDataSource({ projectId });
  for (const status of ["Paused", "Active", "Failed"] as const)
    await anActor({ name: `Wren ${status}`, status, dataSourceId });
  const page = (asked: object) => actorsPage(admin, actorsPageInput.parse({ projectId, ...asked }));
  expect(namesOf(await page({}))).toEqual(["Wren Failed", "Wren Active", "Wren Paused"]);
  expect(await page({ pageSize: 1 })).toMatchObject({ totalCount: 3, isWorking: false });
});

test("what is archived is found by name, the latest first, in the caller's projects", async () => {
  const query = await aQuery();
  const { projectId } = query;
  await archiveQuery(admin, { id: query.id });
  const actor = await anActor({ dataSourceId: (await aDataSource({ projectId })).id });
  await archiveActor(admin, actor.id);
  const asked = (more: object) => archivedPageInput.parse({ projectId, ...more });

  expect(await archivedQueries(admin, asked({}))).toEqual({
    items: [{ id: query.id, projectId, name: query.name, archivedAt: expect.any(Date) }],
    ...{ page: 0, pageSize: 100, totalCount: 1 },
  });
  expect(namesOf(await archivedActors(admin, asked({ search: "watch ware" })))).toEqual(["Warehouse watch"]);
  expect(namesOf(await archivedQueries(admin, asked({ search: "nothing" })))).toEqual([]);
  const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
  expect((await archivedQueries(stranger, asked({}))).totalCount).toBe(0);
});

test("maintenance windows are in the order of their times, and found by reason and tag", async () => {
  const { id: projectId } = await aProject();
  const window = (name: string, days: number, more: object = {}) =>
    createWindow(
      admin,
      createWindowInput.parse({
        ...{ projectId, name, startsAt: inDays(days), endsAt: inDays(days + 1) },
        ...more,
      }),
    );
  await window("Plover later", 20, { reason: "Upgrade of the warehouse" });
  await window("Plover soon", 10, { tags: ["finance"] });
  const page = (asked: object) => windowsPage(admin, windowsPageInput.parse({ projectId, ...asked }));
  expect(namesOf(await page({}))).toEqual(["Plover soon", "Plover later"]);
  expect(namesOf(await page({ sortBy: "Name" }))).toEqual(["Plover later", "Plover soon"]);
  expect(namesOf(await page({ search: "warehouse upgrade" }))).toEqual(["Plover later"]);
  expect(namesOf(await page({ search: "finance" }))).toEqual(["Plover soon"]);
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("incident policies are found by whom they notify, and those that are on sort first", async () => {
  const { id: projectId } = await aProject();
  const { id: recipientId } = await aRecipient({ projectId, name: "Lapwing desk" });
  const policy = (name: string, more: object = {}) =>
    createPolicy(
      admin,
      createPolicyInput.parse({ projectId, name, recipientIds: [recipientId], minSeverity: "High", ...more }),
    );
  await policy("Away", { enabled: false });
  await policy("Duty");
  const page = (asked: object) => policiesPage(admin, policiesPageInput.parse({ projectId, ...asked }));
  expect(namesOf(await page({ search: "lapwing" }))).toEqual(["Away", "Duty"]);
  expect(namesOf(await page({ sortBy: "State" }))).toEqual(["Duty", "Away"]);
});
