import { expect, test } from "vitest";
import { commonStart, deltaFolderOf, folderOf, neededBy, pathOfKey, usablePaths } from "./object-paths.ts";

test.each([
  ["", ""],
  ["exports", "exports/"],
  ["/exports//shop/", "exports/shop/"],
])("the prefix %j is the folder %j", (prefix, folder) => expect(folderOf(prefix)).toBe(folder));

test.each([
  ["exports/orders.csv", "orders.csv"],
  ["exports/a b/ä+(1).parquet", "a b/ä+(1).parquet"],
  ["exports/day=2024-01-01/x.jsonl.gz", "day=2024-01-01/x.jsonl.gz"],
  ["exports/shop.duckdb", "shop.duckdb"],
  ["exports", null],
  ["exports/", null],
  ["exports-2/orders.csv", null],
  ["exports/../orders.csv", null],
  ["exports/a/./orders.csv", null],
  ["exports//orders.csv", null],
  ["exports/.hidden.csv", null],
  ["exports/_tmp/orders.csv", null],
  ["exports/back\\slash.csv", null],
  ["exports/new\nline.csv", null],
  ["exports/notes.txt", null],
  [`exports/${"x".repeat(201)}.csv`, null],
  [`exports/${"a/".repeat(12)}orders.csv`, null],
])("the key %j is the file %j", (key, path) => expect(pathOfKey(key, "exports/")).toBe(path));

test("a file that is also a folder, and what is in a Delta table, are no tables", () => {
  const objects = ["a.csv", "a.csv/b.csv", "delta/part.parquet", "delta/x/part.parquet", "c/d.csv"];
  const delta = new Set(
    ["x/delta/_delta_log/0.json", "x/c/d.csv", "x/my_delta_log/a.csv"].flatMap(
      (key) => deltaFolderOf(key, "x/") ?? [],
    ),
  );
  expect([...delta]).toEqual(["delta"]);
  const usable = usablePaths(
    objects.map((path) => ({ path })),
    delta,
  );
  expect(usable.map(({ path }) => path)).toEqual(["a.csv", "c/d.csv"]);
  expect(deltaFolderOf("x/_delta_log/0.json", "x/")).toBe("");
});

test.each([
  [["sales/2024-*.csv"], "sales/2024-"],
  [["sales/2024-*.csv", "sales/202?.csv"], "sales/202"],
  [["a/*.csv", "b/*.csv"], ""],
  [["{a,b}/*.csv"], ""],
  [[], ""],
])("all that matches %j begins with %j", (patterns, start) => expect(commonStart(patterns)).toBe(start));

const paths = [
  "orders.csv",
  "Orders.json",
  "people.csv",
  "sales/january.csv",
  "sales/2024/february.csv",
  "visits/year=2024/month=1/a.parquet",
  "visits/year=2024/month=2/a.parquet",
  "day=1/a.csv",
  "shop.duckdb",
  "logs/2024-01.csv",
  "logs/2024-02.csv",
];
const needed = (names: string[], patterns: string[] = []) =>
  neededBy(
    paths.map((path) => ({ path })),
    new Set(names.map((name) => name.toLowerCase())),
    { patterns, name: "lake" },
  ).map(({ path }) => path);

test.each([
  [["people"], ["people.csv"]],
  // Both get their endings, so both decide what they are called.
  [["orders.csv"], ["orders.csv", "Orders.json"]],
  [["sales"], ["sales/january.csv"]],
  [["sales/january"], ["sales/january.csv"]],
  [["sales/2024"], ["sales/2024/february.csv"]],
  [["SALES/2024/February"], ["sales/2024/february.csv"]],
  [["visits"], ["visits/year=2024/month=1/a.parquet", "visits/year=2024/month=2/a.parquet"]],
  [
    ["visits/year=2024/month=1/a"],
    ["visits/year=2024/month=1/a.parquet", "visits/year=2024/month=2/a.parquet"],
  ],
  [["lake"], ["day=1/a.csv"]],
  [["shop"], ["shop.duckdb"]],
  [["shop.stock", "items"], ["shop.duckdb"]],
  [["people (2)"], ["people.csv"]],
  [["plumbline", "tables"], paths],
  [["nothing"], []],
])("a statement with the names %j needs %j", (names, found) => expect(needed(names)).toEqual(found));

test("what matches a pattern is one table", () => {
  const patterns = ["logs/2024-*.csv"];
  expect(needed(["logs/2024-*.csv"], patterns)).toEqual(["logs/2024-01.csv", "logs/2024-02.csv"]);
  expect(needed(["logs"], patterns)).toEqual([]);
});
