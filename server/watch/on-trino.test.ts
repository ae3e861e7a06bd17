import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { runOnTrino, trinoConnection } from "../test/trino.ts";
import { setWatchInput } from "./schema.ts";
import { getWatched } from "./service/load-watched.ts";
import { runLook, runProfile } from "./service/run.ts";
import { setWatch } from "./service/watch.ts";

/** Looks and profiles on a real Trino, if TEST_TRINO_URL is set. */
describe.skipIf(!trinoConnection)("watching on Trino", () => {
  const target = trinoConnection ?? ({} as NonNullable<typeof trinoConnection>);
  const schemaName = "watch_test";
  let ctx: SignedIn;

  beforeAll(async () => {
    ctx = await asAdmin();
  });
  beforeEach(async () => {
    await runOnTrino(target, `drop table if exists ${schemaName}.orders`);
    await runOnTrino(target, `drop schema if exists ${schemaName}`);
    await runOnTrino(target, `create schema ${schemaName}`);
  });
  afterAll(closeSources);

  test("a day with half of the rows is found", async () => {
    await runOnTrino(
      target,
      `create table ${schemaName}.orders as
      select cast(n as integer) as id, current_timestamp - (n * 432 + 216) * interval '1' second as created_at,
        element_at(array['open', 'paid', 'paid', ' '], cast(n % 4 + 1 as integer)) as status,
        cast(10 + n % 90 as decimal(12, 2)) as total
      from (select 100 * (a - 1) + b - 1 as n from unnest(sequence(1, 120)) as s (a) cross join unnest(sequence(1, 100)) as t (b))
      where n >= 200 or n % 2 = 0`,
    );
    const { id } = await aDataSource({ kind: "Trino", connection: target });
    const { nextProfileAt } = await setWatch(ctx, setWatchInput.parse({ id, enabled: true }));
    const at = new Date(Number(nextProfileAt) + 1);
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
    const blanks = before.series.find(({ measure }) => measure === "BlankShare");
    // Of even numbers, one in two ends as open or paid: 0 is open, 2 is paid.
    expect(blanks?.points.at(-1)?.value).toBe(0);
    expect(blanks?.points.at(-2)?.value).toBe(0.25);
    // Trino does not tell when a table was changed, so it is not said.
    expect(before.lastChangeAt).toBeNull();
  });
});
