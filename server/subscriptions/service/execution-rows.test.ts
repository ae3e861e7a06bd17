import { eq, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { updateQuery } from "../../queries/service/save-query.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { forgetRowHashes } from "../forget-row-hashes.ts";
import { executionRows } from "../tables.ts";
import { executeNow } from "./execute.ts";
import { getExecutionRows } from "./execution-rows.ts";
import { getExecution } from "./executions.ts";
import { removeOldExecutions, removeOldRows } from "./remove-old.ts";
import { archiveSubscription } from "./subscriptions.ts";

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});
afterAll(closeSources);

const notFound = { code: "not_found" };

async function onPostgres() {
  await sql.unsafe("create table if not exists late (id int, email text, minutes numeric)");
  return { source: await aDataSource(), run: (text: string) => sql.unsafe(text) };
}

async function onMysql() {
  await mysql.query("create table if not exists late (id int, email varchar(100), minutes decimal(10, 2))");
  const { password, ...connection } = mysqlConnection;
  const [row] = await db
    .insert(dataSources)
    .values({ projectId: (await aProject()).id, name: "Shop", kind: "MySql", connection })
    .returning();
  if (!row) throw new Error("The insert returned no data source");
  await db
    .update(dataSources)
    .set({ secret: encrypt(password, `data-source:${row.id}`) })
    .where(eq(dataSources.id, row.id));
  return { source: row, run: (text: string) => mysql.query(text) };
}

const found = "select id, email, minutes from late order by id";

describe.each([
  ["PostgreSQL", onPostgres],
  ["MySQL", onMysql],
])("rows found in %s", (_, on) => {
  let made: Awaited<ReturnType<typeof onPostgres | typeof onMysql>>;
  beforeAll(async () => {
    made = await on();
  });
  beforeEach(async () => {
    await made.run("delete from late");
  });

  const aWatch = async (text = found) => {
    const of = await aQuery({ name: "Late", dataSource: made.source, sql: text }, ctx);
    return { ...(await aSubscription({ query: of }, ctx)), query: of };
  };
  const rowsOf = (id: number, executionId: number) => getExecutionRows(ctx, { id, executionId });

  test("are kept masked, and the new and the gone are told since the run before", async () => {
    const { id } = await aWatch();
    await made.run(
      "insert into late values (1, 'ada@example.com', 1.50), (2, 'bob@example.com', 2.50), (3, 'cy@example.com', 3)",
    );
    const first = await executeNow(ctx, id);
    expect(await rowsOf(id, first.id)).toMatchObject({
      executionId: first.id,
      rowCount: 3,
      rows: [
        [1, "•••@•••••••.•••", "1.50"],
        [2, "•••@•••••••.•••", "2.50"],
        [3, "••@•••••••.•••", expect.stringMatching(/^3(\.00)?$/)],
      ],
      maskedColumns: ["email"],
      previous: null,
      comparison: null,
      uncompared: "FirstRun",
    });

    // One row is changed only where it is masked, one is gone, one is new, and one is the same.
    await made.run("update late set email = 'eve@example.com' where id = 1");
    await made.run("delete from late where id = 2");
    await made.run("insert into late values (9, 'zoe@example.com', 9.50)");
    const second = await executeNow(ctx, id);
    expect(await rowsOf(id, second.id)).toMatchObject({
      rowCount: 3,
      rows: [
        [1, "•••@•••••••.•••", "1.50"],
        [3, expect.anything(), expect.anything()],
        [9, "•••@•••••••.•••", "9.50"],
      ],
      previous: { id: first.id, rowCount: 3, queryVersion: 1 },
      comparison: {
        newRows: [0, 2],
        newCount: 2,
        goneRows: [
          [1, "•••@•••••••.•••", "1.50"],
          [2, "•••@•••••••.•••", "2.50"],
        ],
        goneCount: 2,
        comparedRows: null,
      },
      uncompared: null,
    });

    // A run that finds nothing says what is gone; a run that failed is no run before.
    await made.run("delete from late");
    const third = await executeNow(ctx, id);
    await anExecution({ subscriptionId: id, status: "Failed", rowCount: null });
    expect(await rowsOf(id, third.id)).toMatchObject({
      rowCount: 0,
      rows: [],
      columns: [{ name: "id" }, { name: "email" }, { name: "minutes" }],
      maskedColumns: ["email"],
      comparison: {
        newCount: 0,
        goneCount: 3,
        goneRows: [[1], [3], [9]].map(([n]) => [n, expect.anything(), expect.anything()]),
      },
    });
    await made.run("insert into late values (1, null, null)");
    const fourth = await executeNow(ctx, id);
    expect(await rowsOf(id, fourth.id)).toMatchObject({
      previous: { id: third.id, rowCount: 0 },
      comparison: { newRows: [0], newCount: 1, goneRows: [], goneCount: 0 },
    });
  });

  test("of a large result, the first thousand are compared, which is said", async () => {
    const numbers = (from: number, to: number) =>
      `with recursive n as (select ${from} as id union all select id + 1 from n where id < ${to}) select id from n`;
    const { id, query: of } = await aWatch(numbers(1, 1000));
    expect((await executeNow(ctx, id)).rowCount).toBe(1000);
    const runWith = async (from: number, to: number) => {
      const steps = [{ dataSourceId: made.source.id, sql: numbers(from, to) }];
      await updateQuery(ctx, { id: of.id, name: of.name, steps });
      return rowsOf(id, (await executeNow(ctx, id)).id);
    };
    // All of them are compared: 1 to 10 are gone, 1,001 to 1,010 are new.
    expect((await runWith(11, 1010)).comparison).toMatchObject({
      ...{ newRows: [], newCount: 10, goneCount: 10, comparedRows: null },
      goneRows: Array.from({ length: 10 }, (_, n) => [n + 1]),
    });
    // 5 to 1,005 are 1,001 rows, of which 5 to 1,004 are compared: 5 to 10 are new; 1,005 to 1,010 are missed.
    const more = await runWith(5, 1005);
    expect(more.rows).toHaveLength(20);
    expect(more).toMatchObject({ rowCount: 1001, previous: { queryVersion: 2 } });
    expect(more.comparison).toMatchObject({
      ...{ newRows: [0, 1, 2, 3, 4, 5], newCount: 6, goneCount: 6, goneRows: [], comparedRows: 1000 },
    });
  });

  test("with other columns than before are not compared", async () => {
    await made.run("insert into late values (1, null, null)");
    const { id, query: of } = await aWatch();
    await executeNow(ctx, id);
    const steps = [{ dataSourceId: made.source.id, sql: "select id, minutes from late" }];
    await updateQuery(ctx, { id: of.id, name: of.name, steps });
    expect(await rowsOf(id, (await executeNow(ctx, id)).id)).toMatchObject({
      comparison: null,
      uncompared: "ColumnsChanged",
    });
  });
});

