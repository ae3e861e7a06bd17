import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { users } from "../auth/tables.ts";
import { db } from "../db/client.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aSession, aUser, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { addKeyRead, drainKeyReads } from "./key-reads.ts";
import { auditChoices, countKeyRead, flushKeyReads, listEntries } from "./service.ts";
import { auditLog, keyReads } from "./tables.ts";

let cookie: string;
beforeAll(async () => {
  cookie = await aSession("Admin");
});

/** The trigger that protects the log also prevents emptying it. */
async function emptyLog() {
  await db.execute(sql`alter table audit_log disable trigger audit_log_stands`);
  await db.execute(sql`truncate audit_log`);
  await db.execute(sql`alter table audit_log enable trigger audit_log_stands`);
  await db.delete(keyReads);
}

type Row = Partial<typeof auditLog.$inferInsert>;
const anEntry = (row: Row = {}) => ({
  principalKind: "User" as const,
  principalId: 1,
  principalName: "Ada",
  action: "projects.create",
  objectKind: "project",
  ...row,
});

const list = async (query = "") => (await rest("GET", `/audit-log${query}`, { cookie })).body;
const idsOf = (page: { items: { detail: string }[] }) => page.items.map(({ detail }) => detail);

describe("the log", () => {
  test.each([
    ["changed", "update audit_log set detail = 'something else'"],
    ["removed", "delete from audit_log"],
    ["removed one by one", "delete from audit_log where false"],
    ["emptied", "truncate audit_log"],
  ])("cannot be %s", async (_, statement) => {
    await db.insert(auditLog).values(anEntry());
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: "The audit log is only ever added to" },
    });
  });

  test("keeps an entry whose user is gone", async () => {
    const user = await aUser();
    const made = await rest("POST", "/projects", { cookie: await cookieOf(user), json: { name: "Kept" } });
    await db.delete(users).where(eq(users.id, user.id));
    const { items } = await list(`?objectKind=project&objectId=${made.body.id}`);
    expect(items).toMatchObject([{ principal: { id: user.id, name: user.name }, detail: "Kept" }]);
  });
});

