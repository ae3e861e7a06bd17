import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { RuleType } from "../rules/rules.ts";
import { createContractInput } from "../schema.ts";
import type { WrittenRule } from "./check-of.ts";
import { contractsOf } from "./contracts-of.ts";
import { odcsDocument } from "./document.ts";
import { type WrittenContract, writeOdcs } from "./write-odcs.ts";

function rule(
  type: RuleType,
  configuration: Record<string, unknown>,
  more: Partial<WrittenRule> = {},
): WrittenRule {
  const column = (configuration.column as string | undefined) ?? null;
  const key = randomUUID();
  return {
    key,
    name: type,
    type,
    column,
    severity: "Medium",
    weight: 1,
    enabled: true,
    configuration,
    ...more,
  };
}

const everyType = [
  rule("Pattern", { column: "currency", pattern: "^[A-Z]{3}$" }, { severity: "Low", weight: 0.1 }),
  rule("Volume", { minRows: 10, maxRows: 20 }, { name: "Between" }),
  rule("Volume", { minRows: 1 }, { severity: "Critical", weight: 10 }),
  rule("Volume", { maxRows: 9_007_199_254_740_991 }),
  rule("Volume", { minRows: 5, maxRows: 5 }, { enabled: false }),
  rule("NullRate", { column: "amount", maxNullPercent: 2.5 }, { severity: "High" }),
  rule("Uniqueness", { column: "id" }),
  rule("UniqueCombination", { columns: ["currency", "changed at"] }),
  rule("RowCondition", { condition: "amount > 0 or currency = 'X'", whenUnknown: "Fail" }),
  rule("Schema", {
    columns: [
      { name: "id", type: "bigint", nullable: false },
      { name: 'x"; -- ', type: "numeric(10,2)", nullable: true },
    ],
    whenAdded: "Fail",
    whenMoved: "Warn",
  }),
  rule("AllowedValues", { column: "currency", values: ["EUR", "it's"] }),
  rule("Compare", { by: "Rows", otherTable: "orders_copy", key: ["id"], maxFailingRows: 3 }),
  rule("Compare", {
    by: "Aggregates",
    otherDataSourceId: 8,
    otherSchema: "lake",
    otherTable: "orders",
    columns: ["amount"],
    functions: ["Sum", "Max"],
    groupBy: ["currency"],
    tolerancePercent: 0.5,
    where: "amount > 0",
  }),
  rule("AllowedValues", { column: "currency", referenceTable: "currencies", referenceColumn: "code" }),
  rule("Range", { column: "amount", min: "-0.50", max: "100" }),
  rule("Range", { column: "amount", min: "123456789012345678901234567890.123456789" }),
  rule("Freshness", { column: "changed at", maxAgeMinutes: 90.5 }),
  rule("Referential", { column: "customer", referenceTable: "customers", referenceColumn: "id" }),
  rule("Referential", {
    column: "customer",
    referenceSchema: "a.b",
    referenceTable: 'x"y',
    referenceColumn: "id",
  }),
  rule("Volume", { minRows: 1, where: "status = 'paid' -- \n and amount > 0" }),
  rule("Uniqueness", { column: "id", lastHours: 24, timeColumn: "changed at", duplicatesAmong: "Rows" }),
  rule("Range", { column: "amount", min: "0", maxFailingPercent: 0.5 }),
  rule("NullRate", { column: "amount", maxNullPercent: 1, groupBy: ["currency", "changed at"] }),
  rule("Freshness", { column: "changed at", maxAgeMinutes: 60, groupBy: ["currency"] }),
  rule("Freshness", { column: "changed at", maxAgeMinutes: 60, where: "amount > 0" }),
  rule("CustomSql", { sql: "\tselect 1 as passed -- all\r\n  , 'a: \"b\" # c' as message  \n\n" }),
  rule("CustomSql", { sql: "select 0 as passed" }, { column: "amount" }),
];

