import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { textTypes } from "./text-types.ts";

/** A relation of texts with one column for each expression over the number of the row, from 0. */
async function typesOf(rows: number, expressions: readonly string[], options?: { areSome?: boolean }) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const columns = expressions.map((expression, index) => `(${expression})::varchar as c${index}`);
  await connection.run(
    `create table texts as select ${columns.join(", ")} from range(${rows}) as numbers(i)`,
  );
  const found = await textTypes(
    connection,
    "texts",
    expressions.map((_, index) => `c${index}`),
    options,
  );
  instance.closeSync();
  return found;
}

const day = "date '2024-01-01' + (i % 900)::int";

test.each<[string, string, string | null]>([
  ["whole numbers", "i - 5", "bigint"],
  ["numbers with up to two places", "i || '.25'", "decimal(18, 2)"],
  ["some numbers with places", "case when i = 7 then '7.5' else i::varchar end", "decimal(18, 1)"],
  ["numbers with exponents", "i || 'e3'", "double"],
  ["codes with zeros in front", "lpad(i::varchar, 9, '0')", null],
  ["days", day, "date"],
  ["days that are none", "'2024-02-30'", null],
  ["moments", `(${day})::timestamp`, "timestamp"],
  ["moments with a zone", `strftime(${day}, '%Y-%m-%d 10:00:00+02')`, "timestamp with time zone"],
  ["truths", "i % 2 = 0", "boolean"],
  ["words", "'w' || i", null],
  ["nothing", "null", null],
])("%s", async (_, expression, type) => {
  for (const rows of [50, 30_000]) expect(await typesOf(rows, [expression])).toEqual({ types: [type], rows });
});

test("what comes late counts as much as what comes first", async () => {
  const late = (text: string, otherwise = "i::varchar") =>
    `case when i = 29999 then '${text}' else ${otherwise} end`;
  const { types } = await typesOf(30_000, [
    late("many"),
    late("0.125"),
    late("007"),
    late("2024-01-01 10:00:00", `(${day})::varchar`),
    late("maybe", "'true'"),
    // Where the first rows have nothing, the others tell.
    "case when i > 25000 then i end",
    "case when i > 25000 then 'w' || i end",
    late("2024-05-01", "null"),
  ]);
  expect(types).toEqual([null, "decimal(18, 3)", null, null, null, "bigint", null, "date"]);
});

test("of some rows, decimals may have more places elsewhere", async () => {
  expect(await typesOf(100, ["i || '.25'", "i"], { areSome: true })).toEqual({
    types: ["double", "bigint"],
    rows: 100,
  });
});

test("many columns are more than one statement, and no row is none", async () => {
  const { types, rows } = await typesOf(
    10,
    Array.from({ length: 120 }, (_, at) => (at % 2 ? "i" : "'w'")),
  );
  expect([types.filter((type) => type === "bigint").length, types.length, rows]).toEqual([60, 120, 10]);
  expect(await typesOf(0, ["i", "'w'"])).toEqual({ types: [null, null], rows: 0 });
});
