import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { compileRule, compileSample } from "../compile.ts";
import { evaluationInWords } from "../in-words.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";
import { listEvaluations } from "../service/history.ts";

/** Rules by group, on a real PostgreSQL and a real MySQL; expected values by hand. */

let ctx: SignedIn;
const sources = { PostgreSql: 0, MySql: 0 };
const kinds = ["PostgreSql", "MySql"] as const;
type Kind = (typeof kinds)[number];

/** 1 to 1,002, in a thousand parts. */
const crowd = Array.from({ length: 1002 }, (_, n) => `(${n + 1}, ${(n + 1) % 1000})`).join(", ");

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  const servers = [
    {
      run: (text: string) => sql.unsafe(text),
      ago: (n: number) => `now() - interval '${n} hours'`,
    },
    {
      run: (text: string) => mysql.query(text),
      ago: (n: number) => `utc_timestamp() - interval ${n} hour`,
    },
  ];
  for (const { run, ago } of servers) {
    await run("create table carriers (id int primary key)");
    await run("insert into carriers values (1), (2)");
    await run(`create table parcels (id int primary key, country varchar(10), city varchar(10), weight int,
      code varchar(10), carrier_id int, email varchar(30), sent_at timestamp null)`);
    // DE has five rows, FR three, and two have no country.
    await run(`insert into parcels values
      (1, 'DE', 'Berlin', 10, 'A1', 1, 'a@example.com', ${ago(1)}),
      (2, 'DE', 'Berlin', 20, 'A2', 1, 'b@example.com', ${ago(2)}),
      (3, 'DE', 'Bonn', 30, 'A3', 2, 'a@example.com', ${ago(3)}),
      (4, 'DE', 'Bonn', 40, 'A4', 2, 'a@example.com', ${ago(4)}),
      (5, 'DE', 'Bonn', -1, 'A5', 1, 'a@example.com', ${ago(5)}),
      (6, 'FR', 'Lyon', -2, 'A1', 9, 'c@example.com', ${ago(30)}),
      (7, 'FR', 'Lyon', null, 'A1', 9, 'c@example.com', ${ago(31)}),
      (8, 'FR', 'Paris', 50, 'bad', 1, 'c@example.com', ${ago(32)}),
      (9, null, 'Roma', null, 'X', 1, 'd@example.com', ${ago(2)}),
      (10, null, null, 60, 'A9', 1, 'd@example.com', null)`);
    await run("create table crowded (id int primary key, part int)");
    await run(`insert into crowded values ${crowd}`);
    await run("create table nobody (id int primary key, country varchar(10), sent_at timestamp null)");
  }
});
afterAll(closeSources);

type RuleInput = ContractInput["rules"][number];
const input = (dataSourceId: number, rules: RuleInput[], more: Partial<ContractInput> = {}) => ({
  ...{ name: "Parcels", dataSourceId, tableName: "parcels", cronExpression: "0 6 * * *" },
  ...{ samples: "Full" as const, rules, ...more },
});

async function evaluated(kind: Kind, rules: RuleInput[], more: Partial<ContractInput> = {}) {
  const contract = await aContract(input(sources[kind], rules, more), ctx);
  return evaluateContract(ctx, contract.id);
}

type Result = Awaited<ReturnType<typeof evaluated>>["ruleResults"][number] | undefined;
const worst = (result: Result) =>
  result?.groups?.worst.map(({ values, rows, failing, actualValue }) => [
    ...values,
    rows,
    failing,
    actualValue,
  ]);
const by = { groupBy: ["country"] };

