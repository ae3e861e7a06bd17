import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { aSession, aUser, cookieOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { getContractVersion, listContractVersions } from "./contract-versions.ts";
import { restoreContractVersion } from "./contracts.ts";

let source: Awaited<ReturnType<typeof aDataSource>>;
let anna: Awaited<ReturnType<typeof aUser>>;
let annas: string;
let bens: string;

beforeAll(async () => {
  await sql.unsafe("create table orders (id integer); insert into orders values (1), (1)");
  source = await aDataSource();
  anna = await aUser("Editor");
  annas = await cookieOf(anna);
  bens = await aSession("Editor");
});
afterAll(closeSources);

const path = "/data-quality/contracts";
const call = (method: "GET" | "POST" | "PUT", at: string, json?: object, cookie = bens) =>
  rest(method, `${path}${at}`, { cookie, ...(json && { json }) });
const notEmpty = aRule("Volume", { minRows: 1 }, { name: "Not empty" });
const unique = aRule("Uniqueness", { column: "id" }, { name: "Unique" });
const fields = (more: object = {}) => ({
  ...{ name: "Orders", dataSourceId: source.id, tableName: "orders", cronExpression: "0 6 * * *" },
  rules: [notEmpty, unique],
  ...more,
});

async function aContract(more: object = {}) {
  const { status, body } = await call("POST", "", fields(more));
  expect(status).toBe(201);
  expect(body.version).toBe(1);
  const [first, second] = body.rules;
  return {
    id: body.id as number,
    ids: body.rules.map((rule: { id: number }) => rule.id) as number[],
    notEmpty: { ...notEmpty, key: first?.key as string },
    unique: { ...unique, key: second?.key as string },
  };
}
const versionsOf = async (id: number) => (await call("GET", `/${id}/versions`)).body.items;
const evaluate = async (id: number) => (await call("POST", `/${id}/evaluate`)).body;

describe("versions", () => {
  test("are made by every save that changes something, with its author and what changed in words", async () => {
    const contract = await aContract();
    const { id, ...rules } = contract;
    const stricter = { ...rules.unique, weight: 2 };
    const added = aRule("NullRate", { column: "id", maxNullPercent: 0 }, { name: "Known" });
    const saved = await call(
      "PUT",
      `/${id}`,
      fields({ rules: [stricter, added], failureThreshold: 95 }),
      annas,
    );
    expect(saved.body).toMatchObject({ revision: 2, version: 2 });
    const [, { key }] = saved.body.rules;
    // The same again: another revision, but nothing to compare.
    const again = fields({ rules: [stricter, { ...added, key }], failureThreshold: 95 });
    expect((await call("PUT", `/${id}`, again)).body).toMatchObject({ revision: 3, version: 2 });
    expect((await call("PUT", `/${id}`, { ...again, cronExpression: "0 7 * * *" })).body).toMatchObject({
      revision: 4,
      version: 3,
    });

    expect(await versionsOf(id)).toMatchObject([
      { number: 3, revision: 4, summary: "Changed cronExpression", restoredFrom: null },
      {
        number: 2,
        revision: 2,
        createdBy: { kind: "User", id: anna.id, name: anna.name },
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        summary:
          "Changed failureThreshold and the rule “Unique”, added the rule “Known” and removed the rule “Not empty”",
        changes: [
          { path: "failureThreshold", change: "Changed" },
          { path: `rules.${rules.unique.key}`, change: "Changed", name: "Unique" },
          { path: `rules.${key}`, change: "Added", name: "Known" },
          { path: `rules.${rules.notEmpty.key}`, change: "Removed", name: "Not empty" },
        ],
      },
      { number: 1, revision: 1, summary: "First version", changes: [] },
    ]);
    expect((await call("GET", `/${id}/versions?take=1`)).body.items).toHaveLength(1);

    const { body: first } = await call("GET", `/${id}/versions/1`);
    expect(first.content).toMatchObject({
      ...{ name: "Orders", dataSourceId: source.id, tableName: "orders", failureThreshold: 80 },
      ...{ cronExpression: "0 6 * * *", timezone: "UTC", recipientIds: [] },
      rules: [
        { key: rules.notEmpty.key, name: "Not empty", configuration: { minRows: 1 } },
        { key: rules.unique.key, name: "Unique", column: "id", weight: 1 },
      ],
    });
  });

  test("that do not exist, and a contract's whose table is out of sight, are not found", async () => {
    const { id } = await aContract();
    for (const at of [`/${id}/versions/2`, "/2000000000/versions", "/2000000000/versions/1"])
      expect((await call("GET", at)).status).toBe(404);
    expect((await call("GET", `/${id}/versions/0`)).status).toBe(400);
    expect((await call("GET", `/${id}/versions?take=501`)).status).toBe(400);
    expect((await call("POST", `/${id}/versions/2/restore`)).status).toBe(404);
    const viewer = await aSession("Viewer");
    expect((await call("GET", `/${id}/versions`, undefined, viewer)).status).toBe(200);
    expect((await call("POST", `/${id}/versions/1/restore`, undefined, viewer)).status).toBe(403);
  });

  test("of a table whose data source the caller cannot access are left out", async () => {
    const elsewhere = await aDataSource();
    const { id, ...rules } = await aContract();
    await call("PUT", `/${id}`, fields({ dataSourceId: elsewhere.id, rules: [rules.notEmpty] }));
    const ctx = await asEditor({ projectIds: [elsewhere.projectId] });
    const seen = await listContractVersions(ctx, { id, take: 100 });
    expect(seen.items.map(({ number }) => number)).toEqual([2]);
    for (const attempt of [getContractVersion, restoreContractVersion])
      await expect(attempt(ctx, { id, number: 1 })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("restoring a version", () => {
  test("makes a new one with its content; rules return under their keys", async () => {
    const recipient = await aRecipient({ projectId: source.projectId });
    const words = { description: "Of the shop", context: "Totals are in cents" };
    const { id, ...rules } = await aContract({ recipientIds: [recipient.id], ...words });
    await evaluate(id);
    await call("PUT", `/${id}`, fields({ rules: [rules.notEmpty], enabled: false }));
    const { status, body } = await call("POST", `/${id}/versions/1/restore`, { baseRevision: 2 }, annas);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ version: 3, revision: 3, enabled: true, ...words },
      nextRunAt: expect.any(String),
      recipients: [{ id: recipient.id }],
      rules: [{ key: rules.notEmpty.key }, { key: rules.unique.key, configuration: { column: "id" } }],
    });
    const [newest] = await versionsOf(id);
    expect(newest).toMatchObject({
      ...{ number: 3, restoredFrom: 1, summary: "Restored version 1", createdBy: { name: anna.name } },
    });
    const { body: series } = await call("GET", `/${id}/series`);
    expect(
      series.rules.map((rule: { isCurrent: boolean; points: unknown[] }) => [
        rule.isCurrent,
        rule.points.length,
      ]),
    ).toEqual([
      [true, 1],
      [true, 1],
    ]);
  });

  test("saves nothing if the contract is like it already", async () => {
    const { id } = await aContract();
    expect((await call("POST", `/${id}/versions/1/restore`)).body).toMatchObject({ version: 1, revision: 1 });
    expect(await versionsOf(id)).toHaveLength(1);
  });

  test("is refused if someone else has saved since", async () => {
    const { id, ...rules } = await aContract();
    const both = [rules.notEmpty, rules.unique];
    await call("PUT", `/${id}`, fields({ rules: both, name: "Sales" }));
    await call("PUT", `/${id}`, fields({ rules: both, name: "Sales of today" }), annas);
    const stale = await call("POST", `/${id}/versions/1/restore`, { baseRevision: 2 });
    expect(stale).toMatchObject({ status: 409, body: { revision: 3 } });
    expect(stale.body.detail).toContain(`${anna.name} changed name`);
    expect((await call("GET", `/${id}`)).body).toMatchObject({ name: "Sales of today", version: 3 });
  });

  test("leaves out recipients that are gone", async () => {
    const recipient = await aRecipient({ projectId: source.projectId });
    const { id, ...rules } = await aContract({ recipientIds: [recipient.id] });
    await call("PUT", `/${id}`, fields({ rules: [rules.notEmpty] }));
    await sql`update recipients set archived_at = now() where id = ${recipient.id}`;
    const { status, body } = await call("POST", `/${id}/versions/1/restore`);
    expect({ status, recipients: body.recipients, count: body.rules?.length }).toEqual({
      ...{ status: 200, recipients: [], count: 2 },
    });
  });
});

describe("a rule's results", () => {
  test("stay with a rule that a save does not change, wherever it is placed and whatever it is called", async () => {
    const { id, ids, ...rules } = await aContract();
    const before = await evaluate(id);
    expect(before).toMatchObject({ version: 1, overallScore: 50 });
    const renamed = { ...rules.unique, name: "No twins", enabled: false };
    const added = aRule("Volume", { maxRows: 9 });
    const saved = await call("PUT", `/${id}`, fields({ rules: [added, renamed, rules.notEmpty] }));
    expect(saved.body.rules.map((rule: { id: number }) => rule.id).slice(1)).toEqual(ids.toReversed());
    const { body: after } = await rest("GET", `/data-quality/evaluations/${before.id}`, { cookie: bens });
    expect(
      after.ruleResults.map(({ ruleId, score }: { ruleId: number; score: number }) => [ruleId, score]),
    ).toEqual([
      [ids[0], 100],
      [ids[1], 0],
    ]);
    expect(await evaluate(id)).toMatchObject({ version: 2 });
  });

  test.each([
    ["weighs", { weight: 2 }],
    ["is rated", { severity: "High" }],
  ])("go with a rule that %s otherwise", async (_, change) => {
    const { id, ids, ...rules } = await aContract();
    await evaluate(id);
    await call("PUT", `/${id}`, fields({ rules: [{ ...rules.notEmpty, ...change }, rules.unique] }));
    const { body } = await call("GET", `/${id}/evaluations`);
    expect(body.items[0]).toMatchObject({ passedCount: 1, failedCount: 1, overallScore: 50 });
    expect(body.items[0].ruleResults.map(({ ruleId }: { ruleId: number }) => ruleId)).toEqual([ids[1]]);
  });

  test("go with all rules if the contract watches another table", async () => {
    await sql.unsafe("create table if not exists returns (id integer)");
    const { id, ids, ...rules } = await aContract();
    await evaluate(id);
    const moved = await call(
      "PUT",
      `/${id}`,
      fields({ tableName: "returns", rules: [rules.notEmpty, rules.unique] }),
    );
    for (const rule of moved.body.rules) expect(ids).not.toContain(rule.id);
    expect((await call("GET", `/${id}/evaluations`)).body.items[0].ruleResults).toEqual([]);
  });
});

test("contracts from before versions were kept have their current state as the first, by their last editor", async () => {
  const { id, ...rules } = await aContract();
  await call("PUT", `/${id}`, fields({ rules: [rules.notEmpty, rules.unique], name: "Sales" }), annas);
  const untouched = await aContract();
  const { content } = (await call("GET", `/${id}/versions/2`)).body;
  await sql`delete from contract_versions`;
  await sql`update contracts set version = 1`;
  const migration = (name: string) =>
    readFileSync(new URL(`../../../drizzle/${name}.sql`, import.meta.url), "utf8");
  const [first, later] = [migration("0051_contract-versions"), migration("0101_contract_context")];
  await sql.unsafe(first.slice(first.indexOf('INSERT INTO "contract_versions"')));
  await sql.unsafe(later.slice(later.indexOf('UPDATE "contract_versions"')));
  expect((await call("GET", `/${id}/versions/1`)).body).toMatchObject({
    ...{ number: 1, revision: 2, summary: "First version", content },
    createdBy: { id: anna.id, name: anna.name },
  });
  expect((await versionsOf(untouched.id))[0]).toMatchObject({ number: 1, createdBy: null });
});
