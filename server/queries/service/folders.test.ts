import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db, sql } from "../../db/client.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aFolder, aQuery } from "../../test/factories/queries.ts";
import { queryFolders } from "../tables.ts";
import { archiveQuery, unarchiveQuery } from "./archive.ts";
import { createFolder, deleteFolder, listFolders, updateFolder } from "./folders.ts";
import { getQuery } from "./queries.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asEditor();
});

/** Nested folders in a new project, the top one first. */
async function aChain(length: number) {
  const { id: projectId } = await aProject();
  const chain: { id: number }[] = [];
  for (let depth = 1; depth <= length; depth++)
    chain.push(await aFolder({ projectId, parentId: chain.at(-1)?.id, name: `Level ${depth}` }));
  return { projectId, ids: chain.map(({ id }) => id) };
}

/** The number of statements waiting for a lock in this database. */
async function waiting() {
  const [row] = await sql`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.n;
}

const codeOf = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );

test("a folder has its path, and the list is the tree from the top", async () => {
  const { id: projectId } = await aProject();
  const flights = await aFolder({ projectId, name: "Flights" });
  const delays = await aFolder({ projectId, name: "Delays", parentId: flights.id });
  const airports = await aFolder({ projectId, name: "Airports" });
  expect(delays).toEqual({
    id: delays.id,
    projectId,
    parentId: flights.id,
    name: "Delays",
    path: "Flights / Delays",
    revision: 1,
  });
  expect(await listFolders(ctx, { projectId })).toEqual({ items: [airports, flights, delays] });
  const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
  expect(await listFolders(stranger)).toEqual({ items: [] });
  expect(await listFolders(stranger, { projectId })).toEqual({ items: [] });
});

test("a name is unique among siblings, also at the top level, and free elsewhere", async () => {
  const { id: projectId } = await aProject();
  const flights = await aFolder({ projectId, name: "Flights" });
  const taken = { code: "conflict", detail: "A folder with this name already exists here" };
  await expect(aFolder({ projectId, name: "Flights" })).rejects.toMatchObject(taken);
  const inner = await aFolder({ projectId, name: "Flights", parentId: flights.id });
  await expect(updateFolder(ctx, { id: inner.id, name: "Flights", parentId: null })).rejects.toMatchObject(
    taken,
  );
  await aFolder({ projectId: (await aProject()).id, name: "Flights" });
});

describe("a move", () => {
  test("includes the folder's contents, and without a parent goes to the top level", async () => {
    const { projectId, ids } = await aChain(3);
    const [, second = 0, third = 0] = ids;
    expect(await updateFolder(ctx, { id: second, name: "Moved" })).toMatchObject({
      parentId: null,
      path: "Moved",
    });
    const { items } = await listFolders(ctx, { projectId });
    expect(items.find(({ id }) => id === third)?.path).toBe("Moved / Level 3");
  });

  test("into the folder itself or below it is rejected", async () => {
    const { projectId, ids } = await aChain(3);
    const [first = 0] = ids;
    const before = await listFolders(ctx, { projectId });
    for (const parentId of ids)
      await expect(updateFolder(ctx, { id: first, name: "Level 1", parentId })).rejects.toMatchObject({
        code: "rejected",
        detail: "A folder cannot be moved into itself or its subfolders",
      });
    expect(await listFolders(ctx, { projectId })).toEqual(before);
  });

  test("concurrent with its opposite makes no cycle", async () => {
    const { id: projectId } = await aProject();
    const a = await aFolder({ projectId, name: "A" });
    const b = await aFolder({ projectId, name: "B" });
    let moves: Promise<string>[] = [];
    await db.transaction(async (tx) => {
      // Neither can write before both have begun.
      await tx.select().from(queryFolders).where(eq(queryFolders.projectId, projectId)).for("update");
      moves = elsewhere(() => [
        codeOf(updateFolder(ctx, { id: a.id, name: "A", parentId: b.id })),
        codeOf(updateFolder(ctx, { id: b.id, name: "B", parentId: a.id })),
      ]);
      await vi.waitUntil(async () => (await waiting()) === 2, { timeout: 10_000 });
    });
    expect((await Promise.all(moves)).sort()).toEqual(["done", "rejected"]);
    expect((await listFolders(ctx, { projectId })).items).toHaveLength(2);
  });

  test("stays within the project", async () => {
    const { projectId, ids } = await aChain(1);
    const foreign = await aFolder({ projectId: (await aProject()).id, name: "Foreign" });
    const [id = 0] = ids;
    await expect(updateFolder(ctx, { id, name: "X", parentId: foreign.id })).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path: "parentId" }] },
    });
    await expect(updateFolder(ctx, { id, name: "X", projectId: foreign.projectId })).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path: "projectId" }] },
    });
    const own = await asAdmin({ projectIds: [projectId] });
    await expect(updateFolder(own, { id, name: "X", parentId: foreign.id })).rejects.toMatchObject({
      code: "not_found",
      detail: "Folder not found",
    });
  });
});

test("folders nest ten levels deep and no deeper, also after a move", async () => {
  const { projectId, ids } = await aChain(10);
  const deepest = ids.at(-1);
  const tooDeep = { code: "rejected", detail: "Folders nest up to 10 levels" };
  await expect(createFolder(ctx, { projectId, parentId: deepest, name: "Level 11" })).rejects.toMatchObject(
    tooDeep,
  );
  const pair = await aFolder({ projectId, name: "Pair" });
  await aFolder({ projectId, name: "Inner", parentId: pair.id });
  await expect(updateFolder(ctx, { id: pair.id, name: "Pair", parentId: ids[8] })).rejects.toMatchObject(
    tooDeep,
  );
  expect(await updateFolder(ctx, { id: pair.id, name: "Pair", parentId: ids[7] })).toMatchObject({
    path: expect.stringContaining("Level 8 / Pair"),
  });
});

describe("a deletion", () => {
  test("is rejected while the folder has contents, and says which", async () => {
    const { projectId, ids } = await aChain(2);
    const [id = 0] = ids;
    const { id: queryId } = await aQuery({ projectId, folderId: id });
    await aQuery({ projectId, folderId: id });
    await expect(deleteFolder(ctx, id)).rejects.toMatchObject({
      code: "conflict",
      detail: "The folder still contains 1 folder and 2 queries",
    });
    expect(await getQuery(ctx, queryId)).toMatchObject({ folderId: id, folderPath: "Level 1" });
  });

  test("leaves archived queries, which are restored to the top level", async () => {
    const { projectId, ids } = await aChain(1);
    const [id = 0] = ids;
    const query = await aQuery({ projectId, folderId: id });
    await archiveQuery(ctx, { id: query.id });
    await deleteFolder(ctx, id);
    expect((await listFolders(ctx, { projectId })).items).toEqual([]);
    expect(await unarchiveQuery(ctx, query.id)).toMatchObject({ folderId: null, folderPath: null });
    await expect(deleteFolder(ctx, id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("and a query concurrently added to the folder never leave the query without its folder", async () => {
    for (let round = 0; round < 5; round++) {
      const { projectId, ids } = await aChain(1);
      const [id = 0] = ids;
      const answers = await Promise.all([
        codeOf(deleteFolder(ctx, id)),
        codeOf(aQuery({ projectId, folderId: id })),
      ]);
      expect([
        ["done", "not_found"],
        ["conflict", "done"],
      ]).toContainEqual(answers);
    }
  });
});

test("folders that the caller cannot access are not found", async () => {
  const { projectId, ids } = await aChain(1);
  const [id = 0] = ids;
  const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
  const attempts = [
    createFolder(stranger, { projectId, name: "New" }),
    updateFolder(stranger, { id, name: "New" }),
    deleteFolder(stranger, id),
    updateFolder(ctx, { id: 2_000_000_000, name: "New" }),
    createFolder(ctx, { projectId: 2_000_000_000, name: "New" }),
  ];
  expect(await Promise.all(attempts.map(codeOf))).toEqual(attempts.map(() => "not_found"));
});
