import { describe, expect, test } from "vitest";
import type { ServerKind } from "./kinds.ts";
import { createDataSourceInput, testConnectionInput } from "./schema.ts";

const server = { host: "db.example.com", port: 8443, database: "hive", user: "reader" };
const refusal = {
  path: ["connection", "password"],
  message: "requires an encrypted connection (TLS)",
};

const inputs = { "to create": createDataSourceInput, "to test": testConnectionInput };

describe.each(Object.entries(inputs))("a connection %s", (_, input) => {
  const issues = (kind: ServerKind, connection: object) =>
    input.safeParse({ projectId: 1, name: "Lake", kind, connection: { ...server, ...connection } }).error
      ?.issues;

  test.each(["secret", "{{env:TRINO_PASSWORD}}"])(
    "of Trino has the password %s only with TLS",
    (password) => {
      expect(issues("Trino", { password, ssl: false })).toMatchObject([refusal]);
      expect(issues("Trino", { password, ssl: true })).toBeUndefined();
      // TLS is Trino's default.
      expect(issues("Trino", { password })).toBeUndefined();
    },
  );

  test("of Trino needs no TLS without a password", () => {
    expect(issues("Trino", { ssl: false })).toBeUndefined();
    expect(issues("Trino", { ssl: false, password: "" })).toBeUndefined();
  });

  test.each(["PostgreSql", "MySql", "SqlServer", "ClickHouse"] as const)(
    "of %s may have a password without TLS",
    (kind) => expect(issues(kind, { password: "secret", ssl: false })).toBeUndefined(),
  );
});