test.each(kinds)(
  "on %s, each group is judged on its own, and the score is that of all rows",
  async (kind) => {
    const { ruleResults } = await evaluated(kind, [
      aRule("NullRate", { column: "weight", maxNullPercent: 20, ...by }),
      aRule("Range", { column: "weight", min: "0", ...by }),
      aRule("Pattern", { column: "code", pattern: "^A[0-9]$", ...by }),
      aRule("Referential", {
        ...{ column: "carrier_id", referenceTable: "carriers", referenceColumn: "id" },
        ...by,
      }),
      aRule("AllowedValues", { column: "code", values: ["A1", "A2", "A3", "A4", "A5"], ...by }),
      aRule("RowCondition", { condition: "weight > 0 -- positive", whenUnknown: "Fail", ...by }),
      aRule("Uniqueness", { column: "code", ...by }),
      aRule("UniqueCombination", { columns: ["code", "carrier_id"], ...by }),
    ]);
    const [nulls, range, pattern, referential, allowed, condition, unique, combination] = ruleResults;
    // 2 of 10 are NULL, which is within 20 % of all rows, but not of FR's and of those without a country.
    expect(nulls).toMatchObject({
      ...{ passed: false, couldRun: true, score: 100, failing: 2, message: null },
      expectedValue: "at most 20% NULL, by country",
      actualValue: "2 of 3 groups fail; in all, 20% (2 of 10 rows)",
      groups: { total: 3, failing: 2, columns: [{ name: "country" }], maskedColumns: [] },
    });
    expect(worst(nulls)).toEqual([
      ["FR", 3, 1, "33.3333% (1 of 3 rows)"],
      [null, 2, 1, "50% (1 of 2 rows)"],
    ]);
    expect(range).toMatchObject({
      ...{ passed: false, score: 80, failing: 2 },
      actualValue: "2 of 3 groups fail; in all, 2 of 10 rows out of range",
    });
    expect(worst(range)).toEqual([
      ["DE", 5, 1, "1 of 5 rows out of range"],
      ["FR", 3, 1, "1 of 3 rows out of range"],
    ]);
    expect(pattern).toMatchObject({ passed: false, score: 0, failing: 2 });
    expect(worst(pattern)).toEqual([
      ["FR", 3, 1, "1 row without a match"],
      [null, 2, 1, "1 row without a match"],
    ]);
    expect(referential?.actualValue).toBe("1 of 3 groups fails; in all, 2 rows without a match");
    expect(worst(referential)).toEqual([["FR", 3, 2, "2 rows without a match"]]);
    expect(worst(allowed)).toEqual([
      [null, 2, 2, "2 other values in 2 rows"],
      ["FR", 3, 1, "1 other value in 1 row"],
    ]);
    // 5, 6, 7, and 9 fail.
    expect(condition).toMatchObject({ passed: false, score: 60, failing: 4 });
    expect(worst(condition)).toEqual([
      ["FR", 3, 2, "2 of 3 rows fail"],
      ["DE", 5, 1, "1 of 5 rows fail"],
      [null, 2, 1, "1 of 2 rows fail"],
    ]);
    // A1 is twice in FR, and once in DE.
    expect(unique).toMatchObject({ passed: false, score: 0, failing: 1 });
    expect(unique?.actualValue).toBe("1 of 3 groups fails; in all, 1 duplicated value in 2 rows");
    expect(worst(unique)).toEqual([["FR", 3, 2, "1 duplicated value in 2 rows"]]);
    expect(worst(combination)).toEqual([["FR", 3, 2, "1 duplicated combination in 2 rows"]]);
  },
);

