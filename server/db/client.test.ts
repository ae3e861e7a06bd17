import { expect, test } from "vitest";
import { lookups, sql } from "./client.ts";

test.each([
  { name: "pool", connections: sql },
  { name: "lookups", connections: lookups },
])("the $name compiles no statements, whatever the server does by default", async ({ connections }) => {
  const [database] = await connections<{ name: string }[]>`select current_database() as name`;
  await connections`alter database ${connections(database?.name ?? "")} set jit = on`;
  const [late] = await connections`
    select setting, source, reset_val as reset from pg_settings where name = 'jit'`;
  expect(late).toEqual({ setting: "off", source: "client", reset: "off" });
});