describe("reading the log", () => {
  const at = (time: string) => new Date(`2026-03-01T${time}Z`);

  beforeAll(async () => {
    await emptyLog();
    await db
      .insert(auditLog)
      .values([
        anEntry({ detail: "a", at: at("10:00:00.000"), objectId: 5 }),
        anEntry({ detail: "b", at: at("11:00:00.000"), principalId: 2, objectId: 5 }),
        anEntry({ detail: "c", at: at("12:00:00.000"), action: "projects.delete", objectId: 6 }),
        anEntry({ detail: "d", at: at("12:00:00.000"), objectKind: "contract", objectId: 5 }),
        anEntry({ detail: "e", at: at("12:00:00.001"), principalKind: "ApiKey", principalId: 1, userId: 2 }),
        anEntry({ detail: "f", at: at("13:00:00.000"), principalKind: "System", principalId: null }),
      ]);
  });

  test("shows an entry in full", async () => {
    const { items } = await list("?principalKind=ApiKey");
    expect(items).toEqual([
      {
        id: expect.any(Number),
        at: "2026-03-01T12:00:00.001Z",
        principal: { kind: "ApiKey", id: 1, name: "Ada", userId: 2 },
        action: "projects.create",
        objectKind: "project",
        objectId: null,
        detail: "e",
        address: null,
      },
    ]);
  });

  // Newest first; of two at the same time the later row, so d before c.
  test.each([
    ["", "fedcba"],
    ["?principalId=1", "edca"],
    ["?principalId=1&principalKind=User", "dca"],
    ["?principalId=2", "b"],
    ["?action=projects.delete", "c"],
    ["?action=projects", ""],
    ["?objectKind=project&objectId=5", "ba"],
    ["?objectId=5", "dba"],
    ["?objectKind=contract", "d"],
    // `from` is inclusive, `to` is not: two adjacent periods that meet at 12:00 contain every entry once.
    ["?from=2026-03-01T12:00:00Z", "fedc"],
    ["?to=2026-03-01T12:00:00Z", "ba"],
    ["?from=2026-03-01T12:00:00Z&to=2026-03-01T12:00:00.001Z", "dc"],
    ["?from=2026-03-01T12:00:00.001Z", "fe"],
    ["?from=2026-03-01T14:00:00%2B02:00&to=2026-03-01T12:00:00.001Z", "dc"],
    ["?from=2026-03-01T13:00:00Z&to=2026-03-01T11:00:00Z", ""],
    ["?objectId=5&principalId=1&from=2026-03-01T10:30:00Z", "d"],
  ])("%s returns %s", async (query, expected) => {
    const page = await list(query);
    expect(idsOf(page).join("")).toBe(expected);
    expect(page.totalCount).toBe(expected.length);
  });

  test.each([
    ["?pageSize=4", "fedc", 0, 4],
    ["?pageSize=4&page=1", "ba", 1, 4],
    ["?pageSize=4&page=2", "", 2, 4],
    ["?pageSize=6&page=1", "", 1, 6],
    ["?pageSize=500", "fedcba", 0, 500],
    ["?pageSize=1&page=5", "a", 5, 1],
  ])("page by page: %s returns %s", async (query, expected, page, pageSize) => {
    const answer = await list(query);
    expect(idsOf(answer).join("")).toBe(expected);
    expect(answer).toMatchObject({ page, pageSize, totalCount: 6 });
  });

  test("a page far beyond the last one is empty without delay", async () => {
    const startedAt = performance.now();
    const answer = await list("?page=1000000000&pageSize=500");
    expect(answer).toEqual({ items: [], page: 1_000_000_000, pageSize: 500, totalCount: 6 });
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test.each([
    ["pageSize=0", "pageSize"],
    ["pageSize=501", "pageSize"],
    ["pageSize=1e2", "pageSize"],
    ["page=-1", "page"],
    ["page=0.5", "page"],
    ["page=", "page"],
    ["principalId=0", "principalId"],
    ["principalId=2147483648", "principalId"],
    ["principalKind=Robot", "principalKind"],
    ["objectId=x", "objectId"],
    ["from=yesterday", "from"],
    ["from=2026-03-01", "from"],
    ["from=2026-03-01T12:00:00", "from"],
    ["to=0000-01-01T00:00:00Z", "to"],
    ["to=9999-12-31T23:59:59-12:00", "to"],
    ["action=%00", "action"],
    ["userId=1", "userId"],
  ])("%s is a 400", async (query, path) => {
    const { status, body } = await rest("GET", `/audit-log?${query}`, { cookie });
    expect([status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });

  test("is for Admins, and their keys that are not limited to projects", async () => {
    const admin = await asAdmin();
    const project = await aProject();
    const limited = await aKey({ allowedProjectIds: [project.id] }, admin);
    const reading = await aKey({ scopes: ["Read", "Execute"] }, admin);
    const whole = await aKey({}, admin);
    const callers = [
      { cookie: await aSession("Viewer") },
      { cookie: await aSession("Editor") },
      { headers: limited.headers },
      { headers: reading.headers },
      { headers: whole.headers },
      {},
    ];
    const answers = await Promise.all(callers.map((caller) => rest("GET", "/audit-log", caller)));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 200, 401]);
  });
});

describe("reads by a key", () => {
  let key: Awaited<ReturnType<typeof aKey>>;
  let owner: Awaited<ReturnType<typeof asAdmin>>;
  beforeEach(async () => {
    drainKeyReads();
    await emptyLog();
    owner = await asAdmin();
    key = await aKey({ name: "Pipeline" }, owner);
  });

  const counts = () =>
    db.select({ keyId: keyReads.keyId, count: keyReads.count }).from(keyReads).orderBy(keyReads.hour);

  test("are counted: successful queries, but not changes, rejections, or users' reads", async () => {
    await rest("GET", "/projects", { headers: key.headers });
    await rest("GET", "/users", { headers: key.headers });
    await rest("GET", "/projects/2000000000", { headers: key.headers });
    await rest("GET", "/projects?wrong=1", { headers: key.headers });
    await rest("POST", "/projects", { headers: key.headers, json: { name: "P" } });
    await rest("GET", "/projects", { cookie });
    await flushKeyReads();
    expect(await counts()).toEqual([{ keyId: key.id, count: 2 }]);
  });

  test("are an entry per hour, at the start of the hour", async () => {
    const hour = (time: string) => new Date(`2026-03-01T${time}Z`);
    await db
      .insert(auditLog)
      .values([
        anEntry({ detail: "before", at: hour("09:59:59.999") }),
        anEntry({ detail: "after", at: hour("10:00:00.001") }),
      ]);
    for (const time of ["10:00:00", "10:59:59.999", "11:00:00"]) addKeyRead(key.id, hour(time));
    await flushKeyReads();
    await db
      .update(keyReads)
      .set({ count: 1_234_567 })
      .where(eq(keyReads.hour, hour("11:00:00")));
    const page = await list();
    expect(idsOf(page)).toEqual(["1,234,567 reads", "after", "2 reads", "before"]);
    const [newest] = page.items;
    expect(newest).toEqual({
      id: -(key.id * 4_000_000 + hour("11:00:00").getTime() / 3_600_000),
      at: "2026-03-01T11:00:00.000Z",
      principal: {
        kind: "ApiKey",
        id: key.id,
        name: "Pipeline (The Admin)",
        userId: owner.principal.userId,
      },
      action: "keys.read",
      objectKind: "apiKey",
      objectId: key.id,
      detail: "1,234,567 reads",
      address: null,
    });
    for (const query of [
      "action=keys.read",
      `objectKind=apiKey&objectId=${key.id}`,
      `principalKind=ApiKey&principalId=${key.id}`,
    ])
      expect((await list(`?${query}&to=2026-03-01T12:00:00Z`)).totalCount).toBe(2);
    expect(idsOf(await list("?from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z"))).toEqual([
      "after",
      "2 reads",
    ]);
  });

  test("are singular for one read", async () => {
    addKeyRead(key.id, new Date("2026-03-01T10:30:00Z"));
    await flushKeyReads();
    expect(idsOf(await list("?action=keys.read"))).toEqual(["1 read"]);
  });

  test("add up across processes that write the same hours at once", async () => {
    const other = await aKey({}, owner);
    const at = new Date("2026-03-01T10:30:00Z");
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        for (const id of n % 2 ? [key.id, other.id] : [other.id, key.id]) addKeyRead(id, at);
        return flushKeyReads();
      }),
    );
    expect((await counts()).map(({ count }) => count)).toEqual([40, 40]);
  });

  test("that could not be written are written the next time", async () => {
    countKeyRead(key.id);
    await db.execute(sql`alter table key_reads rename to key_reads_away`);
    await flushKeyReads();
    countKeyRead(key.id);
    await db.execute(sql`alter table key_reads_away rename to key_reads`);
    await flushKeyReads();
    expect(await counts()).toEqual([{ keyId: key.id, count: 2 }]);
  });

  test("of a key that does not exist block no others, and are not shown", async () => {
    for (const id of [key.id, 2_000_000_000]) addKeyRead(id, new Date("2026-03-01T10:30:00Z"));
    await flushKeyReads();
    expect(await counts()).toHaveLength(2);
    expect((await list("?action=keys.read")).totalCount).toBe(1);
  });
});

