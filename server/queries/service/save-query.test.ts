import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { deleteDataSource } from "../../data-sources/service/edit-data-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { deleteProject } from "../../projects/service.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aFolder, aQuery } from "../../test/factories/queries.ts";
import { listQueriesInput, type StepWrite } from "../schema.ts";
import { archiveQuery } from "./archive.ts";
import { setLocked } from "./lock.ts";
import { getQuery, listQueries } from "./queries.ts";
import { createQuery, restoreVersion, updateQuery } from "./save-query.ts";
import { listVersions } from "./versions.ts";

type Source = Awaited<ReturnType<typeof aDataSource>>;

let ctx: SignedIn;
let source: Source;
let api: Source;

beforeAll(async () => {
  ctx = await asEditor();
  source = await aDataSource();
  const connection = { baseUrl: "https://api.example.com/v1", headers: {} };
  api = await aDataSource({ projectId: source.projectId, name: "API" });
  await db.update(dataSources).set({ kind: "RestApi", connection }).where(eq(dataSources.id, api.id));
});
afterAll(closeSources);

const sqlStep = (sql: string): StepWrite => ({ dataSourceId: source.id, sql });
const write = (id: number, sql: string, more: object = {}) => ({
  id,
  name: "Orders",
  steps: [sqlStep(sql)],
  ...more,
});
const createWith = (...steps: StepWrite[]) =>
  createQuery(ctx, { projectId: source.projectId, name: "Orders", steps });
const list = (filter: object, by = ctx) => listQueries(by, listQueriesInput.parse(filter));
const statuses = async (id: number) =>
  (await listVersions(ctx, id)).items.map(({ number, status }) => `${number} ${status}`);

