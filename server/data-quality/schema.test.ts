import { describe, expect, test } from "vitest";
import { fieldErrors } from "../trpc.ts";
import { type ContractInput, createContractInput } from "./schema.ts";

type RuleInput = ContractInput["rules"][number];

const contract = (more: Record<string, unknown> = {}) => ({
  name: "Orders",
  dataSourceId: 1,
  schemaName: "public",
  tableName: "orders",
  cronExpression: "0 6 * * *",
  rules: [{ name: "Rows", type: "Volume", configuration: { minRows: 1 } }],
  ...more,
});

const withRule = (type: string, configuration: unknown, more: Record<string, unknown> = {}) =>
  contract({ rules: [{ name: "Rule", type, configuration, ...more }] });

/** The invalid paths, in order. */
function wrongPaths(input: unknown): string[] {
  const parsed = createContractInput.safeParse(input);
  return parsed.success ? [] : fieldErrors(parsed.error).map(({ path }) => path);
}

function readRule(rule: RuleInput, more: Record<string, unknown> = {}) {
  const parsed = createContractInput.parse(contract({ rules: [rule], ...more }));
  const [read] = parsed.rules;
  if (!read) throw new Error("The rule is gone");
  return read;
}

describe("a contract is rejected, with the path of the problem:", () => {
  const inRule = "rules.0.configuration";
  test.each<[string, unknown, string[]]>([
    ["nothing", contract(), []],
    ["no rules", contract({ rules: [] }), ["rules"]],
    ["no name", contract({ name: "  " }), ["name"]],
    ["NUL in the name", contract({ name: "a\u0000b" }), ["name"]],
    ["a lone surrogate", contract({ tableName: "a\ud800" }), ["tableName"]],
    ["threshold below", contract({ failureThreshold: -1 }), ["failureThreshold"]],
    ["threshold above", contract({ failureThreshold: 100.01 }), ["failureThreshold"]],
    ["threshold as text", contract({ failureThreshold: "1e1" }), ["failureThreshold"]],
    ["six cron fields", contract({ cronExpression: "0 0 6 * * *" }), ["cronExpression"]],
    ["a date that never comes", contract({ cronExpression: "0 0 30 2 *" }), ["cronExpression"]],
    ["unknown zone", contract({ timezone: "Mars/Olympus" }), ["timezone"]],
    ["an unknown property", contract({ recipients: [] }), ["recipients"]],
    ["a score", contract({ latestScore: 100 }), ["latestScore"]],
    ["__proto__", JSON.parse(`${JSON.stringify(contract()).slice(0, -1)},"__proto__":{}}`), ["__proto__"]],
    ["weight 0.09", withRule("Uniqueness", { column: "a" }, { weight: 0.09 }), ["rules.0.weight"]],
    ["weight 10.01", withRule("Uniqueness", { column: "a" }, { weight: 10.01 }), ["rules.0.weight"]],
    ["weight as text", withRule("Uniqueness", { column: "a" }, { weight: "1e1" }), ["rules.0.weight"]],
    ["unknown severity", withRule("Uniqueness", { column: "a" }, { severity: "Huge" }), ["rules.0.severity"]],
    ["unknown type", withRule("Null rate", { column: "a" }), ["rules.0.type"]],
    ["an id in a rule", withRule("Uniqueness", { column: "a" }, { id: 1 }), ["rules.0.id"]],
    ["a key that is none", withRule("Uniqueness", { column: "a" }, { key: "1" }), ["rules.0.key"]],

    ["configuration as text", withRule("Volume", "minRows"), [inRule]],
    [
      "__proto__ in a configuration",
      withRule("Volume", JSON.parse('{"minRows":1,"__proto__":{"x":1}}')),
      [`${inRule}.__proto__`],
    ],
    ["another schema", withRule("Volume", { minRows: 1, schema: "other" }), [`${inRule}.schema`]],
    ["another table", withRule("Volume", { minRows: 1, table: "other" }), [`${inRule}.table`]],
    ["two columns", withRule("Uniqueness", { column: "a" }, { column: "b" }), ["rules.0.column"]],
    ["no column", withRule("Uniqueness", {}), [`${inRule}.column`]],
    ["a column that is no text", withRule("Uniqueness", { column: 7 }), [`${inRule}.column`]],
    ["a misspelled key", withRule("Volume", { minRow: 1, maxRows: 2 }), [`${inRule}.minRow`]],

    ["Freshness, nothing", withRule("Freshness", {}), [`${inRule}.column`, `${inRule}.maxAgeMinutes`]],
    [
      "Freshness, age 0",
      withRule("Freshness", { column: "a", maxAgeMinutes: 0 }),
      [`${inRule}.maxAgeMinutes`],
    ],
    ["Volume, no bound", withRule("Volume", {}), [`${inRule}.minRows`]],
    ["Volume, crossed", withRule("Volume", { minRows: 2, maxRows: 1 }), [`${inRule}.minRows`]],
    ["Volume, negative", withRule("Volume", { minRows: -1 }), [`${inRule}.minRows`]],
    ["Volume, a fraction", withRule("Volume", { maxRows: 1.5 }), [`${inRule}.maxRows`]],
    ["Volume, text", withRule("Volume", { minRows: "1" }), [`${inRule}.minRows`]],
    ["NullRate, no limit", withRule("NullRate", { column: "a" }), [`${inRule}.maxNullPercent`]],
    [
      "NullRate, 101",
      withRule("NullRate", { column: "a", maxNullPercent: 101 }),
      [`${inRule}.maxNullPercent`],
    ],
    [
      "Referential, no reference",
      withRule("Referential", { column: "a" }),
      [`${inRule}.referenceTable`, `${inRule}.referenceColumn`],
    ],
    ["Range, no bound", withRule("Range", { column: "a" }), [`${inRule}.min`]],
    ["Range, SQL", withRule("Range", { column: "a", min: "1 OR 1=1" }), [`${inRule}.min`]],
    ["Range, 1e3", withRule("Range", { column: "a", min: "1e3" }), [`${inRule}.min`]],
    ["Range, NaN", withRule("Range", { column: "a", max: "NaN" }), [`${inRule}.max`]],
    ["Range, a number that lost digits", withRule("Range", { column: "a", max: 2 ** 53 }), [`${inRule}.max`]],
    ["Range, crossed", withRule("Range", { column: "a", min: "10", max: "9.99" }), [`${inRule}.min`]],
    [
      "Range, crossed in the last digit",
      withRule("Range", { column: "a", min: "9007199254740993", max: "9007199254740992" }),
      [`${inRule}.min`],
    ],
    ["Pattern, empty", withRule("Pattern", { column: "a", pattern: "" }), [`${inRule}.pattern`]],
    ["CustomSql, blank", withRule("CustomSql", { sql: " \n" }), [`${inRule}.sql`]],
    ["CustomSql, NUL", withRule("CustomSql", { sql: "select 1\u0000" }), [`${inRule}.sql`]],
  ])("%s", (_name, input, paths) => {
    expect(wrongPaths(input)).toEqual(paths);
  });
});

