import { expect, test } from "vitest";
import { postgresql } from "../data-sources/dialects/postgresql.ts";
import { compileScan } from "./compile.ts";

const target = { schemaName: "shop", tableName: "orders" };

test("rules that share a scan have their own aliases, and number their parameters consecutively", () => {
  const { statement, interpret } = compileScan(
    [
      { type: "Range", configuration: { column: "price", min: "1" } },
      { type: "Volume", configuration: { minRows: 2 } },
      { type: "Range", configuration: { column: "amount", max: "9" } },
    ],
    target,
    postgresql,
  );
  const aliases = [...statement.sql.matchAll(/ as "(\w+_\d)"/g)].map(([, alias]) => alias);
  expect(aliases).toEqual(["outside_0", "total_0", "total_1", "outside_2", "total_2"]);
  expect(statement.sql.match(/ from "shop"\."orders"$/)).not.toBeNull();
  // Every placeholder from the first to the last exists, and each refers to one parameter.
  const placeholders = new Set(
    [...statement.sql.matchAll(/\$(\d+)/g)].map(([, position]) => Number(position)),
  );
  expect([...placeholders].toSorted((a, b) => a - b)).toEqual(
    statement.parameters.map((_, index) => index + 1),
  );
  expect(statement.parameters.indexOf("1")).toBeLessThan(statement.parameters.indexOf("9"));

  const result = {
    columns: aliases.map((name = "") => ({ name, type: "bigint" })),
    rows: [["0", "4", "4", "1", "4"]],
    truncated: false,
    rowCount: 1,
  };
  // Nothing is outside the first range; 4 rows are enough; 1 of 4 is outside the second: (1 − 1/4) × 100.
  expect(interpret.map((verdictIn) => verdictIn(result).score.toNumber())).toEqual([100, 100, 75]);
});

test("a rule that needs more than aggregates does not share a scan", () => {
  const uniqueness = { type: "Uniqueness", configuration: { column: "id" } } as const;
  expect(() => compileScan([uniqueness], target, postgresql)).toThrow(/needs more/);
});
