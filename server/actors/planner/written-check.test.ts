import { expect, test } from "vitest";
import type { Check } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { checkIn, commentOf } from "./written-check.ts";

const table = { schemaName: "public", tableName: "orders" };
const all: Check[] = [
  { kind: "Freshness", ...table, column: "placed_at", maxAgeMinutes: 360 },
  { kind: "Volume", ...table, minRows: 7200 },
  { kind: "NullRate", ...table, columns: ["a", "b"], shownWith: ["id"] },
  { kind: "NullRate", ...table, columns: ["a"], shownWith: [] },
  { kind: "Uniqueness", ...table, columns: ["a", "b"], shownWith: ["id"], isWholeRow: false },
  { kind: "Uniqueness", ...table, columns: ["a"], shownWith: [], isWholeRow: true },
  {
    ...{ kind: "Referential", ...table, column: "customer_id", shownWith: ["id", "at"] },
    references: { schemaName: "crm", tableName: "customers", columnName: "id" },
  },
];

test.each(all)("a check is recognized by its first line ($kind)", (check) => {
  for (const dialect of ["postgresql", "mysql", "sqlserver"] as const)
    expect(checkIn(sqlOf(check, dialect))).toEqual(check);
});

test("a name with quotes, line breaks, and words of the sentence does not break it", () => {
  const tableName = 'a"b\n; shown with "c" \\ 7 rows\r\u0085';
  for (const check of all) {
    const odd = { ...check, tableName } as Check;
    expect(commentOf(odd)).not.toMatch(/[\n\r]/);
    expect(checkIn(sqlOf(odd, "postgresql"))).toEqual(odd);
  }
});

test("people can read it", () => {
  expect(all.slice(0, 3).map(commentOf)).toEqual([
    '-- Freshness of "public"."orders": "placed_at" is at most 360 minutes old',
    '-- Volume of "public"."orders": at least 7200 rows',
    '-- Missing values in "public"."orders": "a", "b"; shown with "id"',
  ]);
});

test.each([
  "select 1",
  "",
  '-- Volume of "public"."orders": at least many rows\nselect 1',
  '-- Volume of "public": at least 5 rows',
  '-- Freshness of "public"."orders": is at most 5 minutes old',
  '-- Orphans in "public"."orders": "a" is not in "b"; shown with nothing',
  '-- Missing values in "public"."orders": ; shown with "id"',
  '-- Missing values in "\\x"."orders": "a"; shown with "id"',
])("any other text is no check: %s", (text) => {
  expect(checkIn(text)).toBeNull();
});