describe("a query that is created", () => {
  test("runs its first version, and lists its parameters and subscriptions", async () => {
    const folder = await aFolder({ projectId: source.projectId, name: "Daily" });
    const query = await createQuery(ctx, {
      projectId: source.projectId,
      folderId: folder.id,
      name: "Bestellungen — заказы 注文 🙂",
      description: "What came in",
      steps: [
        sqlStep("select {{b}}::int as b, {{ a }}::int as a"),
        { name: "From the API", dataSourceId: api.id, request: { method: "GET", path: "/orders/{{c}}" } },
        { sql: "select * from @@result1, @@result2 where a = {{a}}" },
      ],
      changeSummary: "First",
    });
    expect(query).toEqual({
      id: query.id,
      projectId: source.projectId,
      folderId: folder.id,
      folderPath: "Daily",
      name: "Bestellungen — заказы 注文 🙂",
      description: "What came in",
      isLocked: false,
      ownerActorId: null,
      steps: [
        {
          order: 1,
          name: "Step 1",
          dataSourceId: source.id,
          sql: "select {{b}}::int as b, {{ a }}::int as a",
        },
        {
          order: 2,
          name: "From the API",
          dataSourceId: api.id,
          request: { method: "GET", path: "/orders/{{c}}" },
        },
        {
          order: 3,
          name: "Step 3",
          dataSourceId: null,
          sql: "select * from @@result1, @@result2 where a = {{a}}",
        },
      ],
      parameters: ["b", "a", "c"],
      activeVersion: 1,
      pendingVersion: null,
      subscriptionCount: 0,
      revision: 1,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await getQuery(ctx, query.id)).toEqual(query);
    expect((await listVersions(ctx, query.id)).items).toEqual([
      {
        number: 1,
        status: "Active",
        steps: query.steps,
        changeSummary: "First",
        createdBy: { id: ctx.principal.userId, name: ctx.principal.name },
        createdAt: expect.any(Date),
      },
    ]);
  });

  test.each<[string, () => StepWrite[], string, RegExp]>([
    [
      "its own result",
      () => [sqlStep("select 1"), { sql: "select * from @@result2" }],
      "steps.1.sql",
      /@@result2/,
    ],
    [
      "a later result",
      () => [sqlStep("select 1"), { sql: "select * from @@result1, @@result3" }, sqlStep("select 1")],
      "steps.1.sql",
      /reads @@result3, which is not the result of an earlier step/,
    ],
    ["result 0", () => [sqlStep("select 1"), { sql: "select * from @@result0" }], "steps.1.sql", /@@result0/],
    ["no result and no data source", () => [{ sql: "select 1" }], "steps.0.sql", /must read the result/],
    [
      "a result only in a string",
      () => [sqlStep("select 1"), { sql: "select '@@result1'" }],
      "steps.1.sql",
      /must read the result/,
    ],
    [
      "a result on a data source",
      () => [sqlStep("select 1"), sqlStep("select * from @@result1")],
      "steps.1.sql",
      /only a step without a data source/,
    ],
    ["nothing", () => [{ dataSourceId: source.id }], "steps.0.sql", /is required/],
    ["nothing, on an API", () => [{ dataSourceId: api.id }], "steps.0.request", /is required for a REST API/],
    ["SQL, on an API", () => [{ dataSourceId: api.id, sql: "select 1" }], "steps.0.sql", /use request/],
    [
      "a request, on a database",
      () => [{ ...sqlStep("select 1"), request: { method: "GET", path: "/" } }],
      "steps.0.request",
      /only for steps on a REST API/,
    ],
    [
      "a request, without a data source",
      () => [sqlStep("select 1"), { sql: "select * from @@result1", request: { method: "GET", path: "/" } }],
      "steps.1.request",
      /only for steps on a REST API/,
    ],
    [
      "a body with GET",
      () => [{ dataSourceId: api.id, request: { method: "GET", path: "/", body: {} } }],
      "steps.0.request.body",
      /only allowed with POST/,
    ],
    [
      "a path beside the base URL",
      () => [{ dataSourceId: api.id, request: { method: "GET", path: "/../admin" } }],
      "steps.0.request.path",
      /must not contain \. or \.\./,
    ],
    ["a placeholder in a string", () => [sqlStep("select '{{a}}'")], "steps.0.sql", /cannot be bound/],
    ["a placeholder without a name", () => [sqlStep("select {{}}")], "steps.0.sql", /without a name/],
    [
      "a placeholder in a comment over results",
      () => [sqlStep("select 1"), { sql: "select * from @@result1 -- {{a}}" }],
      "steps.1.sql",
      /cannot be bound/,
    ],
  ])("may not have %s", async (_, steps, path, message) => {
    await expect(createWith(...steps())).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path, message: expect.stringMatching(message) }] },
    });
  });

  test("can only read data sources of its project", async () => {
    const foreign = await aDataSource();
    const folder = await aFolder({ projectId: foreign.projectId, name: "Foreign" });
    const base = { projectId: source.projectId, name: "Orders", steps: [sqlStep("select 1")] };
    const notFound = (what: string) => ({ code: "not_found", detail: `${what} not found` });
    await expect(
      createQuery(ctx, { ...base, steps: [{ dataSourceId: foreign.id, sql: "select 1" }] }),
    ).rejects.toMatchObject(notFound("Data source"));
    await expect(createQuery(ctx, { ...base, folderId: 2_000_000_000 })).rejects.toMatchObject(
      notFound("Folder"),
    );
    await expect(createQuery(ctx, { ...base, projectId: 2_000_000_000 })).rejects.toMatchObject(
      notFound("Project"),
    );
    const stranger = await asAdmin({ projectIds: [foreign.projectId] });
    await expect(createQuery(stranger, base)).rejects.toMatchObject(notFound("Project"));
    await expect(createQuery(ctx, { ...base, folderId: folder.id })).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path: "folderId" }] },
    });
    const own = await asAdmin({ projectIds: [source.projectId] });
    await expect(createQuery(own, { ...base, folderId: folder.id })).rejects.toMatchObject(
      notFound("Folder"),
    );
  });
});

