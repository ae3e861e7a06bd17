import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { clickHouseConnection, runOnClickHouse } from "../test/clickhouse.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { setWatchInput } from "./schema.ts";
import { getWatched } from "./service/load-watched.ts";
import { runLook, runProfile } from "./service/run.ts";
import { setWatch } from "./service/watch.ts";

/** Looks and profiles on a real ClickHouse, if TEST_CLICKHOUSE_URL is set. */
describe.skipIf(!clickHouseConnection)("watching on ClickHouse", () => {
  const target = clickHouseConnection ?? ({} as NonNullable<typeof clickHouseConnection>);
  const schemaName = "watch_test";
  let ctx: SignedIn;

  beforeAll(async () => {
    ctx = await asAdmin();
  });
  beforeEach(async () => {
    await runOnClickHouse(target, `drop database if exists ${schemaName}`);
    await runOnClickHouse(target, `create database ${schemaName}`);
  });
  afterAll(closeSources);

  test("a day with half of the rows is found, and a change is seen", async () => {
    await runOnClickHouse(
      target,
      `create table ${schemaName}.orders (id Int32, created_at DateTime, status Nullable(String), total Decimal(12, 2))
      engine = MergeTree order by id`,
    );
    await runOnClickHouse(
      target,
      `insert into ${schemaName}.orders
      select number, now() - toIntervalSecond(number * 432 + 216), ['open', 'paid', 'paid', ' '][number % 4 + 1], 10 + number % 90
      from numbers(12000) where number >= 200 or number % 2 = 0`,
    );
    const { id } = await aDataSource({ kind: "ClickHouse", connection: target });
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
    const blanks = before.series.find(({ measure }) => measure === "BlankShare");
    // Of even numbers, one in two ends as open or paid: 0 is open, 2 is paid.
    expect(blanks?.points.at(-1)?.value).toBe(0);
    expect(blanks?.points.at(-2)?.value).toBe(0.25);
    await runOnClickHouse(target, `insert into ${schemaName}.orders values (20000, now(), 'open', 1)`);
    at = new Date(at.getTime() + 15 * 60_000);
    expect(await runLook(id, at)).toEqual({ looked: true });
    expect((await table()).lastChangeAt).toEqual(at);
  });
});
