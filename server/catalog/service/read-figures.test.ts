import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { readFigures } from "./read-figures.ts";

let source: Awaited<ReturnType<typeof aDataSource>>;
let ctx: Awaited<ReturnType<typeof asEditor>>;

beforeAll(async () => {
  await sql.unsafe(`
    create schema figures;
    create table figures.orders (id int primary key, amount numeric, status text, email text);
    insert into figures.orders
      select n, n * 1.5, case when n <= 90 then 'paid' when n <= 99 then 'open' else 'opne' end,
        case when n > 10 then 'a' || n || '@example.com' end
      from generate_series(1, 100) n;
    create table figures.empty (id int, "odd ""name""" text);`);
  ctx = await asEditor();
  source = await aDataSource();
});
afterAll(closeSources);

const read = (tableName: string, by = ctx, schemaName = "figures") =>
  readFigures(by, { id: source.id, schemaName, tableName });

test("a table's figures agree with what SQL says of it", async () => {
  const figures = await read("orders");
  const [counted] = await sql`
    select count(*)::int as rows, count(email)::int as mails, min(amount)::text as least,
      percentile_disc(0.5) within group (order by amount)::text as median, max(amount)::text as greatest
    from figures.orders`;
  expect(figures).toMatchObject({ rowsRead: counted?.rows, totalRows: 100, isWhole: true });
  const [id, amount, status, email] = figures.columns;
  expect(id).toMatchObject({ name: "id", different: 100, mostRows: 1, common: [] });
  expect(amount?.range).toEqual({
    ...{ least: counted?.least, median: counted?.median, greatest: counted?.greatest },
  });
  expect(status?.common).toEqual([
    { value: "paid", rows: 90 },
    { value: "open", rows: 9 },
  ]);
  expect(status?.rare).toEqual([{ value: "opne", rows: 1 }]);
  expect(email).toMatchObject({ nulls: 100 - counted?.mails, isMasked: true, common: [], range: null });
  expect(JSON.stringify(figures)).not.toContain("example.com");
});

test("the same figures are shown for a while, and an empty table has some", async () => {
  const before = await read("orders");
  await sql`insert into figures.orders values (101, 1, 'paid', null)`;
  expect((await read("orders")).readAt).toEqual(before.readAt);
  const { columns, rowsRead } = await read("empty");
  expect(rowsRead).toBe(0);
  expect(columns.map(({ name, different }) => [name, different])).toEqual([
    ["id", 0],
    ['odd "name"', 0],
  ]);
});

test("nobody sees figures of a table that is not there, or in a project that is not theirs", async () => {
  await expect(read("nowhere")).rejects.toMatchObject({ code: "not_found" });
  const elsewhere = await asEditor({ projectIds: [] });
  await expect(read("orders", elsewhere)).rejects.toMatchObject({ code: "not_found" });
});
