import { expect, test } from "vitest";
import { readOnlyRole } from "./read-only-role.ts";

test("names are quoted, whatever they contain", () => {
  const sql = readOnlyRole({ kind: "PostgreSql", user: 'o"brien', database: "ware house" });
  expect(sql).toContain('create role "o""brien" login');
  expect(sql).toContain('on database "ware house" to "o""brien";');
});

test("an empty form still produces readable statements", () => {
  expect(readOnlyRole({ kind: "PostgreSql", user: "", database: "" })).toContain(
    'on database "your_database" to "plumbline";',
  );
});

test("MySQL has users, grants per database, and wildcards in names", () => {
  expect(readOnlyRole({ kind: "MySql", user: "o`brien", database: "ware_house" })).toBe(
    [
      "create user `o``brien`@'%' identified by 'choose a password';",
      "grant select, show view on `ware\\_house`.* to `o``brien`@'%';",
    ].join("\n"),
  );
});

test("Trino has rules in a file, for a catalog", () => {
  expect(readOnlyRole({ kind: "Trino", user: 'o"brien', database: "lake/sales" })).toBe(
    [
      "-- Trino has no statement for this. With access-control.name=file, the file of rules has:",
      '-- {"catalogs": [{"user": "o\\"brien", "catalog": "lake", "allow": "read-only"}],',
      '--  "tables": [{"user": "o\\"brien", "catalog": "lake", "privileges": ["SELECT"]}]}',
    ].join("\n"),
  );
});

test("SQL Server has a login on the server and a user in the database", () => {
  expect(readOnlyRole({ kind: "SqlServer", user: "o]brien", database: "ware house" })).toBe(
    [
      "create login [o]]brien] with password = 'choose a password';",
      "use [ware house];",
      "create user [o]]brien] for login [o]]brien];",
      "grant select on schema::dbo to [o]]brien];",
    ].join("\n"),
  );
});
