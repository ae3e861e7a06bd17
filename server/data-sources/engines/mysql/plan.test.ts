import { describe, expect, test } from "vitest";
import { costIn, rowsIn } from "./plan.ts";

/** Plan formats that the tests' server does not produce, based on the documentation of other versions. */
const block = (cost: string) => ({ query_block: { select_id: 1, cost_info: { query_cost: cost } } });

describe("the cost of a plan as JSON", () => {
  test.each([
    ["MySQL 8", { ...block("101.25") }, 101.25],
    [
      "MySQL 8 with a table that it makes on the way, which is in the cost",
      {
        query_block: {
          cost_info: { query_cost: "12.50" },
          table: {
            cost_info: { read_cost: "10.00", prefix_cost: "12.50" },
            materialized_from_subquery: block("7"),
          },
        },
      },
      12.5,
    ],
    [
      "a union of MySQL 8, whose parts have the costs",
      { query_block: { union_result: { query_specifications: [block("1.5"), block("2")] } } },
      3.5,
    ],
    [
      "the second version of MySQL, under its statement",
      {
        query: "select",
        inputs: [{ estimated_total_cost: 6074.55, inputs: [{ estimated_total_cost: 6000 }] }],
      },
      6074.55,
    ],
    ["MariaDB 11", { query_block: { cost: 0.75, nested_loop: [{ table: { rows: 10, cost: 0.5 } }] } }, 0.75],
    ["MariaDB 10", { query_block: { table: { rows: 10, filtered: 100 } } }, null],
  ])("%s", (_, plan, cost) => {
    expect(costIn(JSON.stringify(plan))).toBe(cost);
  });

  test("is unknown if the JSON is not a plan", () => {
    for (const text of [null, "", "[", "null", '"1"', '{"cost": "NaN"}']) expect(costIn(text)).toBeNull();
  });
});

test("MySQL's share of filtered rows is applied", () => {
  const columns = ["id", "select_type", "rows", "filtered", "Extra"].map((name) => ({ name, type: "" }));
  const rows = [
    [1, "SIMPLE", "200", 10, "Using where"],
    [1, "SIMPLE", "3", 50, "Using where; Using join buffer"],
    [2, "DEPENDENT SUBQUERY", "1000", 100, null],
  ];
  expect(rowsIn({ columns, rows })).toBe(30);
  expect(rowsIn({ columns: [], rows: [] })).toBeNull();
});
