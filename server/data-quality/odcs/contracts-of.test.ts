import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { DialectName } from "../../data-sources/dialects/dialect.ts";
import { dialects } from "../../data-sources/dialects/dialects.ts";
import { anOdcsFile } from "../../test/factories/odcs.ts";
import { contractsOf, type Destination } from "./contracts-of.ts";
import { odcsDocument } from "./document.ts";

function destination(dialect: DialectName = "postgresql"): Destination {
  return {
    dataSourceId: 7,
    dialect: dialects[dialect],
    defaultSchema: "public",
    dataSources: [
      { id: 7, name: "Shop" },
      { id: 8, name: "Warehouse" },
      { id: 9, name: "Warehouse" },
    ],
    recipients: [
      { id: 1, name: "The team" },
      { id: 2, name: "Twins" },
      { id: 3, name: "Twins" },
    ],
  };
}

const read = (yaml: string, dialect?: DialectName) =>
  contractsOf(odcsDocument.parse(parse(yaml)), destination(dialect));

/** The single rule that a check of the column "amount" becomes, or the reason why there is none. */
function ruleOf(check: string, dialect?: DialectName) {
  const { contracts, unmapped, errors } = read(
    anOdcsFile(`  - {name: orders, properties: [{name: amount, quality: [{${check}}]}]}`),
    dialect,
  );
  expect(errors).toEqual([]);
  const rule = contracts[0]?.rules[0];
  return rule
    ? { type: rule.type, ...(rule.configuration as object) }
    : unmapped.find(({ path }) => path === "schema.0.properties.0.quality.0")?.reason;
}

/** The same for a check of the table. */
function tableRuleOf(check: string) {
  const { contracts, unmapped } = read(anOdcsFile(`  - {name: orders, quality: [{${check}}]}`));
  const rule = contracts[0]?.rules[0];
  return rule ? { type: rule.type, ...(rule.configuration as object) } : unmapped[0]?.reason;
}

describe("a column's list of values, as version 3.2 has it", () => {
  const rulesOf = (property: string) => {
    const { contracts, unmapped } = read(
      anOdcsFile(`  - {name: orders, properties: [{name: city, ${property}}]}`),
    );
    return [
      contracts.flatMap(({ rules }) =>
        rules.map(({ type, column, configuration }) => ({ type, column, configuration })),
      ),
      unmapped.filter(({ path }) => path.includes("enum")),
    ];
  };
  const allowed = { type: "AllowedValues", column: "city" };

  test("becomes a rule", () => {
    expect(rulesOf("enum: [{value: Oslo, label: The capital}, {value: Rome}]")).toEqual([
      [{ ...allowed, configuration: { column: "city", values: ["Oslo", "Rome"] } }],
      [],
    ]);
  });

  test("unless a check says the same", () => {
    const check = "quality: [{metric: invalidValues, arguments: {validValues: [Oslo]}, mustBe: 0}]";
    expect(rulesOf(`enum: [{value: Oslo}], ${check}`)[0]).toHaveLength(1);
    expect(rulesOf(`enum: [{value: Rome}], ${check}`)[0]).toHaveLength(2);
  });

  test("of other things is reported", () => {
    const reason = "Lists values that are no texts or numbers";
    expect(rulesOf("enum: [{value: {a: 1}}]")).toEqual([
      [],
      [{ path: "schema.0.properties.0.enum", reason }],
    ]);
  });
});