const contract = (more: Partial<WrittenContract> = {}): WrittenContract => ({
  id: 12,
  name: "Orders: are # sound",
  description: "What the shop's orders\nmust be",
  context: "Amounts are in euros.\n\nDo not: show customers' names",
  schemaName: "sales",
  tableName: "orders",
  cronExpression: "*/5 4 * * 1",
  timezone: "Europe/Berlin",
  failureThreshold: 95.5,
  enabled: false,
  alertOnFailure: false,
  reminderHours: null,
  createTasks: true,
  samples: "Off",
  revision: 3,
  recipients: [{ name: "The team" }],
  rules: everyType,
  ...more,
});

const dataSources = [
  { id: 7, name: "Shop" },
  { id: 8, name: "Warehouse: main" },
];
const options = { dialect: dialects.postgresql, defaultSchema: "public", dataSources };

function readBack(yaml: string) {
  return contractsOf(odcsDocument.parse(parse(yaml)), {
    dataSourceId: 7,
    dialect: dialects.postgresql,
    defaultSchema: "public",
    recipients: [{ id: 4, name: "The team" }],
    dataSources,
  });
}

describe("a contract that is written and read back", () => {
  test("is the same, rule by rule, with nothing left over", () => {
    const { contracts, unmapped, errors } = readBack(writeOdcs(contract(), options));
    expect([unmapped, errors]).toEqual([[], []]);
    const { id: _, revision: __, recipients: ___, rules, ...fields } = contract();
    const [read] = contracts.map((input) => createContractInput.parse(input));
    expect(read).toMatchObject({ ...fields, recipientIds: [4] });
    expect(read?.rules).toEqual(
      rules.map(({ configuration, ...others }) => ({
        ...others,
        // The column of CustomSql and Volume is separate from the configuration.
        configuration: expect.objectContaining(configuration),
      })),
    );
  });

  test.each([
    'x"; drop table y; --',
    "a.b.c",
    "it's `it` ]",
    "- *a: &b !!c | >",
    "ключ 表 🎈",
    " spaces ",
    "yes",
    "1e3",
    "\u0085\u2028\ufeff tab\t",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the standard's syntax for variables
    "${table} {column}",
    "__proto__",
  ])("keeps the name %j", (name) => {
    const rules = [
      rule("NullRate", { column: name, maxNullPercent: 0 }),
      rule("Freshness", { column: name, maxAgeMinutes: 5 }),
    ];
    const { contracts, unmapped } = readBack(
      writeOdcs(contract({ tableName: name, schemaName: name, rules }), options),
    );
    expect(unmapped).toEqual([]);
    expect(contracts).toMatchObject([
      { tableName: name, schemaName: name, rules: [{ column: name }, { column: name }] },
    ]);
  });

  test("describes approved columns for other readers, in the table's order", () => {
    const columns = [
      { name: "note", type: "text", nullable: true },
      { name: "id", type: "bigint", nullable: false },
    ];
    const rules = [rule("Uniqueness", { column: "id" }), rule("Schema", { columns })];
    const [table] = parse(writeOdcs(contract({ rules }), options)).schema;
    expect(table.properties).toEqual([
      { name: "note", physicalType: "text", required: false },
      { name: "id", physicalType: "bigint", required: true, quality: [expect.anything()] },
    ]);
    expect(table.quality[0]).toMatchObject({ type: "custom", implementation: { type: "Schema", columns } });
    const { unmapped } = readBack(writeOdcs(contract({ rules }), options));
    expect(unmapped).toEqual([]);
  });

  test("omits the data source's default schema, so that it fits another", () => {
    const yaml = writeOdcs(contract({ schemaName: "public" }), options);
    expect(yaml).not.toContain("plumblineSchemaName");
    expect(readBack(yaml).contracts[0]?.schemaName).toBeUndefined();
  });

  test("on SQL Server keeps its patterns as they are", () => {
    const like = rule("Pattern", { column: "code", pattern: "[A-Z]%" });
    const yaml = writeOdcs(contract({ rules: [like] }), { ...options, dialect: dialects.sqlserver });
    expect(parse(yaml).schema[0].properties[0].quality[0]).toMatchObject({
      type: "custom",
      engine: "plumbline",
      implementation: { type: "Pattern", pattern: "[A-Z]%", syntax: "like" },
    });
  });
});

