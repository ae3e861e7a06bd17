import { expect, test } from "vitest";
import type { DatabaseSchema } from "../data-sources/database-schema.ts";
import { schemaFingerprint } from "./schema-fingerprint.ts";

const table = (tableName: string, columns: Record<string, string>) => ({
  tableName,
  kind: "Table" as const,
  rowEstimate: 5,
  comment: null,
  columns: Object.entries(columns).map(([name, type]) => ({
    ...{ name, type, nullable: true, comment: null, isPrimaryKey: false },
  })),
});
const schema = (...tables: DatabaseSchema["items"][number]["tables"]): DatabaseSchema["items"] => [
  { schemaName: "public", tables },
];

const orders = table("orders", { id: "integer", total: "numeric" });
const logs = table("logs", { line: "text" });
const sql = ['select count(*) from public."orders"'];
const before = schemaFingerprint(schema(orders, logs), sql);

test("changes with a column's type, name, or number, in any table that the SQL names", () => {
  const changes: Record<string, string>[] = [
    { id: "bigint", total: "numeric" },
    { id: "integer", amount: "numeric" },
    { id: "integer" },
  ];
  for (const columns of changes)
    expect(schemaFingerprint(schema(table("orders", columns), logs), sql)).not.toBe(before);
  expect(schemaFingerprint(schema(logs), sql)).not.toBe(before);
});

test("does not change with other tables, estimates, or comments", () => {
  const grown = { ...orders, rowEstimate: 9000, comment: "All of them" };
  expect(schemaFingerprint(schema(grown, table("logs", { line: "varchar" })), sql)).toBe(before);
  expect(schemaFingerprint(schema(orders), sql)).toBe(before);
});

test("finds names in another case, and names that are not a single word", () => {
  const odd = (type: string) => schema(table("Odd name.2", { id: type }));
  const text = ['select * from "ODD NAME.2"'];
  expect(schemaFingerprint(odd("integer"), text)).not.toBe(schemaFingerprint(odd("text"), text));
});

test("is null without SQL", () => {
  expect(schemaFingerprint(schema(orders), [])).toBeNull();
});