describe("what AI should know of a table, as version 3.2 has it", () => {
  const contextIn = (context: string, more?: string) => {
    const { contracts, unmapped } = read(
      anOdcsFile(`  - {name: orders, ${context}quality: [{metric: rowCount, mustBe: 1}]}`, more),
    );
    return [contracts[0]?.context, ...unmapped.filter(({ path }) => path.includes("context"))];
  };

  test("is one text, with questions, their answers, and what must not be done", () => {
    expect(contextIn("context: Amounts are in cents., ")).toEqual(["Amounts are in cents."]);
    const whole = `context: {
      instructions: "Count orders, not lines.",
      verifiedStatements: [{question: How many came?, answer: select count(*)}, {question: Which are late?}],
      constraints: [{id: one, constraint: show names}]}, `;
    expect(contextIn(whole)).toEqual([
      [
        "Count orders, not lines.",
        "Question: How many came?\nAnswer: select count(*)",
        "Question: Which are late?",
        "Do not: show names",
      ].join("\n\n"),
    ]);
  });

  test("is that of the whole file for a table without its own", () => {
    expect(contextIn("", "context: Of the shop")).toEqual(["Of the shop"]);
    expect(contextIn("context: Of orders, ", "context: Of the shop")).toEqual(["Of orders"]);
    expect(contextIn("")).toEqual([null]);
    expect(contextIn("context: '  ', ")).toEqual([null]);
  });

  test("is reported as far as it cannot be read", () => {
    expect(contextIn("context: {constraints: none}, ")).toEqual([
      null,
      {
        path: "schema.0.context",
        reason: "Is neither a text nor instructions, questions, and constraints",
      },
    ]);
    const tagged = "context: {verifiedStatements: [{question: How many?, tags: [sales]}]}, ";
    expect(contextIn(tagged)).toEqual([
      "Question: How many?",
      { path: "schema.0.context.verifiedStatements.0.tags", reason: "Has no equivalent in a contract" },
    ]);
  });
});