test.each(kinds)("on %s, Volume and Freshness are of each group", async (kind) => {
  const { ruleResults } = await evaluated(kind, [
    aRule("Volume", { minRows: 3, maxRows: 4, ...by }),
    aRule("Volume", { minRows: 2, maxRows: 5, ...by }),
    aRule("Freshness", { column: "sent_at", maxAgeMinutes: 1440, ...by }),
    aRule("Freshness", { column: "sent_at", maxAgeMinutes: 2880, ...by }),
    aRule("Freshness", { column: "sent_at", maxAgeMinutes: 240, groupBy: ["country", "city"] }),
  ]);
  const [narrow, wide, day, twoDays, city] = ruleResults;
  expect(narrow).toMatchObject({ passed: false, score: 0, failing: null });
  expect(narrow?.actualValue).toBe("2 of 3 groups fail; in all, 10 rows");
  expect(worst(narrow)).toEqual([
    ["DE", 5, null, "5 rows"],
    [null, 2, null, "2 rows"],
  ]);
  expect(wide).toMatchObject({ passed: true, score: 100, expectedValue: "2 to 5 rows, by country" });
  expect(wide?.actualValue).toBe("0 of 3 groups fail; in all, 10 rows");
  expect(day).toMatchObject({ passed: false, score: 0, message: null });
  expect(day?.actualValue).toMatch(/^1 of 3 groups fails; the oldest: 1,80\d(\.\d+)? min old$/);
  expect(worst(day)).toEqual([["FR", 3, null, expect.stringMatching(/^1,80\d(\.\d+)? min old$/)]]);
  expect(twoDays).toMatchObject({ passed: true, score: 100 });
  // The only parcel without a city has no time either. Bonn's newest is of three hours ago.
  expect(city?.expectedValue).toBe("at most 240 min old, by country and city");
  expect(worst(city)?.map((row) => row.slice(0, 3))).toEqual([
    [null, null, 1],
    ["FR", "Paris", 1],
    ["FR", "Lyon", 2],
  ]);
  expect(worst(city)?.[0]?.at(-1)).toBe("no value");
});

test.each(kinds)("on %s, what may fail is judged in each group, and only rows of the scope", async (kind) => {
  const positive = { column: "weight", min: "0" };
  const unique = { column: "code", where: "id in (3, 6, 8)", ...by };
  const { ruleResults } = await evaluated(kind, [
    // 1 of 5 in DE, 1 of 3 in FR.
    aRule("Range", { ...positive, ...by, maxFailingRows: 1 }),
    aRule("Range", { ...positive, ...by, maxFailingPercent: 20 }),
    aRule("Range", { ...positive, ...by, where: "id <> 6" }),
    // A1 of FR is also in row 7, which a condition cannot hide unless told to.
    aRule("Uniqueness", unique),
    aRule("Uniqueness", { ...unique, duplicatesAmong: "Rows" }),
    aRule("Volume", { minRows: 3, lastHours: 24, timeColumn: "sent_at", ...by }),
  ]);
  const [rows, percent, scoped, table, among, volume] = ruleResults;
  expect(rows).toMatchObject({ passed: true, score: 100, failing: 2, groups: { total: 3, failing: 0 } });
  expect(rows?.expectedValue).toBe("at least 0, by country, up to 1 row may fail in each group");
  expect(percent).toMatchObject({ passed: false, score: 80 });
  expect(percent?.expectedValue).toBe("at least 0, by country, up to 20% of the rows may fail in each group");
  expect(worst(percent)).toEqual([["FR", 3, 1, "1 of 3 rows out of range"]]);
  // 1 of 9 is 11.11 %.
  expect(scoped).toMatchObject({ passed: false, score: 88.89 });
  expect(scoped?.expectedValue).toBe("at least 0, where id <> 6, by country");
  expect(worst(scoped)).toEqual([["DE", 5, 1, "1 of 5 rows out of range"]]);
  expect(worst(table)).toEqual([["FR", 2, 2, "1 duplicated value in 2 rows"]]);
  expect(table?.groups?.total).toBe(2);
  expect(among).toMatchObject({ passed: true, groups: { total: 2, failing: 0, worst: [] } });
  // FR sent nothing, so it is no group; one without a country was sent.
  expect(volume?.expectedValue).toBe("at least 3 rows, in the last 24 hours by sent_at, by country");
  expect(volume?.groups?.total).toBe(2);
  expect(worst(volume)).toEqual([[null, 1, null, "1 row"]]);
});

