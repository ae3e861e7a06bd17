import { expect, test } from "vitest";
import { pathOfThing, type Thing } from "./favorite-page.ts";
import { recentPages, rememberPage } from "./recent-pages.ts";

const aStorage = (kept: Record<string, string> = {}) =>
  ({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(kept, { [key]: value }),
  }) as unknown as Storage;

const query = (id: number, name = `Query ${id}`): Thing => ({ kind: "Query", id, name });

test("the latest eight are kept per user, each once and under its latest name", () => {
  const storage = aStorage();
  for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) rememberPage(1, query(id), storage);
  rememberPage(1, query(5, "Renamed"), storage);
  expect(recentPages(1, storage).map(({ id, name }) => [id, name])).toEqual([
    ...[
      [5, "Renamed"],
      [3, "Query 3"],
      [9, "Query 9"],
      [8, "Query 8"],
      [7, "Query 7"],
    ],
    ...[
      [6, "Query 6"],
      [4, "Query 4"],
      [2, "Query 2"],
    ],
  ]);
  expect(recentPages(2, storage)).toEqual([]);
});

test("two tables of a data source are two pages; a table and its data source, too", () => {
  const storage = aStorage();
  const table = (tableName: string): Thing => ({
    kind: "Table",
    id: 1,
    name: tableName,
    schemaName: "a/b",
    tableName,
  });
  rememberPage(1, table("x y"), storage);
  rememberPage(1, table("z"), storage);
  rememberPage(1, { kind: "DataSource", id: 1, name: "Source" }, storage);
  expect(recentPages(1, storage).map(pathOfThing)).toEqual([
    "/data-sources/1",
    "/catalog/1/a%2Fb/z",
    "/catalog/1/a%2Fb/x%20y",
  ]);
});

test("damaged and blocked storage counts as empty", () => {
  const key = "plumbline:pages:1";
  expect(recentPages(1, aStorage({ [key]: "{" }))).toEqual([]);
  expect(recentPages(1, aStorage({ [key]: '[1,null,{"kind":"User","id":1,"name":"x"}]' }))).toEqual([]);
  const blocked = {
    getItem() {
      throw new Error("blocked");
    },
    setItem() {
      throw new Error("blocked");
    },
  } as unknown as Storage;
  expect(() => rememberPage(1, query(1), blocked)).not.toThrow();
  expect(recentPages(1, blocked)).toEqual([]);
});