describe("kept rows", () => {
  const aWatch = async (text: string, parameters = {}) => {
    const of = await aQuery({ dataSource: await aDataSource(), sql: text }, ctx);
    return aSubscription({ query: of, parameters }, ctx);
  };
  const keptOf = (executionId: number) =>
    db.select().from(executionRows).where(eq(executionRows.executionId, executionId));

  test("are at most twenty, with cut values and without what cannot be stored", async () => {
    const { id } = await aWatch("select n, repeat('x', 9000) as word from generate_series(1, 50) as n");
    const run = await executeNow(ctx, id);
    const { rows, rowCount } = await getExecutionRows(ctx, { id, executionId: run.id });
    expect([rows.length, rowCount]).toEqual([20, 50]);
    expect(rows[0]?.[1]).toBe(`${"x".repeat(499)}…`);
  });

  test("that cannot be stored do not fail the run", async () => {
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$;
      create trigger refuse before insert on execution_rows for each row execute function refuse()`);
    try {
      const { id } = await aWatch("select 1 as n");
      const run = await executeNow(ctx, id);
      expect(run).toMatchObject({ status: "NotificationSent", rowCount: 1, errorMessage: null });
      await expect(getExecutionRows(ctx, { id, executionId: run.id })).rejects.toMatchObject(notFound);
    } finally {
      await sql.unsafe("drop trigger refuse on execution_rows; drop function refuse()");
    }
  });

  test("come with the parameters that the run used, not those of now", async () => {
    const { id } = await aWatch("select {{least}}::int as n", { least: 4 });
    const run = await executeNow(ctx, id);
    await sql`update subscriptions set parameters = '{"least": 7}' where id = ${id}`;
    expect((await getExecution(ctx, run.id)).parameters).toEqual({ least: 4 });
    const failing = await aWatch("select nothing");
    expect((await executeNow(ctx, failing.id)).parameters).toEqual({});
  });

  test("belong to their own subscription, and disappear with it", async () => {
    const { id } = await aWatch("select 1 as n");
    const { id: other } = await aWatch("select 1 as n");
    const run = await executeNow(ctx, id);
    await expect(getExecutionRows(ctx, { id: other, executionId: run.id })).rejects.toMatchObject(notFound);
    const failed = await anExecution({ subscriptionId: id, status: "Failed", rowCount: null });
    await expect(getExecutionRows(ctx, { id, executionId: failed })).rejects.toMatchObject(notFound);
    await archiveSubscription(ctx, id);
    await expect(getExecutionRows(ctx, { id, executionId: run.id })).rejects.toMatchObject(notFound);
  });

  test("are not compared across a change of the encryption key", async () => {
    const { id } = await aWatch("select 1 as n");
    await executeNow(ctx, id);
    await db.transaction(forgetRowHashes);
    const run = await executeNow(ctx, id);
    expect(await getExecutionRows(ctx, { id, executionId: run.id })).toMatchObject({
      ...{ rows: [[1]], comparison: null, uncompared: "RowsNotKept" },
    });
    const next = await executeNow(ctx, id);
    expect((await getExecutionRows(ctx, { id, executionId: next.id })).comparison?.newCount).toBe(0);
  });

  test("are removed after thirty days, and with their execution", async () => {
    const { id } = await aWatch("select 1 as n");
    const [old, recent] = [await executeNow(ctx, id), await executeNow(ctx, id)];
    const age = (executionId: number, days: number) =>
      db
        .update(executionRows)
        .set({ keptAt: query`now() - ${days} * interval '1 day'` })
        .where(eq(executionRows.executionId, executionId));
    await age(old.id, 30.01);
    await age(recent.id, 29.99);
    expect(await removeOldRows()).toBe(1);
    expect(await keptOf(old.id)).toEqual([]);
    // The run before had a row, which is not kept any more: not comparable, rather than all new.
    expect(await getExecutionRows(ctx, { id, executionId: recent.id })).toMatchObject({
      ...{ rows: [[1]], uncompared: "RowsNotKept" },
    });
    for (let n = 0; n < 20; n++) await anExecution({ subscriptionId: id, executedAt: new Date() });
    await sql`update executions set executed_at = now() - interval '500 days' where id = ${recent.id}`;
    expect(await removeOldExecutions(400)).toBe(1);
    expect(await keptOf(recent.id)).toEqual([]);
  });
});