test("version 3.2 also lists the values that a column may have", () => {
  const allowed = rule("AllowedValues", { column: "currency", values: ["EUR", "NOK"] });
  const some = rule("AllowedValues", { column: "country", values: ["NO"], maxFailingRows: 3 });
  const written = (version: "3.1" | "3.2") =>
    writeOdcs(contract({ rules: [allowed, some] }), { ...options, version });
  expect(parse(written("3.1"))).toMatchObject({ apiVersion: "v3.1.0" });
  expect(written("3.1")).not.toContain("enum:");
  const { apiVersion, schema } = parse(written("3.2"));
  expect(apiVersion).toBe("v3.2.0");
  expect(schema[0].properties.map((each: { enum?: unknown }) => each.enum)).toEqual([
    [{ value: "EUR" }, { value: "NOK" }],
    undefined,
  ]);
  // The list says nothing more than the rule, so that it is read once.
  const again = contractsOf(odcsDocument.parse(parse(written("3.2"))), {
    ...options,
    dataSourceId: 1,
    recipients: [],
  });
  expect(again.contracts[0]?.rules.map(({ key }) => key)).toEqual([allowed.key, some.key]);
  expect(again.unmapped.filter(({ path }) => path.includes("enum"))).toEqual([]);
});

test("what AI should know of the table has a field in version 3.2, and is among our own properties before", () => {
  const context = "Amounts are in euros.\n\nDo not: show customers' names";
  const tableIn = (version: "3.1" | "3.2") => parse(writeOdcs(contract(), { ...options, version })).schema[0];
  expect(tableIn("3.2").context).toBe(context);
  expect(tableIn("3.1")).not.toHaveProperty("context");
  expect(tableIn("3.1").customProperties).toContainEqual({ property: "plumblineContext", value: context });
  for (const version of ["3.1", "3.2"] as const) {
    const { contracts, unmapped } = readBack(writeOdcs(contract(), { ...options, version }));
    expect([contracts[0]?.context, unmapped.filter(({ path }) => path.includes("ontext"))]).toEqual([
      context,
      [],
    ]);
  }
});

/** The locations of the official JSON schemas; without them, the output is not validated against them. */
const schemaFiles = { "3.1": process.env.ODCS_SCHEMA, "3.2": process.env.ODCS_SCHEMA_3_2 };

describe.each(["3.1", "3.2"] as const)("the standard's own schema, version %s", (version) => {
  const schemaFile = schemaFiles[version];
  let validate: ValidateFunction;
  // Not at collection, which also happens without a schema.
  beforeAll(() => {
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    addFormats.default(ajv);
    if (schemaFile) validate = ajv.compile(JSON.parse(readFileSync(schemaFile, "utf8")));
  });
  const errorsOf = (yaml: string) => (validate(parse(yaml)) ? [] : (validate.errors ?? []));

  test.runIf(schemaFile)("accepts the output, with rules of every type and on every engine", () => {
    for (const dialect of Object.values(dialects))
      expect(errorsOf(writeOdcs(contract(), { ...options, dialect, version }))).toEqual([]);
  });

  test.runIf(schemaFile)("accepts names of any kind", () => {
    const column = 'x"; -- ключ.表';
    const rules = [rule("Freshness", { column, maxAgeMinutes: 5 }), rule("Uniqueness", { column })];
    expect(
      errorsOf(
        writeOdcs(contract({ tableName: column, rules, description: null, recipients: [] }), {
          ...options,
          version,
        }),
      ),
    ).toEqual([]);
  });

  test.runIf(schemaFile)("would detect a mistake", () => {
    expect(
      errorsOf(writeOdcs(contract(), { ...options, version }).replace("metric: rowCount", "metric: rows")),
    ).not.toEqual([]);
  });
});
