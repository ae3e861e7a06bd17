import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { projects } from "../projects/tables.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { db, inOneTransaction } from "./client.ts";
import { compiled } from "./compiled.ts";

const builds: number[] = [];
const nameById = compiled(() => {
  builds.push(1);
  return db
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, sql.placeholder("id")));
});

test("a query that is built once is asked with new values each time", async () => {
  const [first, second] = [await aProject({ name: "First" }), await aProject({ name: "Second" })];
  expect(await nameById().execute({ id: first.id })).toEqual([{ name: "First" }]);
  expect(await nameById().execute({ id: second.id })).toEqual([{ name: "Second" }]);
  expect(await nameById().execute({ id: 0 })).toEqual([]);
  expect(builds).toHaveLength(1);
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
