import { expect, test } from "vitest";
import { readOnlyRole } from "./read-only-role.ts";

test("names are quoted, whatever stands in them", () => {
  const sql = readOnlyRole({ user: 'o"brien', database: "ware house" });
  expect(sql).toContain('create role "o""brien" login');
  expect(sql).toContain('on database "ware house" to "o""brien";');
});

test("an empty form still gives statements that can be read", () => {
  expect(readOnlyRole({ user: "", database: "" })).toContain('on database "your_database" to "plumbline";');
});
