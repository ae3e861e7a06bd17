import { describe, expect, test } from "vitest";
import { clickhouse } from "../data-sources/dialects/clickhouse.ts";
import { mysql } from "../data-sources/dialects/mysql.ts";
import { postgresql } from "../data-sources/dialects/postgresql.ts";
import { sqlserver } from "../data-sources/dialects/sqlserver.ts";
import { namesAfterFrom, readableSql } from "./readable-sql.ts";

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

describe("what a parser is given", () => {
  test("has no parentheses around joins, as servers write them", () => {
    const sql =
      "select o.id from ((shop.orders o left join (a join b on ((a.x = b.x))) on (true)) join c on ((c.id = o.id))) where (o.id > 0)";
    expect(plain(readableSql(sql, postgresql))).toBe(
      "select o.id from shop.orders o left join a join b on ((a.x = b.x)) on (true) join c on ((c.id = o.id)) where (o.id > 0)",
    );
  });

  test("keeps those around subqueries, functions, and values", () => {
    const sql =
      "select extract(year from (o.d)), '((a join b))' from (select 1 from a join b on true) x where y in (select 2)";
    expect(readableSql(sql, postgresql)).toBe(sql);
  });

  test("has numbers for placeholders, and no semicolon at its end", () => {
    expect(readableSql("select '{{no}}' from t where a = {{ a }} -- {{no}}\n;", postgresql)).toBe(
      "select '{{no}}' from t where a = 1",
    );
  });

  test("is the query of a view alone", () => {
    expect(readableSql("CREATE VIEW [dbo].[as] ([a]) AS SELECT 1 AS a", sqlserver)).toBe("SELECT 1 AS a");
    expect(readableSql("create view v as with x as (select 1) select * from x", clickhouse)).toBe(
      "with x as (select 1) select * from x",
    );
  });

  test("takes linear time, however deep it is nested", () => {
    const deep = `select ${"(".repeat(50_000)}1${")".repeat(50_000)} from ${"(".repeat(50_000)}t`;
    const began = performance.now();
    readableSql(deep, postgresql);
    namesAfterFrom(deep, postgresql);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

test("names after FROM and JOIN are found, quoted or not, and functions are none", () => {
  expect(
    namesAfterFrom(
      'select "from", x from (("S"."Orders" o join only b on x) join lateral f(1) g)',
      postgresql,
    ),
  ).toEqual([["s", "orders"], ["b"]]);
  expect(namesAfterFrom("select 1 from `a`.`b` straight_join c", mysql)).toEqual([["a", "b"], ["c"]]);
});
