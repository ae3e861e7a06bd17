import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";

/** Tables of a real PostgreSQL and a real MySQL, held against each other in every combination. */

type Kind = "PostgreSql" | "MySql";
const kinds = ["PostgreSql", "MySql"] as const;
const combinations = kinds.flatMap((here) => kinds.map((there) => [here, there] as const));
const run = {
  PostgreSql: (text: string) => sql.unsafe(text),
  MySql: (text: string) => mysql.query(text),
};

let ctx: SignedIn;
let projectId: number;
const sources = { PostgreSql: 0, MySql: 0 };

beforeAll(async () => {
  ctx = await asAdmin();
  const own = await aDataSource({ name: "Shop" });
  projectId = own.projectId;
  sources.PostgreSql = own.id;
  sources.MySql = (
    await aDataSource({ name: "Warehouse", kind: "MySql", connection: mysqlConnection, projectId })
  ).id;
});
afterAll(closeSources);

/** The result of comparing a table with another one, and its sample. */
async function compared(
  [here, there]: readonly [Kind, Kind],
  tableName: string,
  configuration: Record<string, unknown>,
) {
  const contract = await aContract(
    {
      ...{ dataSourceId: sources[here], tableName, samples: "Full" },
      rules: [
        aRule("Compare", {
          ...(here !== there && { otherDataSourceId: sources[there] }),
          ...configuration,
        }),
      ],
    },
    ctx,
  );
  const evaluation = await evaluateContract(ctx, contract.id);
  const [result] = evaluation.ruleResults;
  await collectDueSamples();
  const sample = await getSamples(ctx, { id: evaluation.id, ruleId: result?.ruleId ?? 0 }).catch(() => null);
  return { result, sample };
}

/** Orders 1 to 3000 in `orders` on both; in `copy` five are missing, two more, and three different. */
const orders = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)`;
const filled = (name: string, types: { number: string; time: string }) => `
  create table ${name} (id ${types.number} primary key, amount decimal(12,2) not null, customer varchar(40), placed_at ${types.time})`;
beforeAll(async () => {
  await mysql.query("set session cte_max_recursion_depth = 5000").catch(() => {});
  await mysql.query("set session max_recursive_iterations = 5000").catch(() => {});
  for (const kind of kinds) {
    const isMySql = kind === "MySql";
    const types = isMySql
      ? { number: "int", time: "datetime(6)" }
      : { number: "bigint", time: "timestamptz" };
    const time = isMySql
      ? "date_add('2026-01-01 00:00:00', interval i minute)"
      : "timestamptz '2026-01-01 00:00:00+00' + i * interval '1 minute'";
    for (const name of ["orders", "copied"]) {
      await run[kind](filled(name, types));
      const into = `insert into ${name} (id, amount, customer, placed_at)`;
      const select = `select i, i * 1.25, case when i % 7 = 0 then null when i % 11 = 0 then '' else concat('c', i % 97) end, ${time} from n`;
      await run[kind](isMySql ? `${into} ${orders} ${select}` : `${orders} ${into} ${select}`);
    }
    await run[kind]("delete from copied where id in (5, 700, 701, 1999, 3000)");
    await run[kind]("insert into copied values (3001, 1, 'new', null), (4000, 2, 'new', null)");
    await run[kind]("update copied set amount = 0.01 where id = 10");
    await run[kind]("update copied set customer = '' where id = 7");
    await run[kind]("update copied set customer = upper(customer) where id = 1500");
  }
});

test.each(combinations)("%s and %s: equal tables", async (...pair) => {
  const { result } = await compared(pair, "orders", { otherTable: "orders", key: ["id"] });
  expect(result).toMatchObject({
    passed: true,
    score: 100,
    failing: 0,
    actualValue: "3,000 rows, all the same",
    message: null,
  });
});

test.each(combinations)("%s and %s: every row that differs is counted and shown", async (...pair) => {
  const { result, sample } = await compared(pair, "orders", { otherTable: "copied", key: ["id"] });
  expect(result).toMatchObject({
    ...{ passed: false, couldRun: true, score: 0, failing: 10, message: null },
    actualValue: "10 rows of 3,000 here and 2,997 there differ: 5 only here, 2 only there, 3 different",
  });
  const column = (name: string) => sample?.columns.findIndex((each) => each.name === name) ?? -1;
  const rows = (sample?.rows ?? []).map((row) =>
    ["id", "difference", "amount", "amount (other table)", "customer", "customer (other table)"].map(
      (name) => row[column(name)] ?? null,
    ),
  );
  const byId = Object.fromEntries(rows.map(([id, ...others]) => [String(id), others]));
  expect(Object.keys(byId).map(Number)).toEqual([5, 7, 10, 700, 701, 1500, 1999, 3000, 3001, 4000]);
  expect(byId).toMatchObject({
    7: ["different", "8.75", "8.75", null, ""],
    10: ["different", "12.50", "0.01", "c10", "c10"],
    1500: ["different", "1875.00", "1875.00", "c45", "C45"],
    5: ["only here", "6.25", null, "c5", null],
    4000: ["only there", null, "2.00", null, "new"],
  });
  expect(sample?.columns.map(({ name }) => name)).not.toContain("placed_at");
});
