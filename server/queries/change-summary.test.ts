import { expect, test } from "vitest";
import { changeSummaryOf } from "./change-summary.ts";
import type { Step } from "./schema.ts";

const step = (order: number, sql: string, more: Partial<Step> = {}): Step => ({
  order,
  name: `Step ${order}`,
  dataSourceId: 1,
  sql,
  ...more,
});

test.each([
  [[step(1, "select 1")], [step(1, "select 2")], "Step 1: 1 line added, 1 line removed"],
  [
    [step(1, "select 1\nfrom a\nwhere b")],
    [step(1, "select 1\nfrom a\nwhere c\nand d\nand e")],
    "Step 1: 3 lines added, 1 line removed",
  ],
  [[step(1, "select 1")], [step(1, "select 1\nlimit 5")], "Step 1: 1 line added"],
  [[step(1, "select 1")], [step(1, "select 1", { dataSourceId: 2 })], "Step 1: uses another data source"],
  [[step(1, "select 1")], [step(1, "select 1", { name: "One" })], "Step 1: is called One"],
  [
    [step(1, "select 1")],
    [step(1, "select 2"), step(2, "select * from @@result1", { dataSourceId: null })],
    "Step 1: 1 line added, 1 line removed; adds step 2 (Step 2)",
  ],
  [[step(1, "select 1"), step(2, "select 2")], [step(1, "select 1")], "Removes step 2 (Step 2)"],
])("%j to %j", (before, after, summary) => {
  expect(changeSummaryOf(before, after)).toBe(summary);
});

test("a request is shown as its text", () => {
  const request = { method: "GET", path: "/orders" } as const;
  const of = (path: string): Step => ({
    ...{ order: 1, name: "Step 1", dataSourceId: 1 },
    request: { ...request, path },
  });
  expect(changeSummaryOf([of("/orders")], [of("/orders/late")])).toBe("Step 1: 1 line added, 1 line removed");
});
