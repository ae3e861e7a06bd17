import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { sql } from "../db/client.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aMember, aSession, cookieOf } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { catalogTablesInput, searchInput } from "./schema.ts";
import { getTable } from "./service/get-table.ts";
import { listCatalogSources, listCatalogTables } from "./service/list-tables.ts";
import { searchCatalog } from "./service/search.ts";

let id: number;
let cookie: string;
beforeAll(async () => {
  await sql.unsafe(
    `create schema tagged; create table tagged.people (id int); create table tagged.places (id int)`,
  );
  const source = await aDataSource();
  id = source.id;
  await refreshSchema(await asAdmin(), id);
  cookie = await aSession("Editor");
});
afterAll(closeSources);

const people = { schemaName: "tagged", tableName: "people" };
const tag = (tags: unknown, more: object = {}, caller: object = { cookie }) =>
  rest("PUT", `/data-sources/${id}/tags`, {
    ...caller,
    json: { schemaName: "tagged", tableName: "people", tags, ...more },
  });
const listed = async () => (await rest("GET", `/data-sources/${id}/tags`, { cookie })).body.items;

test("a table's tags are replaced, in lower case, each once", async () => {
  const { status, body } = await tag(["PII", " Tier 1 ", "pii"]);
  expect([status, body]).toEqual([200, { ...people, id: body.id, tags: ["pii", "tier 1"], revision: 1 }]);
  expect(await listed()).toEqual([body]);
  await tag(["finance"]);
  expect(await listed()).toEqual([{ ...people, id: body.id, tags: ["finance"], revision: 2 }]);
  await tag([]);
  expect(await listed()).toEqual([]);
});

test("lists filter by them, the page shows them, and the search finds them", async () => {
  const ctx = await asAdmin();
  await tag(["gdpr relevant", "tier 1"]);
  const found = async (filter: object) =>
    (
      await listCatalogTables(
        ctx,
        catalogTablesInput.parse({ dataSourceId: id, schemaName: "tagged", ...filter }),
      )
    ).items.map(({ tableName, tags }) => [tableName, ...tags].join(" "));
  expect(await found({ tag: "tier 1" })).toEqual(["people gdpr relevant tier 1"]);
  expect(await found({ tag: "tier" })).toEqual([]);
  expect(await found({ search: "gdpr" })).toEqual(["people gdpr relevant tier 1"]);
  const { tags } = await getTable(ctx, { dataSourceId: id, schemaName: "tagged", tableName: "people" });
  expect(tags).toEqual(["gdpr relevant", "tier 1"]);
  const [source] = (await listCatalogSources(ctx, {})).items.filter((each) => each.id === id);
  expect(source?.tags).toEqual(["gdpr relevant", "tier 1"]);

  const search = async () =>
    (await searchCatalog(ctx, searchInput.parse({ q: "gdpr" }))).items.map(
      ({ name, description }) => `${name}: ${description}`,
    );
  expect(await search()).toEqual(["people: Tagged gdpr relevant, tier 1"]);
  await tag([]);
  expect(await search()).toEqual([]);
});

test.each([
  ["an empty one", [""]],
  ["a sign in front", ["#pii"]],
  ["a comma", ["a,b"]],
  ["a line break", ["a\nb"]],
  ["more than 50 characters", ["x".repeat(51)]],
  ["more than 20", Array.from({ length: 21 }, (_, number) => `t${number}`)],
  ["no list", "pii"],
])("%s is rejected", async (_, tags) => {
  const before = await listed();
  expect((await tag(tags)).status).toBe(400);
  expect(await listed()).toEqual(before);
});

test("a table that does not exist has none, and of others only those who may describe set them", async () => {
  expect((await tag(["pii"], { tableName: "nowhere" })).status).toBe(404);
  expect((await tag(["pii"], {}, { cookie: await aSession("Viewer") })).status).toBe(403);
  const stranger = { cookie: await cookieOf(await aMember()) };
  expect((await tag(["pii"], {}, stranger)).status).not.toBe(200);
  expect((await rest("GET", `/data-sources/${id}/tags`, stranger)).status).toBe(404);
});

test("they survive a schema without the table, and can then be removed", async () => {
  const ctx = await asAdmin();
  await tag(["pii"]);
  await sql.unsafe(`drop table tagged.people`);
  await refreshSchema(ctx, id);
  expect(await listed()).toMatchObject([{ ...people, tags: ["pii"] }]);
  expect((await tag([])).status).toBe(200);
  expect((await tag(["pii"])).status).toBe(404);
});