describe("an update", () => {
  test("of the steps creates the active version and archives the previous one", async () => {
    const { id } = await createWith(sqlStep("select 1"));
    const by = await asEditor();
    const updated = await updateQuery(by, write(id, "select 2", { changeSummary: "Two" }));
    expect(updated).toMatchObject({ activeVersion: 2, steps: [{ sql: "select 2" }] });
    expect((await listVersions(ctx, id)).items).toMatchObject([
      {
        number: 2,
        status: "Active",
        changeSummary: "Two",
        createdBy: { id: by.principal.userId },
        steps: [{ sql: "select 2" }],
      },
      { number: 1, status: "Archived", changeSummary: null, steps: [{ sql: "select 1" }] },
    ]);
  });

  test("of anything else creates no version, and replaces everything", async () => {
    const folder = await aFolder({ projectId: source.projectId, name: "Folder of updates" });
    const steps: StepWrite[] = [
      {
        dataSourceId: api.id,
        request: { method: "POST", path: "/o", body: { b: [1, { c: null }], a: "x" } },
      },
      { name: "Joined", sql: "select * from @@result1" },
    ];
    const { id, steps: stored } = await createQuery(ctx, {
      projectId: source.projectId,
      name: "Before",
      description: "Something",
      folderId: folder.id,
      steps,
    });
    const updated = await updateQuery(ctx, { id, name: "After", steps });
    expect(updated).toMatchObject({
      name: "After",
      description: null,
      folderId: null,
      folderPath: null,
      activeVersion: 1,
      steps: stored,
    });
    // A query can be written back as it was read.
    const back = stored.map(({ order: _, ...step }) => step);
    expect(await updateQuery(ctx, { id, name: "After", steps: back })).toMatchObject({ activeVersion: 1 });
    const renamed = back.map((step) => ({ ...step, name: "Renamed" }));
    expect(await updateQuery(ctx, { id, name: "After", steps: renamed })).toMatchObject({ activeVersion: 2 });
  });

  test("after a concurrent change is a conflict", async () => {
    const { id } = await createWith(sqlStep("select 1"));
    await updateQuery(ctx, write(id, "select 2", { baseVersion: 1 }));
    await expect(updateQuery(ctx, write(id, "select 3", { baseVersion: 1 }))).rejects.toMatchObject({
      code: "conflict",
      detail: "The query has changed: its active version is 2",
    });
    expect(await statuses(id)).toEqual(["2 Active", "1 Archived"]);
  });

  test("racing another from the same version: one wins, the other is a conflict", async () => {
    const { id } = await createWith(sqlStep("select 0"));
    const edits = Array.from({ length: 8 }, (_, n) =>
      updateQuery(ctx, write(id, `select ${n + 1}`, { baseVersion: 1 })),
    );
    const answers = await Promise.allSettled(edits);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "conflict" });
    expect(await statuses(id)).toEqual(["2 Active", "1 Archived"]);
  });

  test("without a base version comes after the other, and both are kept", async () => {
    const { id } = await createWith(sqlStep("select 0"));
    await Promise.all([1, 2, 3, 4].map((n) => updateQuery(ctx, write(id, `select ${n}`))));
    expect(await statuses(id)).toEqual(["5 Active", "4 Archived", "3 Archived", "2 Archived", "1 Archived"]);
  });

  test("keeps the query in its project", async () => {
    const { id } = await createWith(sqlStep("select 1"));
    const elsewhere = write(id, "select 1", { projectId: (await aProject()).id });
    await expect(updateQuery(ctx, elsewhere)).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path: "projectId" }] },
    });
    expect(await updateQuery(ctx, write(id, "select 1", { projectId: source.projectId }))).toMatchObject({
      id,
    });
  });

  test("that is rejected changes nothing", async () => {
    const query = await createWith(sqlStep("select 1"));
    const bad = write(query.id, "select 2", { name: "Renamed", folderId: 2_000_000_000 });
    await expect(updateQuery(ctx, bad)).rejects.toMatchObject({ code: "not_found" });
    expect(await getQuery(ctx, query.id)).toEqual(query);
  });
});

describe("a restored version", () => {
  test("is a new version with the old steps", async () => {
    const { id } = await createWith(sqlStep("select 1"), { sql: "select * from @@result1" });
    await updateQuery(ctx, write(id, "select 2"));
    const restored = await restoreVersion(ctx, { id, number: 1 });
    expect(restored).toMatchObject({
      activeVersion: 3,
      steps: [{ sql: "select 1" }, { sql: "select * from @@result1" }],
    });
    expect((await listVersions(ctx, id)).items[0]).toMatchObject({ changeSummary: "Restored version 1" });
    await restoreVersion(ctx, { id, number: 2, changeSummary: "As it was" });
    expect((await listVersions(ctx, id)).items[0]).toMatchObject({
      changeSummary: "As it was",
      steps: [{ sql: "select 2" }],
    });
  });

  test("that is already active creates none, and an unknown one is not found", async () => {
    const { id } = await createWith(sqlStep("select 1"));
    expect(await restoreVersion(ctx, { id, number: 1 })).toMatchObject({ activeVersion: 1 });
    await expect(restoreVersion(ctx, { id, number: 2 })).rejects.toMatchObject({
      code: "not_found",
      detail: "Version not found",
    });
  });
});