test.each(kinds)("on %s, duplicates are shown with their group", async (kind) => {
  const evaluation = await evaluated(kind, [
    aRule("Uniqueness", { column: "code", ...by }),
    aRule("UniqueCombination", { columns: ["code", "carrier_id"], ...by }),
    aRule("Range", { column: "weight", min: "0", ...by }),
  ]);
  await collectDueSamples();
  const samples = await Promise.all(
    evaluation.ruleResults.map(({ ruleId }) => getSamples(ctx, { id: evaluation.id, ruleId })),
  );
  expect(samples[0]?.columns.map(({ name }) => name)).toEqual(["code", "country", "occurrences"]);
  expect(samples[0]?.rows.map((row) => row.map(String))).toEqual([["A1", "FR", "2"]]);
  expect(samples[1]?.rows.map((row) => row.map(String))).toEqual([["FR", "A1", "9", "2"]]);
  expect(samples[2]?.rows).toHaveLength(2);
});

test.each(kinds)("on %s, up to a thousand groups are judged, and no more", async (kind) => {
  const { ruleResults } = await evaluated(
    kind,
    [
      aRule("Volume", { maxRows: 1, groupBy: ["part"] }),
      aRule("Volume", { maxRows: 1, groupBy: ["id"] }),
      aRule("Uniqueness", { column: "part", groupBy: ["id"] }),
      aRule("Volume", { maxRows: 1, groupBy: ["gone"] }),
    ],
    { tableName: "crowded" },
  );
  // 1001 and 1002 are in the parts of 1 and 2.
  expect(ruleResults[0]).toMatchObject({ passed: false, groups: { total: 1000, failing: 2 } });
  expect(worst(ruleResults[0])?.map(([part]) => part)).toEqual([1, 2]);
  for (const result of ruleResults.slice(1, 3))
    expect(result).toMatchObject({
      ...{ couldRun: false, score: 0, groups: null },
      message: "Execution failed: there are more than 1,000 groups by id",
    });
  expect(ruleResults[3]).toMatchObject({ couldRun: false, groups: null });
  expect(ruleResults[3]?.message).toMatch(/^Execution failed: .*gone/);
});

test.each(kinds)("on %s, a table without rows is judged as without groups", async (kind) => {
  const { ruleResults } = await evaluated(
    kind,
    [
      aRule("Volume", { minRows: 1, ...by }),
      aRule("Freshness", { column: "sent_at", maxAgeMinutes: 60, ...by }),
      aRule("NullRate", { column: "sent_at", maxNullPercent: 0, ...by }),
      aRule("Uniqueness", { column: "id", ...by }),
    ],
    { tableName: "nobody" },
  );
  expect(ruleResults.map(({ passed, actualValue, groups }) => [passed, actualValue, groups])).toEqual([
    [false, "0 rows", null],
    [false, "no value", null],
    [true, "0% (0 of 0 rows)", null],
    [true, "no duplicates", null],
  ]);
});

test("values of groups are kept as failing rows are, and few of them in lists", async () => {
  const rule = aRule("Volume", { maxRows: 0, groupBy: ["email"] });
  const masked = await evaluated("PostgreSql", [rule], { samples: "Masked" });
  expect(masked.ruleResults[0]?.groups).toMatchObject({ total: 4, failing: 4, maskedColumns: ["email"] });
  expect(worst(masked.ruleResults[0])?.[0]).toEqual(["•@•••••••.•••", 4, null, "4 rows"]);
  const off = await evaluated("PostgreSql", [rule], { samples: "Off" });
  expect(off.ruleResults[0]?.groups).toMatchObject({ total: 4, failing: 4, worst: [] });
  const full = await evaluated("PostgreSql", [aRule("Volume", { maxRows: 0, groupBy: ["id"] })]);
  expect(worst(full.ruleResults[0])).toHaveLength(10);
  const [listed] = (await listEvaluations(ctx, full.contractId, 1)).items;
  expect(listed?.ruleResults[0]?.groups).toMatchObject({ total: 10, failing: 10 });
  expect(worst(listed?.ruleResults[0])).toEqual(worst(full.ruleResults[0])?.slice(0, 5));
  expect(evaluationInWords({ ...full, evaluatedAt: null })).toContain(
    "; worst: id 1 (1 row); id 2 (1 row); id 3 (1 row)",
  );
});