test("the filters offer values that occur in the log", async () => {
  await emptyLog();
  await db
    .insert(auditLog)
    .values([
      anEntry(),
      anEntry(),
      anEntry({ action: "session.signIn", objectKind: "user" }),
      anEntry({ action: "users.create", objectKind: "user" }),
    ]);
  expect(await auditChoices()).toEqual({
    actions: ["projects.create", "session.signIn", "users.create"],
    objectKinds: ["project", "user"],
  });
  addKeyRead(1, new Date());
  await flushKeyReads();
  expect(await auditChoices()).toEqual({
    actions: ["keys.read", "projects.create", "session.signIn", "users.create"],
    objectKinds: ["apiKey", "project", "user"],
  });
});

test("each filter finds entries of a long log by index", async () => {
  await emptyLog();
  await db.execute(sql`
    insert into audit_log (at, principal_kind, principal_id, principal_name, action, object_kind, object_id)
    select timestamptz '2026-01-01Z' + n * interval '1 second', 'User', n % 997, 'Ada', 'a' || n % 499, 'k' || n % 89, n
    from generate_series(1, 100000) n`);
  await db.execute(sql`analyze audit_log`);
  const filters = [
    sql`true`,
    sql`principal_id = 5`,
    sql`action = 'a7'`,
    sql`object_kind = 'k3' and object_id = 3`,
    sql`at >= '2026-01-02Z' and at < '2026-01-02T00:10Z'`,
  ];
  for (const filter of filters) {
    const plan = await db.execute<{ "QUERY PLAN": string }>(
      sql`explain select * from audit_entries where ${filter} order by at desc, id desc limit 100`,
    );
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).not.toContain("Seq Scan on audit_log");
    expect(text).toContain("on audit_log");
  }
  const page = await listEntries({ page: 0, pageSize: 1, principalId: 5 });
  // 5, 1002, 1999, … up to 100,000: 1 + floor((100000 - 5) / 997).
  expect(page.totalCount).toBe(101);
});
