import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { createDataSourceInput } from "../data-sources/schema.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { createDataSource } from "../data-sources/service/edit-data-sources.ts";
import { env } from "../env.ts";
import { bigQueryConnection, runOnBigQuery } from "../test/bigquery.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { setWatchInput } from "./schema.ts";
import { getWatched } from "./service/load-watched.ts";
import { runLook, runProfile } from "./service/run.ts";
import { setWatch } from "./service/watch.ts";

/** Looks and profiles on an emulator of BigQuery, if TEST_BIGQUERY_URL is set. */
describe.skipIf(!bigQueryConnection)("watching on BigQuery", () => {
  const target = bigQueryConnection ?? ({} as NonNullable<typeof bigQueryConnection>);
  const schemaName = "watch_test";
  let ctx: SignedIn;

  beforeAll(async () => {
    env().OUTBOUND_ALLOW = "127.0.0.1";
    ctx = await asAdmin();
  });
  beforeEach(async () => {
    await runOnBigQuery(target, `drop schema if exists ${schemaName} cascade`);
    await runOnBigQuery(target, `create schema ${schemaName}`);
  });
  afterAll(async () => {
    await closeSources();
    await runOnBigQuery(target, `drop schema if exists ${schemaName} cascade`);
    env().OUTBOUND_ALLOW = undefined;
  });

  // A DATETIME is compared with moments, too.
  test.each(["timestamp", "datetime"])(
    "by a %s, a day with half of the rows is found, and a change is seen",
    async (type) => {
      await runOnBigQuery(
        target,
        `create table ${schemaName}.orders (id int64, created_at ${type}, status string, total numeric)`,
      );
      await runOnBigQuery(
        target,
        `insert into ${schemaName}.orders
      select n, cast(timestamp_sub(current_timestamp(), interval n * 432 + 216 second) as ${type}),
        ['open', 'paid', 'paid', ' '][offset(mod(n, 4))], 10 + mod(n, 90)
      from unnest(generate_array(0, 11999)) as n where n >= 200 or mod(n, 2) = 0`,
      );
      const { id } = await createDataSource(
        ctx,
        createDataSourceInput.parse({
          ...{ projectId: (await aProject()).id, name: "Sales", kind: "BigQuery" },
          connection: { ...target, serviceAccountKey: undefined, dataset: schemaName },
        }),
      );
      const { nextProfileAt } = await setWatch(ctx, setWatchInput.parse({ id, enabled: true }));
      let at = new Date(Number(nextProfileAt) + 1);
      expect(await runLook(id, at)).toEqual({ looked: true });
      expect(await runProfile(id, at)).toEqual({ looked: true });
      const table = async () => {
        const found = await getWatched(ctx, { dataSourceId: id, schemaName, tableName: "orders", days: 90 });
        if (!found) throw new Error("The table is not watched");
        return found;
      };
      const before = await table();
      expect(before.problem).toBeNull();
      expect(before.arrivalColumn).toBe("created_at");
      expect(before.alerts.map(({ sentence }) => sentence)).toContainEqual(
        expect.stringMatching(/^New rows in a day: 100, usually 1\d\d to 2\d\d$/),
      );
      await runOnBigQuery(
        target,
        `insert into ${schemaName}.orders select 20000, cast(current_timestamp() as ${type}), 'open', 1`,
      );
      at = new Date(at.getTime() + 15 * 60_000);
      expect(await runLook(id, at)).toEqual({ looked: true });
      expect((await table()).lastChangeAt).toEqual(at);
    },
    60_000,
  );
});
