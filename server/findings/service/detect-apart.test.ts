import { expect, test } from "vitest";
import { observe } from "../../profile/observed-table.ts";
import { detectApart } from "./detect-apart.ts";

const columns = ["id", "email"].map((name) => ({
  ...{ name, type: "text", kind: "text" as const, isNullable: true, isPrimaryKey: false },
}));
const table = observe(
  { schemaName: "shop", tableName: "customers", columns },
  Array.from({ length: 400 }, (_, n) => [`K${1000 + n}`, n === 7 ? null : `c${n}@shop.example`]),
);
const database = { tables: [table], now: Date.now() };
const inShort = ({ found, isComplete }: Awaited<ReturnType<typeof detectApart>>) => [
  found.map(({ candidate: { kind, rows } }) => [kind, [...rows]]),
  isComplete,
];

test("what is sent in parts is the same in the end, and what has no time is said to be incomplete", async () => {
  const all = [[["MissingValue", [7]]], true];
  expect(inShort(await detectApart(database))).toEqual(all);
  expect(inShort(await detectApart(database, { timeoutMs: 60_000 }))).toEqual(all);
  expect(inShort(await detectApart(database, { timeoutMs: 0 }))).toEqual([[], false]);
  expect(inShort(await detectApart(database, { tables: [] }))).toEqual([[], true]);
});