describe("library metrics", () => {
  test.each([
    ["metric: nullValues, mustBe: 0", { type: "NullRate", column: "amount", maxNullPercent: 0 }],
    ["type: library, metric: nullValues, mustBeLessThan: 1", { type: "NullRate", maxNullPercent: 0 }],
    [
      "metric: nullValues, unit: percent, mustBeLessOrEqualTo: 2.5",
      { type: "NullRate", maxNullPercent: 2.5 },
    ],
    ["metric: missingValues, arguments: {missingValues: [null]}, mustBe: 0", { type: "NullRate" }],
    ["metric: duplicateValues, mustBe: 0", { type: "Uniqueness", column: "amount" }],
    ["metric: duplicateValues, unit: percent, mustBeLessOrEqualTo: 0", { type: "Uniqueness" }],
    [
      "metric: invalidValues, arguments: {pattern: '^[A-Z]{3}$'}, mustBe: 0",
      { type: "Pattern", pattern: "^[A-Z]{3}$" },
    ],
    [
      "metric: invalidValues, arguments: {min: 0, max: '99.90'}, mustBe: 0",
      { type: "Range", min: "0", max: "99.90" },
    ],
    ["metric: invalidValues, arguments: {minimum: -1.5}, mustBe: 0", { type: "Range", min: "-1.5" }],
    ["rule: duplicateCount, mustBe: 0", { type: "Uniqueness" }],
    ["rule: nullCheck", { type: "NullRate", maxNullPercent: 0 }],
  ])("%s", (check, expected) => {
    expect(ruleOf(check)).toMatchObject(expected);
  });

  test.each([
    ["metric: rowCount, mustBeBetween: [10, 20]", { minRows: 10, maxRows: 20 }],
    ["metric: rowCount, mustBe: 5", { minRows: 5, maxRows: 5 }],
    ["metric: rowCount, mustBeGreaterThan: 1000000", { minRows: 1_000_001 }],
    ["metric: rowCount, mustBeGreaterOrEqualTo: 1.5", { minRows: 2 }],
    ["metric: rowCount, mustBeLessThan: 10", { maxRows: 9 }],
    ["metric: rowCount, mustBeLessOrEqualTo: 10", { maxRows: 10 }],
    ["rule: rowCount, mustBeLessOrEqualTo: 10", { maxRows: 10 }],
  ])("%s", (check, expected) => {
    expect(tableRuleOf(check)).toEqual({ type: "Volume", ...expected });
  });

  test("with an operator that no rule supports become the engine's SQL", () => {
    const percent = "metric: nullValues, unit: percent, mustBeLessThan: 5";
    expect(ruleOf(percent)).toEqual({
      type: "CustomSql",
      sql: `select case when checked.value < 5 then 1 else 0 end as passed, checked.value as actual_value
from (select (
select coalesce(100.0 * count(case when "amount" is null then 1 end) / nullif(count(*), 0), 0) from "public"."orders"
) as value) as checked`,
    });
    expect(ruleOf(percent, "sqlserver")).toMatchObject({
      sql: expect.stringContaining("count_big(case when [amount]"),
    });
    expect(ruleOf(percent, "mysql")).toMatchObject({ sql: expect.stringContaining("`public`.`orders`") });
    expect(tableRuleOf("metric: rowCount, mustNotBe: 0")).toMatchObject({ type: "CustomSql" });
    expect(tableRuleOf("metric: duplicateValues, arguments: {properties: [a, b]}, mustBe: 0")).toEqual({
      type: "UniqueCombination",
      columns: ["a", "b"],
    });
    expect(tableRuleOf("metric: duplicateValues, arguments: {properties: [a, b]}, mustBe: 1")).toMatchObject({
      sql: expect.stringContaining('group by "a", "b"'),
    });
    expect(
      ruleOf("metric: invalidValues, arguments: {validValues: [paid, 'it''s open']}, mustBe: 0"),
    ).toEqual({
      ...{ type: "AllowedValues", column: "amount", values: ["paid", "it's open"] },
    });
    // A number may be written in several ways, and a limit above 0 is no rule of this type.
    for (const other of ["validValues: [1.5]}, mustBe: 0", "validValues: [paid, 'it''s open']}, mustBe: 1"])
      expect(ruleOf(`metric: invalidValues, arguments: {${other}`)).toMatchObject({ type: "CustomSql" });
    expect(
      ruleOf("metric: invalidValues, arguments: {validValues: [paid, 'it''s open']}, mustBe: 1"),
    ).toMatchObject({ sql: expect.stringContaining(`"amount"::text in ('paid', 'it''s open')`) });
    expect(ruleOf("metric: missingValues, arguments: {missingValues: [null, '']}, mustBe: 0")).toMatchObject({
      sql: expect.stringContaining(`"amount" is null or "amount"::text in ('')`),
    });
  });

  test.each([
    ["metric: freshness, mustBe: 0", "The metric freshness is not known"],
    ["metric: constructor, mustBe: 0", "The metric constructor is not known"],
    ["metric: nullValues", "Sets no comparison (mustBe, mustBeLessThan, …)"],
    [
      "metric: nullValues, mustBe: 0, mustBeLessThan: 5",
      "Sets more than one comparison: mustBe and mustBeLessThan",
    ],
    ["metric: nullValues, mustBe: many", "mustBe must be a number for a library metric"],
    ["metric: nullValues, mustBe: 0, unit: miles", "The unit miles is not known"],
    ["metric: rowCount, mustBeBetween: [20, 10]", "mustBeBetween must have the smaller number first"],
    [
      "metric: invalidValues, mustBe: 0",
      "Has no supported constraint on valid values: pattern, validValues, min, max",
    ],
    ["metric: invalidValues, arguments: {min: 1 or 1=1}, mustBe: 0", "min must be a decimal number"],
    ["name: Nothing", "Names no metric"],
  ])("%s is no rule, and says why", (check, reason) => {
    expect(ruleOf(check)).toBe(reason);
  });

  test("SQL Server has no regular expressions", () => {
    expect(ruleOf("metric: invalidValues, arguments: {pattern: '^a'}, mustBe: 0", "sqlserver")).toMatch(
      /LIKE/,
    );
  });
});

