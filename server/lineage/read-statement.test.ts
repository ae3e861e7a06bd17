import { describe, expect, test } from "vitest";
import { readStatement } from "./read-statement.ts";
import { readApart } from "./service/read-apart.ts";
import type { StatementToRead } from "./statement.ts";

const tables = [
  { schemaName: "public", tableName: "orders", isDefault: true, columns: ["id", "total", "customer_id"] },
  { schemaName: "crm", tableName: "customers", isDefault: false, columns: ["id", "country"] },
];
const read = (sql: string, dialect: StatementToRead["dialect"] = "postgresql") => {
  const outcome = readStatement({ sql, dialect, tables });
  if ("problem" in outcome) return outcome.problem;
  const { read } = outcome;
  const nameOf = (place: number | null) => (place === null ? "?" : (read.tables[place]?.table ?? "?"));
  return {
    tables: read.tables.map(({ table }) => table),
    outputs: read.outputs.map(
      ({ name, from }) =>
        `${name}: ${from.map(({ table, column }) => `${nameOf(table)}.${column}`).join(" ")}`,
    ),
    uses: read.uses.map(({ table, column }) => `${nameOf(table)}.${column}`),
  };
};

describe("a query", () => {
  test("reads tables, and its columns are made from theirs", () => {
    expect(
      read(
        "with recent as (select * from orders) select c.country, sum(r.total) as revenue from recent r join crm.customers c on c.id = r.customer_id where r.total > 0 group by c.country",
      ),
    ).toEqual({
      tables: ["customers", "orders"],
      outputs: ["country: customers.country", "revenue: orders.total"],
      uses: ["customers.id", "orders.customer_id", "orders.total", "customers.country"],
    });
  });

  test.each([
    ["mysql", "select `o`.`total` as `t` from `public`.`orders` `o`"],
    ["sqlserver", "select top (5) [o].[total] as t from [public].[orders] as o with (nolock)"],
    [
      "trino",
      'select "o"."total" as t from lake.public.orders as o tablesample bernoulli (10) where o.id is not null',
    ],
    ["clickhouse", "select total as t from public.orders final prewhere id > 1 limit 1 by id"],
  ] as const)("is read as %s writes it", (dialect, sql) => {
    expect(read(sql, dialect)).toMatchObject({ tables: ["orders"], outputs: ["t: orders.total"] });
  });

  test("that cannot be read says so, and where", () => {
    expect(read("select from where")).toMatch(/^Its SQL could not be read/);
    expect(read("insert into orders select 1")).toBe("It is not a query");
    expect(read(`select ${"(".repeat(5_000)}1${")".repeat(5_000)}`)).toBe(
      "It is nested too deeply to be read",
    );
  });
});

test("a statement that keeps the parser busy is given up, and those after it are read", async () => {
  // Each expression reads the one before it twice: two to the power of forty.
  const doubled = Array.from({ length: 40 }, (_, n) => {
    const before = n === 0 ? "orders" : `c${n - 1}`;
    return `c${n} as (select a.* from ${before} a join ${before} b using (id))`;
  }).join(", ");
  const outcomes = await readApart(
    [`with ${doubled} select * from c39`, "select total from orders"].map((sql) => ({
      ...{ sql, dialect: "postgresql" as const, tables },
    })),
    { statementMs: 1_500 },
  );
  expect(outcomes[0]).toEqual({ problem: "It takes too long to be read" });
  expect(outcomes[1]).toMatchObject({ read: { tables: [{ table: "orders" }] } });
});
