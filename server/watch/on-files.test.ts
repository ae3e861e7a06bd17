import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { createDataSourceInput } from "../data-sources/schema.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { createDataSource } from "../data-sources/service/edit-data-sources.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { allowedTestFolder, filesConnection, writeFiles } from "../test/files.ts";
import { setWatchInput } from "./schema.ts";
import { getWatched } from "./service/load-watched.ts";
import { runLook, runProfile } from "./service/run.ts";
import { setWatch } from "./service/watch.ts";

/** Looks and profiles on files. */

const folder = allowedTestFolder();
let ctx: SignedIn;

beforeAll(async () => {
  ctx = await asAdmin();
});
afterAll(closeSources);

test("a day with half of the rows is found, and a change is seen", async () => {
  const statuses = ["open", "paid", "paid", " "];
  const lines = Array.from({ length: 12_000 }, (_, n) => n)
    .filter((n) => n >= 200 || n % 2 === 0)
    .map((n) => {
      const at = new Date(Date.now() - (n * 432 + 216) * 1000).toISOString().slice(0, 19);
      return `${n},${at},${statuses[n % 4]},${10 + (n % 90)}`;
    });
  writeFiles(folder, { "orders.csv": `id,created_at,status,total\n${lines.join("\n")}\n` });
  const { id: projectId } = await aProject();
  const { id } = await createDataSource(
    ctx,
    createDataSourceInput.parse({
      ...{ projectId, name: "Exports", kind: "Files" },
      connection: filesConnection(folder),
    }),
  );
  const { nextProfileAt } = await setWatch(ctx, setWatchInput.parse({ id, enabled: true }));
  let at = new Date(Number(nextProfileAt) + 1);
  expect(await runLook(id, at)).toEqual({ looked: true });
  expect(await runProfile(id, at)).toEqual({ looked: true });
  const table = async () => {
    const place = { dataSourceId: id, schemaName: "main", tableName: "orders" };
    const found = await getWatched(ctx, { ...place, days: 90 });
    if (!found) throw new Error("The table is not watched");
    return found;
  };
  const before = await table();
  expect(before.problem).toBeNull();
  expect(before.arrivalColumn).toBe("created_at");
  expect(before.alerts.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^New rows in a day: 100, usually 1\d\d to 2\d\d$/),
  );

  appendFileSync(join(folder, "orders.csv"), `20000,${new Date().toISOString().slice(0, 19)},open,1\n`);
  // On some file systems, times are a second apart.
  utimesSync(join(folder, "orders.csv"), new Date(), new Date(Date.now() + 2000));
  // The folder is looked at again after a second.
  const isSeen = async () => {
    at = new Date(at.getTime() + 15 * 60_000);
    expect(await runLook(id, at)).toEqual({ looked: true });
    return (await table()).lastChangeAt?.getTime() === at.getTime();
  };
  await expect.poll(isSeen, { timeout: 10_000, interval: 300 }).toBe(true);
});
