import { expect, test } from "vitest";
import { startSql } from "./start-sql.ts";

test("names are quoted if needed, by each engine's rules", () => {
  expect(startSql("PostgreSql", { schema: "public", table: "flights" })).toBe(
    "select *\nfrom public.flights\nlimit 100",
  );
  expect(startSql("PostgreSql", { schema: "", table: 'My "Table"' })).toBe(
    'select *\nfrom "My ""Table"""\nlimit 100',
  );
  expect(startSql("MySql", { schema: "shop", table: "a`b" })).toContain("from shop.`a``b`");
  expect(startSql("SqlServer", { schema: "dbo", table: "a]b" })).toBe("select top (100) *\nfrom dbo.[a]]b]");
  expect(startSql("RestApi", { schema: "", table: "orders" })).toBe("");
  expect(startSql("PostgreSql", { schema: "public", table: "" })).toBe("");
});