describe("a rule is read", () => {
  test("with the specification's defaults", () => {
    expect(readRule({ name: "Unique", type: "Uniqueness", column: "a" })).toMatchObject({
      severity: "Medium",
      weight: 1,
      enabled: true,
      column: "a",
      configuration: { column: "a" },
    });
  });

  test("with its column from either place, or alongside a type that needs none", () => {
    const volume = { name: "Rows", type: "Volume", configuration: { minRows: 1 } } as const;
    expect(readRule({ ...volume, column: "a" })).toMatchObject({
      column: "a",
      configuration: { minRows: 1 },
    });
    expect(readRule({ ...volume, configuration: { minRows: 1, column: "a" } })).toMatchObject({
      column: "a",
      configuration: { minRows: 1 },
    });
    expect(readRule({ name: "U", type: "Uniqueness", configuration: { column: "a" } }).column).toBe("a");
    expect(readRule(volume).column).toBeNull();
  });

  test("with the contract's own schema and table, which are not stored", () => {
    const configuration = { minRows: 1, schema: "public", table: "orders" };
    const rule = { name: "Rows", type: "Volume", configuration } as const;
    expect(readRule(rule).configuration).toEqual({ minRows: 1 });
    // Whether `public` is the default is unknown here, so it is passed on.
    expect(readRule(rule, { schemaName: undefined }).claimedSchema).toBe("public");
  });

  test("with bounds as text, however they were sent", () => {
    const range = (min: string | number) =>
      readRule({ name: "Range", type: "Range", configuration: { column: "a", min } }).configuration;
    expect(range(5)).toEqual({ column: "a", min: "5" });
    expect(range(0.0000001)).toEqual({ column: "a", min: "0.0000001" });
    expect(range("9007199254740993")).toEqual({ column: "a", min: "9007199254740993" });
    expect(range("-0.10")).toEqual({ column: "a", min: "-0.10" });
  });

  test("verbatim if it is custom SQL", () => {
    const sql = "\n select 1 as passed ;\n";
    expect(readRule({ name: "Mine", type: "CustomSql", configuration: { sql } }).configuration).toEqual({
      sql,
    });
  });
});