test("a group is by one to three different columns, for types about rows", () => {
  const problems = (type: RuleInput["type"], configuration: Record<string, unknown>) =>
    createContractInput
      .safeParse(input(1, [aRule(type, configuration)]))
      .error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
  const volume = (groupBy: unknown) => problems("Volume", { minRows: 1, groupBy });
  expect(volume(["a", "b", "c"])).toBeUndefined();
  expect(volume([])).toEqual(["configuration.groupBy needs at least one column"]);
  expect(volume(["a", "b", "c", "d"])).toEqual([
    "configuration.groupBy must not name more than three columns",
  ]);
  expect(volume(["a", "a"])).toEqual(["configuration.groupBy must not name a column twice"]);
  expect(volume("a")).toHaveLength(1);
  expect(problems("CustomSql", { sql: "select 1", groupBy: ["a"] })).toEqual([
    "configuration.groupBy is not a known property",
  ]);
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "sales" };
  const written = (type: RuleInput["type"], configuration: Record<string, unknown>) => {
    const rule = { type, configuration: { ...configuration, groupBy: ["country", "odd]city"] } };
    const { statement, sharesScan } = compileRule(rule, target, sqlserver);
    expect(sharesScan).toBeNull();
    const sample = compileSample(rule, target, sqlserver, { maxRows: 20 });
    for (const each of [statement.sql, statement.sqlAcrossCollations, sample?.sql])
      if (each) expect(() => requireReadOnly(each)).not.toThrow();
    return { ...statement, sql: statement.sql.replace(/\s+/g, " ") };
  };
  expect(written("Volume", { minRows: 1 }).sql).toBe(
    "select top (1001) checked.[country] as [group_1], checked.[odd]]city] as [group_2], " +
      "count_big(*) as [total], count_big(*) as [allRows] " +
      "from [dbo].[sales] as checked group by checked.[country], checked.[odd]]city]",
  );
  const selected = "checked.[country] as [group_1], checked.[odd]]city] as [group_2]";
  const values = "checked.[country], checked.[odd]]city]";
  const names = "[group_1], [group_2]";
  expect(written("Uniqueness", { column: "code" }).sql).toBe(
    `select top (1001) ${names}, sum(part.[duplicatedValues]) as [duplicatedValues], ` +
      "sum(part.[duplicatedRows]) as [duplicatedRows], sum(part.[allRows]) as [allRows] " +
      `from (select ${selected}, 0 as [duplicatedValues], 0 as [duplicatedRows], count_big(*) as [allRows] ` +
      `from [dbo].[sales] as checked group by ${values} union all ` +
      `select ${names}, [duplicatedValues], [duplicatedRows], 0 as [allRows] from ` +
      `(select ${names}, count_big(*) as [duplicatedValues], sum(duplicated.n) as [duplicatedRows] from ` +
      `(select ${selected}, count_big(*) as n from [dbo].[sales] as checked where checked.[code] is not null ` +
      `group by ${values}, checked.[code] having count_big(*) > 1) as duplicated group by ${names} ) as failures) as part ` +
      `group by ${names}`,
  );
  const like = written("Pattern", { column: "c", pattern: "A%" });
  expect(like.parameters).toEqual(["[dbo].[sales]", "c", "A%"]);
  expect(like.sql.match(/@p\d/g)).toEqual(["@p1", "@p2", "@p3"]);
  const reference = { column: "c", referenceTable: "t", referenceColumn: "id" };
  expect(written("Referential", reference).sqlAcrossCollations).toContain("collate database_default");
  for (const [type, configuration] of [
    ["NullRate", { column: "c", maxNullPercent: 1 }],
    ["Range", { column: "c", min: "1" }],
    ["Freshness", { column: "c", maxAgeMinutes: 1 }],
    ["UniqueCombination", { columns: ["c", "d"] }],
    ["AllowedValues", { column: "c", values: ["a"] }],
  ] as const)
    expect(written(type, configuration).ownSql, type).toBe(true);
  expect(written("RowCondition", { condition: "c > 1" }).ownSql).toBe(false);
  expect(written("Range", { column: "c", min: "1", where: "d > 1" }).ownSql).toBe(false);
});