describe("queries", () => {
  test("compare the value that they return", () => {
    expect(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the standard's syntax for variables
      ruleOf("type: sql, query: 'select count(*) from ${table} where ${column} < 0;', mustBe: 0"),
    ).toEqual({
      type: "CustomSql",
      sql: `select case when checked.value = 0 then 1 else 0 end as passed, checked.value as actual_value
from (select (
select count(*) from "public"."orders" where "amount" < 0
) as value) as checked`,
    });
    expect(ruleOf("type: sql, query: select 1, mustNotBeBetween: [1, 2]")).toMatchObject({
      sql: expect.stringContaining("not between 1 and 2"),
    });
    expect(ruleOf(`type: sql, query: select 1, mustBe: "it's"`)).toMatchObject({
      sql: expect.stringContaining("= 'it''s'"),
    });
    expect(ruleOf("type: sql, query: select 1, mustBe: 'a\\b'", "mysql")).toMatchObject({
      sql: expect.stringContaining("convert(x'615c62' using utf8mb4)"),
    });
  });

  test("with WITH inside a comparison are not supported on SQL Server", () => {
    const check = "type: sql, query: with a as (select 1 as n) select n from a, mustBe: 1";
    expect(ruleOf(check)).toMatchObject({ type: "CustomSql" });
    expect(ruleOf(check, "sqlserver")).toBe("SQL Server does not allow WITH inside a comparison");
  });
});

test.each([
  ["type: text, description: The address was verified", "Is a description for people and cannot be measured"],
  [
    "type: custom, engine: soda, implementation: {type: duplicate_percent}",
    "Checks of the engine soda cannot be run here",
  ],
  ["type: magic", "Checks of the type magic are not known"],
  ["type: custom, engine: plumbline, implementation: {type: Magic}", "Unknown rule type Magic"],
  [
    "type: custom, engine: plumbline, implementation: do it",
    "The implementation must be a mapping with a type",
  ],
  [
    "type: custom, engine: plumbline, implementation: {type: Pattern, pattern: 'a%', syntax: like}",
    "A LIKE pattern has a different meaning on this data source",
  ],
])("%s is no rule, and says why", (check, reason) => {
  expect(ruleOf(check)).toBe(reason);
});

