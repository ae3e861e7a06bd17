import { and, eq, ne, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { projects } from "../projects/tables.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { db, inOneTransaction, lookups } from "./client.ts";
import { compiled } from "./compiled.ts";

const builds: number[] = [];
const nameById = compiled((db) => {
  builds.push(1);
  return db
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.id, sql.placeholder("id")), ne(projects.name, "it's")))
    .limit(5);
});

test("a query that is built once is asked with new values each time", async () => {
  const [first, second] = [await aProject({ name: "First" }), await aProject({ name: "Second" })];
  expect(await nameById().execute({ id: first.id })).toEqual([{ name: "First" }]);
  expect(await nameById().execute({ id: second.id })).toEqual([{ name: "Second" }]);
  expect(await nameById().execute({ id: 0 })).toEqual([]);
  expect(builds).toHaveLength(1);
});

test("it is planned once for each connection, whatever its values, with its constants", async () => {
  for (let id = 1; id <= 8; id++) await nameById().execute({ id });
  const known = await lookups<{ statement: string; times: number; planned: number }[]>`
    select statement, (generic_plans + custom_plans)::integer as times, custom_plans::integer as planned
    from pg_prepared_statements where statement like '%from "projects"%' and statement not like '%pg_prepared%'`;
  expect(known).toMatchObject([{ planned: 0 }]);
  expect(known[0]?.times).toBeGreaterThan(1);
  expect(known[0]?.statement).toMatch(/"id" = \$1 and "projects"\."name" <> 'it''s'\) limit 5$/);
});

test("it sees what the open transaction has written, and nobody else does", async () => {
  const { id } = await aProject({ name: "Before" });
  await expect(
    inOneTransaction(async () => {
      await db.update(projects).set({ name: "Within" }).where(eq(projects.id, id));
      expect(await nameById().execute({ id })).toEqual([{ name: "Within" }]);
      throw new Error("Rolled back");
    }),
  ).rejects.toThrow("Rolled back");
  expect(await nameById().execute({ id })).toEqual([{ name: "Before" }]);
});
