import { afterEach, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { archiveContract } from "../data-quality/service/contracts.ts";
import { db } from "../db/client.ts";
import { anActor } from "../test/factories/actors.ts";
import { aContract } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asEditor, asViewer } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { maxFavorites, setFavoriteInput } from "./schema.ts";
import { listFavorites, setFavorite } from "./service.ts";
import { favorites } from "./tables.ts";

let ada: SignedIn;
let ben: SignedIn;
let dataSourceId: number;

beforeAll(async () => {
  ada = await asEditor();
  ben = await asViewer();
  dataSourceId = (await aDataSource({ name: "Warehouse" })).id;
});
afterEach(() => db.delete(favorites));

const star = (by: SignedIn, thing: object, isFavorite = true) =>
  setFavorite(by, setFavoriteInput.parse({ ...thing, isFavorite }));
const namesFor = async (ctx: SignedIn) =>
  (await listFavorites(ctx)).items.map(({ kind, name }) => [kind, name]);

test("everything that has a page can be a favorite, and has the name that it has now", async () => {
  const query = await aQuery({ name: "Late orders" });
  const subscription = await aSubscription({ queryId: query.id, name: "Late orders, hourly" });
  const contract = await aContract({ name: "Orders", dataSourceId });
  const actor = await anActor({ name: "Watcher" });
  await star(ada, { kind: "Query", id: query.id });
  await star(ada, { kind: "Subscription", id: subscription.id });
  await star(ada, { kind: "Contract", id: contract.id });
  await star(ada, { kind: "Actor", id: actor.id });
  await star(ada, { kind: "DataSource", id: dataSourceId });
  await star(ada, { kind: "Table", id: dataSourceId, schemaName: "public", tableName: "orders" });
  expect(await namesFor(ada)).toEqual(
    [
      ["Query", "Late orders"],
      ["Subscription", "Late orders, hourly"],
      ["Contract", "Orders"],
      ["Table", "orders"],
      ["DataSource", "Warehouse"],
      ["Actor", "Watcher"],
    ].toSorted(([, a], [, b]) => String(a).localeCompare(String(b), "en")),
  );
  expect(await namesFor(ben)).toEqual([]);
  await archiveContract(ada, contract.id);
  expect((await namesFor(ada)).map(([kind]) => kind)).not.toContain("Contract");
});

test("starring twice is once, and taking it back is for good", async () => {
  const thing = { kind: "Table", id: dataSourceId, schemaName: "public", tableName: "orders" };
  for (const tableName of ["orders", "orders", "items"]) await star(ada, { ...thing, tableName });
  expect(await namesFor(ada)).toEqual([
    ["Table", "items"],
    ["Table", "orders"],
  ]);
  await star(ada, thing, false);
  await star(ada, thing, false);
  expect(await namesFor(ada)).toEqual([["Table", "items"]]);
});

test("what does not exist, or lies in a project that one may not see, is not found, nor listed", async () => {
  await expect(star(ada, { kind: "Query", id: 999_999 })).rejects.toMatchObject({ code: "not_found" });
  await star(ada, { kind: "DataSource", id: dataSourceId });
  const limited = { ...ada, principal: { ...ada.principal, projectIds: [] } };
  await expect(star(limited, { kind: "DataSource", id: dataSourceId })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await namesFor(limited)).toEqual([]);
});

test("one more than the most is rejected, and not stored", async () => {
  await db.insert(favorites).values(
    Array.from({ length: maxFavorites }, (_, n) => ({
      ...{ userId: ada.principal.userId, kind: "Table" as const, objectId: dataSourceId },
      ...{ schemaName: "public", tableName: `t${n}` },
    })),
  );
  await expect(star(ada, { kind: "DataSource", id: dataSourceId })).rejects.toMatchObject({
    code: "rejected",
  });
  expect(await db.$count(favorites)).toBe(maxFavorites);
});

test.each([
  { kind: "Table", id: 1 },
  { kind: "Table", id: 1, schemaName: "public" },
  { kind: "Query", id: 1, schemaName: "public", tableName: "orders" },
  { kind: "User", id: 1 },
  { kind: "Query", id: 0 },
])("bad input is refused: %j", (bad) => {
  expect(setFavoriteInput.safeParse({ ...bad, isFavorite: true }).success).toBe(false);
});
