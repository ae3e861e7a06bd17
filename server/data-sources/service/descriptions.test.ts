import { afterAll, beforeAll, expect, test } from "vitest";
import { db, sql } from "../../db/client.ts";
import { aDataSource, ownConnection } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aUser, cookieOf } from "../../test/factories/sessions.ts";
import { rest } from "../../test/rest-client.ts";
import { describeInput } from "../description-schema.ts";
import { catalogDescriptions } from "../tables.ts";
import { closeSources } from "./connected-sources.ts";
import { listDescriptions, loadDescriptions, saveDescription } from "./descriptions.ts";
import { deleteDataSource } from "./edit-data-sources.ts";
import { refreshSchema } from "./read-schema.ts";

beforeAll(async () => {
  await sql.unsafe(`create schema shop; create table shop.orders (id int, "order; id" int)`);
});
afterAll(closeSources);

const orders = { schemaName: "shop", tableName: "orders" };
const words = (items: { columnName: string | null; description: string | null }[]) =>
  items.map(({ columnName, description }) => [columnName, description]);

test("a table and its columns have descriptions, each by its last author", async () => {
  const source = await aDataSource();
  const ada = await asEditor();
  const say = (more: object, by = ada) =>
    saveDescription(by, describeInput.parse({ id: source.id, ...orders, ...more }));

  await say({ columnName: "order; id", description: "Counts up" });
  await say({ columnName: "id", description: "Ours" });
  const first = await say({ description: "  One for each order  " });
  expect(first).toMatchObject({ ...orders, columnName: null, description: "One for each order" });
  expect(first.updatedBy).toEqual({ id: ada.principal.userId, name: "The Editor" });

  const bo = await asAdmin();
  const second = await say(
    { description: "Orders, paid or not", updatedAt: first.updatedAt?.toISOString() },
    bo,
  );
  expect(second.updatedBy?.id).toBe(bo.principal.userId);
  expect(second.updatedAt?.getTime()).toBeGreaterThan(first.updatedAt?.getTime() ?? 0);

  // The table precedes its columns, which are sorted by name.
  expect(words(await loadDescriptions(source.id))).toEqual([
    [null, "Orders, paid or not"],
    ["id", "Ours"],
    ["order; id", "Counts up"],
  ]);
  expect(words(await loadDescriptions(source.id, { tableName: "others" }))).toEqual([]);

  const removed = await say({ description: null });
  expect(removed).toEqual({
    ...orders,
    columnName: null,
    description: null,
    updatedAt: null,
    updatedBy: null,
  });
  // Removing it again is not an error.
  await say({ description: null });
  expect(words(await loadDescriptions(source.id, orders))).toHaveLength(2);
});

test("someone else's newer description is not overwritten unless requested", async () => {
  const source = await aDataSource();
  const ctx = await asEditor();
  const say = (description: string | null, updatedAt?: Date | null) =>
    saveDescription(ctx, { id: source.id, ...orders, description, updatedAt });
  const conflict = { code: "conflict", detail: "Someone else has changed this description" };

  const one = await say("one", null);
  await expect(say("another first", null)).rejects.toMatchObject(conflict);
  const two = await say("two", one.updatedAt);
  await expect(say("three", one.updatedAt)).rejects.toMatchObject(conflict);
  await expect(say(null, one.updatedAt)).rejects.toMatchObject(conflict);
  await expect(say(null, null)).rejects.toMatchObject(conflict);
  expect(words(await loadDescriptions(source.id))).toEqual([[null, "two"]]);
  await say("whatever was there");
  await expect(say("three", two.updatedAt)).rejects.toMatchObject(conflict);

  await say(null);
  await expect(say("back again", two.updatedAt)).rejects.toMatchObject(conflict);
  await say(null, two.updatedAt);
  expect(words(await loadDescriptions(source.id))).toEqual([]);
});

test("of ten concurrent descriptions from the same page, one succeeds", async () => {
  const source = await aDataSource();
  const ctx = await asEditor();
  await refreshSchema(ctx, source.id);
  for (const before of [null, "first"]) {
    const last = (await loadDescriptions(source.id))[0]?.updatedAt ?? null;
    const said = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        saveDescription(ctx, { id: source.id, ...orders, description: `${before} ${n}`, updatedAt: last }),
      ),
    );
    expect(said.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await loadDescriptions(source.id)).toHaveLength(1);
  }
});

test("what does not exist cannot be described; what once existed keeps its description, which can be removed", async () => {
  const source = await aDataSource();
  const ctx = await asEditor();
  const say = (more: object, description: string | null = "Mine") =>
    saveDescription(ctx, { id: source.id, ...orders, ...more, description });
  await sql.unsafe("create table shop.passing (id int)");
  const passing = { tableName: "passing" };
  await refreshSchema(ctx, source.id);
  await say(passing);
  await say({ ...passing, columnName: "id" });
  await expect(say({ tableName: "nothing" })).rejects.toMatchObject({ detail: "Table not found" });
  await expect(say({ schemaName: "SHOP" })).rejects.toMatchObject({ detail: "Table not found" });
  await expect(say({ columnName: "nothing" })).rejects.toMatchObject({ detail: "Column not found" });

  await sql.unsafe("drop table shop.passing");
  await refreshSchema(ctx, source.id);
  await say(passing, "Gone for a while");
  await say({ ...passing, columnName: "id" }, null);
  expect(words((await listDescriptions(ctx, { id: source.id })).items)).toEqual([[null, "Gone for a while"]]);

  await deleteDataSource(ctx, source.id);
  expect(await db.$count(catalogDescriptions)).toBeGreaterThan(0);
  expect(await loadDescriptions(source.id)).toEqual([]);
});

test("over REST: invalid descriptions, other projects, and a data source without tables", async () => {
  const source = await aDataSource();
  const path = `/data-sources/${source.id}/descriptions`;
  const cookie = await cookieOf(await aUser("Editor"));
  const put = async (json: object, to = path) => (await rest("PUT", to, { cookie, json })).status;
  expect(await put({ ...orders, description: "x".repeat(4000) })).toBe(200);
  for (const wrong of [
    { ...orders, description: "x".repeat(4001) },
    { ...orders, description: " \n " },
    { ...orders, description: "a\u0000" },
    { ...orders },
    { ...orders, description: "a", updatedBy: 1 },
    { ...orders, description: "a", updatedAt: "yesterday" },
    { ...orders, schemaName: "", description: "a" },
  ])
    expect(await put(wrong), JSON.stringify(wrong)).toBe(400);
  expect(await put({ ...orders, description: "a" }, "/data-sources/2000000000/descriptions")).toBe(404);
  expect(await put({ ...orders, description: "a", updatedAt: null })).toBe(409);

  const { body } = await rest("GET", `${path}?tableName=orders`, { cookie });
  expect(body.items).toMatchObject([{ ...orders, columnName: null, description: "x".repeat(4000) }]);
  expect(await put({ ...orders, description: "a", updatedAt: body.items[0].updatedAt })).toBe(200);

  const { user, password: _, ...away } = { ...ownConnection(), port: 1 };
  const unreachable = await aDataSource({ connection: { ...away, user } });
  expect(await put({ ...orders, description: "a" }, `/data-sources/${unreachable.id}/descriptions`)).toBe(
    502,
  );
});
