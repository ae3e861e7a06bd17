import { expect, test } from "vitest";
import { checkIn } from "./written-check.ts";
import { findingComment, findingIn, type WrittenFinding } from "./written-finding.ts";

const finding = (more: Partial<WrittenFinding> = {}): WrittenFinding => ({
  schemaName: "shop",
  tableName: "orders",
  parts: [{ kind: "MissingValue", columns: ["email"] }],
  ...more,
});

test.each([
  finding(),
  finding({
    parts: [
      { kind: "Impossible", columns: ["shipped_at", "delivered_at"] },
      { kind: "Duplicate", columns: [] },
      { kind: "Variant", columns: ["city"] },
    ],
  }),
  finding({
    schemaName: 'a "b": c',
    tableName: "x; y of z",
    parts: [{ kind: "Type", columns: ["\n-- of"] }],
  }),
])("a query for findings is known again by its first line", (written) => {
  const sql = `${findingComment(written)}\nselect 1`;
  expect(findingComment(written)).not.toContain("\n");
  expect(findingIn(sql)).toEqual(written);
  expect(checkIn(sql)).toBeNull();
});

test.each([
  "select 1",
  '-- Looks wrong in "shop"."orders"',
  '-- Looks wrong in "shop"."orders": Nonsense of "email"',
  '-- Looks wrong in "shop"."orders": MissingValue of "email',
  '-- Looks wrong in "shop"."orders": MissingValue of "email" and more',
  '-- Missing values in "shop"."orders": "email"; shown with "id"',
])("nothing else is one: %s", (sql) => {
  expect(findingIn(sql)).toBeNull();
});
