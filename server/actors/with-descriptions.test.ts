import { expect, test } from "vitest";
import { withDescriptions } from "./with-descriptions.ts";

const column = (name: string, comment: string | null) => ({
  ...{ name, type: "integer", nullable: true, comment, isPrimaryKey: false },
});
const orders = {
  ...{ schemaName: "public", tableName: "orders", kind: "Table" as const, rowEstimate: 1, comment: null },
  columns: [column("id", "Their number"), column("total", "In cents"), column("note", null)],
};
const of = (columnName: string | null, description: string, tableName = "orders") => ({
  ...{ schemaName: "public", tableName, columnName, description },
});

test("people's descriptions of a table and its columns come before the database's comments", () => {
  const described = withDescriptions(orders, [
    of(null, "What customers ordered"),
    of("total", "With VAT"),
    of("note", "Free text"),
    of("id", "Of another table", "customers"),
  ]);
  expect([described.comment, ...described.columns.map(({ comment }) => comment)]).toEqual([
    ...["What customers ordered", "Their number", "With VAT · In cents", "Free text"],
  ]);
});

test("a table without descriptions is unchanged", () => {
  expect(withDescriptions(orders, [of("id", "Of another table", "customers")])).toBe(orders);
});