describe("a locked query", () => {
  test("accepts no changes until unlocked, and locking is idempotent", async () => {
    const { id } = await createWith(sqlStep("select 1"));
    await updateQuery(ctx, write(id, "select 2"));
    expect(await setLocked(ctx, id, true)).toMatchObject({ isLocked: true });
    expect(await setLocked(ctx, id, true)).toMatchObject({ isLocked: true });
    const locked = { code: "conflict", detail: "Query is locked" };
    await expect(updateQuery(ctx, write(id, "select 2", { name: "Renamed" }))).rejects.toMatchObject(locked);
    await expect(restoreVersion(ctx, { id, number: 1 })).rejects.toMatchObject(locked);
    await expect(archiveQuery(ctx, { id })).rejects.toMatchObject(locked);
    expect(await getQuery(ctx, id)).toMatchObject({ name: "Orders", activeVersion: 2 });
    expect(await setLocked(ctx, id, false)).toMatchObject({ isLocked: false });
    expect(await setLocked(ctx, id, false)).toMatchObject({ isLocked: false });
    expect(await updateQuery(ctx, write(id, "select 3"))).toMatchObject({ activeVersion: 3 });
  });
});

describe("the list", () => {
  test("is sorted by name, paged, and limited to visible queries", async () => {
    const { projectId } = await aDataSource();
    for (const name of ["B", "A", "C"]) await aQuery({ projectId, name });
    const page = await list({ projectId, pageSize: 2 });
    expect(page).toMatchObject({
      page: 0,
      pageSize: 2,
      totalCount: 3,
      items: [{ name: "A" }, { name: "B" }],
    });
    expect(await list({ projectId, page: 1, pageSize: 2 })).toMatchObject({ items: [{ name: "C" }] });
    expect(await list({ projectId, page: 1_000_000_000 })).toMatchObject({ items: [], totalCount: 3 });
    const [first] = page.items;
    expect(await getQuery(ctx, first?.id ?? 0)).toEqual(first);
    const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
    expect(await list({}, stranger)).toMatchObject({ items: [], totalCount: 0 });
    expect(await list({ projectId }, stranger)).toMatchObject({ items: [], totalCount: 0 });
  });

  test("of a folder includes its subfolders", async () => {
    const { id: projectId } = await aProject();
    const top = await aFolder({ projectId, name: "Top" });
    const inner = await aFolder({ projectId, name: "Inner", parentId: top.id });
    const other = await aFolder({ projectId, name: "Other" });
    for (const [name, folderId] of [
      ["One", top.id],
      ["Two", inner.id],
      ["Three", other.id],
      ["Four", null],
    ] as const)
      await aQuery({ projectId, name, folderId });
    const names = async (filter: object, by = ctx) => (await list(filter, by)).items.map(({ name }) => name);
    expect(await names({ folderId: top.id })).toEqual(["One", "Two"]);
    expect(await names({ folderId: inner.id })).toEqual(["Two"]);
    expect(await names({ folderId: 2_000_000_000 })).toEqual([]);
    expect(await names({ folderId: top.id }, await asAdmin({ projectIds: [] }))).toEqual([]);
  });

  test("matches the search text literally, ignoring case", async () => {
    const { projectId } = await aDataSource();
    for (const name of ["100% of Ärger", "a_b", "axb", "back\\slash"]) await aQuery({ projectId, name });
    const names = async (search: string) => (await list({ projectId, search })).items.map(({ name }) => name);
    expect(await names("0% OF ä")).toEqual(["100% of Ärger"]);
    expect(await names("A_B")).toEqual(["a_b"]);
    expect(await names("K\\S")).toEqual(["back\\slash"]);
    expect(await names("%")).toEqual(["100% of Ärger"]);
    expect(await names("")).toHaveLength(4);
  });
});

test("what queries use cannot be deleted, even if only past versions or archived queries use it", async () => {
  const admin = await asAdmin();
  const used = await aDataSource();
  const { id } = await aQuery({ dataSource: used });
  const other = await aDataSource({ projectId: used.projectId });
  await updateQuery(ctx, { id, name: "Orders", steps: [{ dataSourceId: other.id, sql: "select 1" }] });
  await archiveQuery(ctx, { id });
  await expect(deleteDataSource(admin, used.id)).rejects.toMatchObject({
    code: "conflict",
    detail: "The data source is still used by queries, including archived ones and old versions",
  });
  const empty = await aProject();
  const folder = await aFolder({ projectId: empty.id, name: "Folder" });
  await expect(deleteProject(admin, empty.id)).rejects.toMatchObject({
    code: "conflict",
    detail: "The project still contains query folders",
  });
  expect(folder.projectId).toBe(empty.id);
});