describe("a file", () => {
  const orders = "  - {name: orders, quality: [{metric: rowCount, mustBe: 1}]}\n";

  test("with several tables becomes a contract for each table that has rules", () => {
    const { contracts, unmapped } = read(
      anOdcsFile(`${orders}  - {name: notes, properties: [{name: id, primaryKey: true}]}
  - {name: people, physicalName: hr.persons, properties: [{name: Mail, physicalName: e_mail, quality: [{metric: nullValues, mustBe: 0}]}]}`),
    );
    expect(contracts).toMatchObject([
      { name: "Shop: orders", tableName: "orders", dataSourceId: 7 },
      { name: "Shop: people", schemaName: "hr", tableName: "persons", rules: [{ column: "e_mail" }] },
    ]);
    expect(unmapped).toContainEqual({
      path: "schema.1",
      reason: "Has no rules, so no contract was created",
    });
  });

  test("reports what is not imported, and where", () => {
    const { unmapped } = read(
      anOdcsFile(
        `  - name: orders
    tags: [finance]
    properties:
      - {name: id, required: true, unique: false, logicalType: integer}
    quality:
      - {id: rows, metric: rowCount, mustBe: 1, schedule: 0 5 * * *, businessImpact: operational, dimension: accuracy, severity: dire, customProperties: [{property: FIELD, value: x}]}
`,
        `domain: sales
description: {purpose: Orders, usage: Anything}
servers: [{server: a, type: postgres, host: h, port: 1, database: d, schema: public}]
slaProperties: [{property: retention, value: 3, unit: y}]
customProperties: [{property: ruleset, value: 1}]`,
      ),
    );
    expect(unmapped.map(({ path }) => path).sort()).toEqual([
      "customProperties.0",
      "description.usage",
      "domain",
      "schema.0.properties.0.logicalType",
      "schema.0.properties.0.required",
      "schema.0.quality.0.businessImpact",
      "schema.0.quality.0.customProperties.0",
      "schema.0.quality.0.dimension",
      "schema.0.quality.0.id",
      "schema.0.quality.0.severity",
      "schema.0.tags",
      "servers",
      "slaProperties.0",
    ]);
  });

  test("gets its schedule from its checks, and has only one", () => {
    const { contracts, unmapped } = read(
      anOdcsFile(`  - name: orders
    quality:
      - {metric: rowCount, mustBe: 1, scheduler: cron, schedule: 0 20 * * *}
      - {metric: rowCount, mustBe: 1, schedule: 0 21 * * *}
      - {metric: rowCount, mustBe: 1, schedule: 0 0 12 * * ?}`),
    );
    expect(contracts[0]?.cronExpression).toBe("0 20 * * *");
    expect(unmapped).toEqual([
      { path: "schema.0.quality.1.schedule", reason: "A contract has one schedule: 0 20 * * *" },
      { path: "schema.0.quality.2.schedule", reason: "Is not a five-field cron expression" },
    ]);
    const silent = read(anOdcsFile(orders));
    expect(silent.contracts[0]?.cronExpression).toBe("0 6 * * *");
    expect(silent.unmapped).toEqual([
      { path: "schema.0", reason: "Has no schedule; 0 6 * * * in UTC is used" },
    ]);
    const quartz = read(
      anOdcsFile(`  - name: orders
    quality:
      - {metric: rowCount, mustBe: 1, schedule: 0 0 12 * * ?}`),
    );
    expect(quartz.unmapped).toContainEqual({
      path: "schema.0",
      reason: "Has no supported schedule; 0 6 * * * in UTC is used",
    });
  });

  test("that is not active is imported with its schedule off", () => {
    const yaml = anOdcsFile(orders).replace("status: active", "status: draft");
    expect(read(yaml).contracts[0]?.enabled).toBe(false);
    expect(read(yaml).unmapped[0]?.path).toBe("status");
  });

  test("may state the maximum age of data as a latency", () => {
    const { contracts, unmapped } = read(
      anOdcsFile(
        "  - {name: Orders, physicalName: sales.orders_1, properties: [{name: Changed, physicalName: changed_at}]}",
        `slaProperties:
  - {property: latency, value: 4, unit: d, element: orders_1.Changed}
  - {property: latency, value: "1.5", unit: h, element: Orders.paid_at, description: Payments are recent}
  - {property: latency, value: 4, unit: d, element: tab1.changed_at}
  - {property: latency, value: soon, unit: d, element: Orders.changed_at}
  - {property: latency, value: 4, unit: parsec, element: Orders.changed_at}`,
      ),
    );
    expect(contracts).toMatchObject([
      {
        schemaName: "sales",
        tableName: "orders_1",
        rules: [
          {
            name: "Latency of changed_at",
            type: "Freshness",
            column: "changed_at",
            configuration: { maxAgeMinutes: 5760 },
          },
          { name: "Payments are recent", column: "paid_at", configuration: { maxAgeMinutes: 90 } },
        ],
      },
    ]);
    expect(unmapped.map(({ path }) => path)).toEqual([
      "slaProperties.2",
      "slaProperties.3",
      "slaProperties.4",
      "schema.0",
    ]);
  });

  test("lists the contract settings that the standard does not cover, for one table or for all", () => {
    const { contracts, unmapped } = read(
      anOdcsFile(
        `  - name: orders
    customProperties:
      - {property: plumblineName, value: Orders are sound}
      - {property: plumblineFailureThreshold, value: 95.5}
      - {property: plumblineRecipients, value: [The team, Nobody, Twins]}
    quality:
      - {metric: rowCount, mustBe: 1, severity: error, customProperties: [{property: plumblineWeight, value: 2.5}, {property: plumblineSeverity, value: Low}, {property: plumblineEnabled, value: false}]}`,
        `customProperties:
  - {property: plumblineCronExpression, value: 5 4 * * *}
  - {property: plumblineTimezone, value: Europe/Berlin}
  - {property: plumblineFailureThreshold, value: 50}
  - {property: plumblineAlertOnFailure, value: false}`,
      ),
    );
    expect(contracts).toMatchObject([
      {
        ...{ name: "Orders are sound", cronExpression: "5 4 * * *", timezone: "Europe/Berlin" },
        ...{ failureThreshold: 95.5, alertOnFailure: false, recipientIds: [1, 2] },
        rules: [{ weight: 2.5, severity: "Low", enabled: false }],
      },
    ]);
    expect(unmapped).toEqual([
      { path: "schema.0.customProperties", reason: 'The project has no recipient "Nobody"' },
      {
        path: "schema.0.customProperties",
        reason: 'The project has several recipients "Twins"; the first is used',
      },
    ]);
  });

  test("with values that no contract can have lists them, with their positions", () => {
    const { errors } = read(
      anOdcsFile(`  - name: orders
    customProperties: [{property: plumblineTimezone, value: Mars/Base}, {property: plumblineFailureThreshold, value: 101}]
    quality:
      - {metric: rowCount, mustBe: 1, customProperties: [{property: plumblineWeight, value: 99}]}
    properties:
      - {name: "", quality: [{metric: nullValues, mustBe: 0}]}`),
    );
    expect(errors.map(({ path }) => path).sort()).toEqual([
      "schema.0.failureThreshold",
      "schema.0.properties.0.quality.0.column",
      "schema.0.quality.0.weight",
      "schema.0.timezone",
    ]);
    const own = read(
      anOdcsFile(`  - name: orders
    properties: [{name: a, quality: [{type: custom, engine: plumbline, implementation: {type: Freshness, maxAgeMinutes: -1, other: 1}}]}]`),
    );
    expect(own.errors.map(({ path }) => path).sort()).toEqual([
      "schema.0.properties.0.quality.0.configuration.maxAgeMinutes",
      "schema.0.properties.0.quality.0.configuration.other",
    ]);
  });

  test("with names that look like SQL only contains names", () => {
    const hostile = `x"; drop table y; --`;
    const { contracts } = read(
      anOdcsFile(
        `  - {name: ${JSON.stringify(hostile)}, properties: [{name: "it's ] \`a\`", quality: [{metric: nullValues, mustBeLessThan: 3}]}]}`,
      ),
    );
    expect(contracts[0]?.tableName).toBe(hostile);
    expect(contracts[0]?.rules[0]?.configuration).toMatchObject({
      sql: expect.stringContaining(`"public"."x""; drop table y; --"`),
    });
  });

  test.each(["v2.2.2", "v3.3.0", "v4.0.0", "3", "latest"])("of the version %s is refused", (version) => {
    const document = parse(anOdcsFile(orders).replace("v3.1.0", version));
    expect(odcsDocument.safeParse({ ...document, apiVersion: version }).success).toBe(false);
  });

  test.each(["v3.0.0", "v3.0.2", "v3.1.0", "3.1.0"])("of the version %s is read", (version) => {
    const document = { ...parse(anOdcsFile(orders)), apiVersion: version };
    expect(odcsDocument.safeParse(document).success).toBe(true);
  });
});

test("another data source is found by its name in the project, or the rule is left out and reported", () => {
  const compare = (name: string) =>
    tableRuleOf(
      `type: custom, engine: plumbline, implementation: {type: Compare, otherTable: orders, key: [id], otherDataSource: ${name}}`,
    );
  expect(compare("Shop")).toEqual({
    type: "Compare",
    otherTable: "orders",
    key: ["id"],
    otherDataSourceId: 7,
  });
  expect(compare("Warehouse")).toMatchObject({ otherDataSourceId: 8 });
  expect(compare("Nowhere")).toBe('The project has no data source "Nowhere"');
});
