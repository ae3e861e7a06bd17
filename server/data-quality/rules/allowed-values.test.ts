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
import { createContractInput } from "../schema.ts";
import { collectDueSamples } from "../service/collect-samples.ts";
import { evaluateContract } from "../service/evaluate.ts";
import { getSamples } from "../service/get-samples.ts";

/** Lists of allowed values, on a real PostgreSQL and a real MySQL. */

let ctx: SignedIn;
const sources = { PostgreSql: 0, MySql: 0 };
const kinds = ["PostgreSql", "MySql"] as const;

// Nine parcels: five sent, one each of SENT, "sent " with a blank, sènt, and one without a state.
const states = "('sent'), ('sent'), ('sent'), ('sent'), ('sent'), ('SENT'), ('sent '), ('sènt'), (null)";

beforeAll(async () => {
  ctx = await asAdmin();
  sources.PostgreSql = (await aDataSource()).id;
  sources.MySql = (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id;
  for (const run of [(text: string) => sql.unsafe(text), (text: string) => mysql.query(text)]) {
    await run("create table parcels (state varchar(10), code char(4), weight numeric(6, 2))");
    await run(`insert into parcels (state) values ${states}`);
    await run("update parcels set code = 'A', weight = 1.5 where state = 'sent'");
    await run("create table known_states (label varchar(10))");
    await run("insert into known_states values ('sent'), ('SENT'), (null)");
  }
});
afterAll(closeSources);

const input = (dataSourceId: number, configuration: Record<string, unknown>) => ({
  ...{ name: "Parcels", dataSourceId, tableName: "parcels", cronExpression: "0 6 * * *" },
  samples: "Full" as const,
  rules: [aRule("AllowedValues", configuration)],
});

async function evaluated(kind: (typeof kinds)[number], configuration: Record<string, unknown>) {
  const contract = await aContract(input(sources[kind], configuration), ctx);
  const evaluation = await evaluateContract(ctx, contract.id);
  const [result] = evaluation.ruleResults;
  return { evaluation, result };
}

test.each(kinds)(
  "on %s, case, accents, and blanks count, and each value is shown with its rows",
  async (kind) => {
    const { evaluation, result } = await evaluated(kind, { column: "state", values: ["sent", "lost"] });
    expect(result).toMatchObject({
      ...{ ruleType: "AllowedValues", passed: false, couldRun: true, score: 0, message: null },
      expectedValue: "one of sent, lost",
      actualValue: "3 other values in 3 rows",
    });
    await collectDueSamples();
    const samples = await getSamples(ctx, { id: evaluation.id, ruleId: result?.ruleId ?? 0 });
    expect(samples.columns.map(({ name }) => name)).toEqual(["state", "occurrences"]);
    expect(samples.rows.map((row) => row.map(String)).sort()).toEqual([
      ["SENT", "1"],
      ["sent ", "1"],
      ["sènt", "1"],
    ]);
    expect(samples.totalFailing).toBe(3);
  },
);

test.each(kinds)(
  "on %s, it passes where all values are listed, without those that are missing",
  async (kind) => {
    const { result } = await evaluated(kind, { column: "state", values: ["sent", "SENT", "sent ", "sènt"] });
    expect(result).toMatchObject({ passed: true, score: 100, actualValue: "every value is allowed" });
    // Padding is no part of a char(4), and a number is compared as it is written.
    expect((await evaluated(kind, { column: "code", values: ["A"] })).result).toMatchObject({ passed: true });
    expect((await evaluated(kind, { column: "weight", values: ["1.50"] })).result).toMatchObject({
      passed: true,
    });
  },
);

test.each(kinds)("on %s, the values may be those of another table, compared as exactly", async (kind) => {
  const configuration = { column: "state", referenceTable: "known_states", referenceColumn: "label" };
  const { result } = await evaluated(kind, configuration);
  expect(result).toMatchObject({
    ...{ passed: false, expectedValue: "a value of known_states.label" },
    actualValue: "2 other values in 2 rows",
  });
});

test("it has a list or a reference, and not both", () => {
  const problems = (configuration: object) =>
    createContractInput
      .safeParse(input(1, { column: "state", ...configuration }))
      .error?.issues.map(({ path, message }) => `${path.slice(2).join(".")} ${message}`);
  const reference = { referenceTable: "t", referenceColumn: "c" };
  expect(problems({ values: ["a"] })).toBeUndefined();
  expect(problems(reference)).toBeUndefined();
  expect(problems({})).toEqual(["configuration.values is required, or a column that has the values"]);
  expect(problems({ values: [] })).toEqual(["configuration.values needs at least one value"]);
  expect(problems({ values: ["a", "a"] })).toEqual(["configuration.values must not contain a value twice"]);
  expect(problems({ values: ["a"], ...reference })).toEqual([
    "configuration.referenceTable must be empty if values are listed",
  ]);
  expect(problems({ referenceTable: "t" })).toEqual([
    "configuration.referenceColumn is required with a reference table, and only with one",
  ]);
  const thousand = Array.from({ length: 1001 }, (_, index) => `${index}`);
  expect(problems({ values: thousand })).toHaveLength(1);
  expect(problems({ values: thousand.slice(1) })).toBeUndefined();
});

test.each(kinds)("on %s, a thousand values fit into one statement", async (kind) => {
  const values = Array.from({ length: 999 }, (_, index) => `state ${index}`);
  const { result } = await evaluated(kind, { column: "state", values: [...values, "sent"] });
  expect(result).toMatchObject({ couldRun: true, passed: false, actualValue: "3 other values in 3 rows" });
});

/** SQL Server is not available in every run, so its text is compared. */
test("on SQL Server it is written in T-SQL", () => {
  const target = { schemaName: "dbo", tableName: "parcels" };
  const rule = { type: "AllowedValues", configuration: { column: "state", values: ["a", "b"] } } as const;
  const measured = compileRule(rule, target, sqlserver).statement;
  const sampled = compileSample(rule, target, sqlserver, { maxRows: 20 });
  for (const statement of [measured, sampled]) {
    expect(() => requireReadOnly(statement?.sql ?? "")).not.toThrow();
    expect(statement?.parameters.slice(-2)).toEqual(["a", "b"]);
  }
  expect(measured.sql.replace(/\s+/g, " ")).toContain("group by found.exact) as other");
  expect(sampled?.sql.replace(/\s+/g, " ")).toMatch(
    /^select top \(20\) min\(found\.shown\) as \[state\], count_big\(\*\) as \[occurrences\] /,
  );
});
