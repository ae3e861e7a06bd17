import { expect, test } from "vitest";
import type { PlanNode } from "../data-sources/engines/engine.ts";
import { planIn as mysqlPlan } from "../data-sources/engines/mysql/plan.ts";
import { planLines } from "./plan-lines.ts";

const node = (operation: string, cost: number | null, inputs: PlanNode[] = []): PlanNode => ({
  ...{ operation, detail: null, rows: null, cost, inputs },
});
const shown = (root: PlanNode) =>
  planLines(root).map(
    ({ depth, operation, ownCost, isMostExpensive }) =>
      `${"  ".repeat(depth)}${operation} ${ownCost}${isMostExpensive ? " !" : ""}`,
  );

test("the widest input comes first, and what adds most is marked", () => {
  const plan = node("Sort", 100.3, [node("Join", 90.1, [node("Index Scan", 5), node("Seq Scan", 80)])]);
  expect(shown(plan)).toEqual(["Sort 10.2", "  Join 5.1", "    Seq Scan 80 !", "    Index Scan 5"]);
});

test("a limit costs less than its input, and no less than nothing", () => {
  expect(shown(node("Limit", 1, [node("Seq Scan", 80)]))).toEqual(["Limit 0", "  Seq Scan 80 !"]);
});

test("without costs nothing is marked", () => {
  expect(shown(node("Select", null, [node("Table", null)]))).toEqual(["Select null", "  Table null"]);
});

test("the JSON of MySQL 8 gives blocks, operations, and tables", () => {
  const plan = mysqlPlan(
    JSON.stringify({
      query_block: {
        cost_info: { query_cost: "60.00" },
        ordering_operation: {
          using_filesort: true,
          nested_loop: [
            {
              table: {
                ...{ table_name: "orders", access_type: "ALL", rows_examined_per_scan: 200 },
                cost_info: { read_cost: "10.00", eval_cost: "20.00", prefix_cost: "30.00" },
              },
            },
            {
              table: {
                ...{ table_name: "customers", access_type: "eq_ref", key: "PRIMARY" },
                ...{ rows_examined_per_scan: 1, cost_info: { read_cost: "25.00", eval_cost: "5.00" } },
              },
            },
          ],
        },
      },
    }),
  );
  expect(planLines(plan)).toMatchObject([
    { depth: 0, operation: "Select", cost: 60, ownCost: 0 },
    { depth: 1, operation: "Sort", cost: 60 },
    {
      depth: 2,
      operation: "Table",
      detail: "orders, whole table",
      rows: 200,
      ownCost: 30,
      isMostExpensive: true,
    },
    { depth: 2, operation: "Table", detail: "customers, eq_ref, index PRIMARY", rows: 1, ownCost: 30 },
  ]);
});
