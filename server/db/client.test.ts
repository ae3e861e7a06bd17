import { sql as statement } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, groupDb, lookupDb } from "./client.ts";

test.each([
  { name: "the pool", database: db },
  { name: "lookups", database: lookupDb },
  { name: "groups", database: groupDb },
])("$name: nothing is compiled, whatever the server does by default", async ({ database }) => {
  const [own] = await database.execute<{ name: string }>(statement`select current_database() as name`);
  await database.execute(statement`alter database ${statement.identifier(own?.name ?? "")} set jit = on`);
  const [jit] = await database.execute(
    statement`select setting, source, reset_val as reset from pg_settings where name = 'jit'`,
  );
  expect(jit).toEqual({ setting: "off", source: "client", reset: "off" });
});
