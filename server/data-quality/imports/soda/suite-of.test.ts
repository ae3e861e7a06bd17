import { describe, expect, test } from "vitest";
import { mysql } from "../../../data-sources/dialects/mysql.ts";
import { postgresql } from "../../../data-sources/dialects/postgresql.ts";
import { sqlserver } from "../../../data-sources/dialects/sqlserver.ts";
import { type SodaFile, sodaSuiteOf } from "./suite-of.ts";

const columns: Record<string, string[]> = {
  orders: ["id", "city", "amount", "created_at"],
  customers: ["id", "City"],
};
const tables = Object.entries(columns).map(([tableName, own]) => ({
  ...{ schemaName: "public", tableName, columns: own },
  catalog: own.map((name) => ({ name, type: "text", nullable: name !== "id" })),
}));
const destination = {
  ...{ dialect: postgresql, defaultSchema: "public", tables },
  find: (schemaName: string, tableName: string) =>
    tables.find((each) => each.schemaName === schemaName && each.tableName === tableName.toLowerCase()) ??
    null,
};

const suiteIn = (content: unknown, variables = {}, more = {}) =>
  sodaSuiteOf(
    [{ path: "checks.yml", content } satisfies SodaFile],
    { ...destination, ...more },
    { project: "p", variables },
  );

/** What one check becomes: its rules, or the reason that it has none. */
function become(check: unknown, more = {}) {
  const { tables: found, notCarried } = suiteIn({ "checks for orders": [check] }, {}, more);
  const rules = found.flatMap((table) => table.rules);
  return rules.length > 0
    ? rules.map(({ type, column, configuration, severity }) => ({
        ...{ type, ...(column && { column }), ...configuration },
        ...(severity !== "High" && { severity }),
      }))
    : notCarried.map(({ reason }) => reason);
}

const sqlOf = (check: unknown) => String((become(check)[0] as { sql?: string }).sql);

describe("checks that a kind of rule says", () => {
  const range = { type: "Range", column: "amount" };
  const condition = (sql: string, more = {}) => ({ type: "RowCondition", condition: sql, ...more });
  test.each<[unknown, object]>([
    ["row_count > 0", { type: "Volume", minRows: 1 }],
    ["row_count between 10 and 20", { type: "Volume", minRows: 10, maxRows: 20 }],
    ["row_count = 5", { type: "Volume", minRows: 5, maxRows: 5 }],
    ["missing_count(CITY) = 0", { type: "NullRate", column: "city", maxNullPercent: 0 }],
    ['missing_count("city") = 0', { type: "NullRate", column: "city", maxNullPercent: 0 }],
    ["missing_percent(city) <= 5%", { type: "NullRate", column: "city", maxNullPercent: 5 }],
    ["missing_count(city) < 5", condition('"city" is not null', { maxFailingRows: 4 })],
    [
      { "missing_count(city) = 0": { "missing values": ["n/a", "none"] } },
      condition(`"city" is not null and not ("city"::text in ('n/a', 'none'))`),
    ],
    [
      { "invalid_count(city) = 0": { "valid values": ["Rome", "Oslo"] } },
      { type: "AllowedValues", column: "city", values: ["Rome", "Oslo"] },
    ],
    [
      { "invalid_percent(city) <= 2.5": { "valid values": ["Rome"] } },
      { type: "AllowedValues", column: "city", values: ["Rome"], maxFailingPercent: 2.5 },
    ],
    [{ "invalid_count(amount) = 0": { "valid values": [0, 1] } }, condition('"amount" in (0, 1)')],
    [{ "invalid_count(city) = 0": { "invalid values": ["x"] } }, condition(`"city"::text not in ('x')`)],
    [{ "invalid_count(amount) = 0": { "valid min": 1 } }, { ...range, min: "1" }],
    [
      { "invalid_count(amount) < 3": { "valid min": 1, "valid max": 6.5 } },
      { ...range, min: "1", max: "6.5", maxFailingRows: 2 },
    ],
    [
      { "invalid_count(city) = 0": { "valid regex": "^[A-Z]" } },
      { type: "Pattern", column: "city", pattern: "^[A-Z]" },
    ],
    [
      { "invalid_count(city) = 0": { "valid format": "uuid" } },
      { type: "Pattern", column: "city", pattern: expect.stringContaining("{12}$") },
    ],
    [{ "invalid_count(city) = 0": { "invalid regex": "XX" } }, condition(`not ("city"::text ~ 'XX')`)],
    [{ "invalid_count(city) = 0": { "valid max length": 10 } }, condition('char_length("city") <= 10')],
    [
      { "invalid_count(city) = 0": { "valid min length": 2, "missing values": ["-"] } },
      condition(`("city"::text in ('-')) or (char_length("city") >= 2)`),
    ],
    ["duplicate_count(id) = 0", { type: "Uniqueness", column: "id" }],
    ["duplicate_percent(id) = 0", { type: "Uniqueness", column: "id" }],
    ["duplicate_count(id, city) = 0", { type: "UniqueCombination", columns: ["id", "city"] }],
    ["max(amount) <= 80", { ...range, max: "80" }],
    ["min(amount) > 0", condition('"amount" > 0')],
    ["avg(amount) between 5 and 10", { type: "Mean", column: "amount", min: "5", max: "10" }],
    ["freshness(created_at) < 3d", { type: "Freshness", column: "created_at", maxAgeMinutes: 4320 }],
    [
      "freshness using created_at with NOW < 1d6h",
      { type: "Freshness", column: "created_at", maxAgeMinutes: 1800 },
    ],
    [
      "values in (city) must exist in customers (city)",
      { type: "Referential", column: "city", referenceTable: "customers", referenceColumn: "City" },
    ],
    [{ "failed rows": { "fail condition": "amount < 0" } }, condition("not (\namount < 0\n)")],
    [
      { "duplicate_count(id) = 0": { filter: "amount > 0" } },
      { type: "Uniqueness", column: "id", where: "amount > 0", duplicatesAmong: "Rows" },
    ],
  ])("%j", (check, expected) => {
    expect(become(check)).toEqual([expected]);
  });
});

describe("checks that count and compare", () => {
  test.each([
    ["avg(amount) not between 5 and 10", "avg(1.0 *", "not (checked.value >= 5 and checked.value <= 10)"],
    ["sum(amount) != 0", 'select sum("amount") from', "not (checked.value >= 0 and checked.value <= 0)"],
    ["duplicate_count(city) < 5", "having count(*) > 1", "checked.value < 5"],
    ["missing_count(city) > 99", "count(case when not (", "checked.value > 99"],
    ["row_count same as customers", '"public"."customers"', "checked.value = 0"],
    [
      "values in (id, city) must not exist in customers (id, city)",
      "and exists (select 1",
      "checked.value = 0",
    ],
    [
      { "own >= 50": { "own query": "select count(*) from orders;" } },
      "select count(*) from orders\n)",
      ">= 50",
    ],
    [
      { "span < 9": { "span expression": "max(amount) - min(amount)" } },
      "select max(amount) - min(amount) from",
      "< 9",
    ],
    [
      { "failed rows": { "fail query": "select * from orders where amount < 0" } },
      "where amount < 0\n) found",
      "= 0",
    ],
  ])("%j", (check, part, compared) => {
    const sql = sqlOf(check);
    expect(sql).toContain(part);
    expect(sql).toContain(compared);
  });

  test("which columns a table has", () => {
    const rules = become({
      schema: {
        warn: { "when required column missing": ["city"] },
        fail: { "when forbidden column present": ["pii*"], "when wrong column type": { amount: "numeric" } },
      },
    });
    expect(rules).toEqual([
      { type: "CustomSql", sql: expect.stringContaining("like 'pii%'") },
      { type: "CustomSql", sql: expect.stringContaining("lower(DATA_TYPE) in ('numeric')") },
      { type: "CustomSql", sql: expect.stringContaining("1 - (select count(*)"), severity: "Low" },
    ]);
  });
});

describe("schema checks", () => {
  const approved = [
    { name: "id", type: "text", nullable: false },
    ...["city", "amount", "created_at"].map((name) => ({ name, type: "text", nullable: true })),
  ];
  const changes = (said: unknown) => become({ schema: { fail: { "when schema changes": said } } });

  test("changes fail a Schema rule with the table's columns as approved, and the others are ignored", () => {
    const all = { whenAdded: "Fail", whenRemoved: "Fail", whenTypeChanged: "Fail", whenMoved: "Fail" };
    const ignored = { whenNullabilityChanged: "Ignore" };
    expect(changes("any")).toEqual([{ type: "Schema", columns: approved, ...all, ...ignored }]);
    expect(changes(["column delete", "column type change"])).toEqual([
      {
        ...{ type: "Schema", columns: approved, ...ignored },
        ...{ whenAdded: "Ignore", whenRemoved: "Fail", whenTypeChanged: "Fail", whenMoved: "Ignore" },
      },
    ]);
    expect(
      become({
        schema: {
          warn: { "when schema changes": "any" },
          fail: { "when schema changes": ["column index change"] },
        },
      }),
    ).toMatchObject([
      { type: "Schema", whenMoved: "Fail", whenAdded: "Ignore" },
      { type: "Schema", whenMoved: "Fail", whenAdded: "Fail", severity: "Low" },
    ]);
  });

  test("every condition of both levels becomes a rule", () => {
    const rules = become({
      schema: {
        name: "Columns",
        warn: { "when wrong column index": { city: 1 }, "when required column missing": ["note"] },
        fail: {
          "when wrong column index": { id: 0, amount: 2 },
          "when wrong column type": { id: "bigint", city: "text" },
          "when schema changes": "any",
        },
      },
    }) as { type: string; sql?: string; severity?: string }[];
    expect(rules.map(({ type, severity }) => [type, severity ?? "High"])).toEqual([
      ["CustomSql", "High"],
      ["CustomSql", "High"],
      ["CustomSql", "High"],
      ["Schema", "High"],
      ["CustomSql", "Low"],
      ["CustomSql", "Low"],
    ]);
    // The first column has index 0, and the first place is 1.
    expect(rules[0]?.sql).toContain(
      "lower(COLUMN_NAME) in ('id') and place = 1) or (lower(COLUMN_NAME) in ('amount') and place = 3)",
    );
    expect(rules[0]?.sql).toContain("checked.value = 2");
    expect(rules[4]?.sql).toContain("lower(COLUMN_NAME) in ('city') and place = 2)");
  });

  test.each([
    [{ "when wrong column index": { id: "first" } }, "The index of id is not a whole number from 0"],
    [{ "when schema changes": ["column rename"] }, "Is no change of columns that Soda knows: column rename"],
    [{ "when schema changes": [] }, "Is no change of columns that Soda knows"],
    [{ "when required column missing": [] }, "No kind of rule says when required column missing"],
    [{ "when constructor": ["id"] }, "No kind of rule says when constructor"],
    [{}, "Says nothing of which columns there are"],
  ])("%j is not carried over", (fail, reason) => {
    expect(suiteIn({ "checks for orders": [{ schema: { fail } }] }).notCarried).toMatchObject([
      { family: "schema", reason: expect.stringContaining(reason) },
    ]);
  });

  test("a data contract's columns and their types, by the names that databases give them", () => {
    const contract = (checks: unknown) => ({
      dataset: "warehouse/db/public/orders",
      columns: [
        { name: "id", data_type: "integer" },
        { name: "city", data_type: "VARCHAR(10)" },
        { name: "amount" },
      ],
      checks,
    });
    const { tables: found, warnings } = suiteIn(contract([{ schema: { allow_extra_columns: true } }]));
    const [missing, types, ...more] = (found[0]?.rules ?? []).map(({ configuration }) =>
      String(configuration.sql),
    );
    expect(more).toEqual([]);
    expect(missing).toContain("3 - (select count(*)");
    expect(types).toContain("lower(COLUMN_NAME) in ('id') and lower(DATA_TYPE) in ('integer', 'int')");
    expect(types).toContain(
      "lower(COLUMN_NAME) in ('city') and lower(DATA_TYPE) in ('character varying', 'varchar', 'nvarchar')",
    );
    expect(types).toContain("checked.value = 2");
    expect(warnings).toEqual([]);
    expect(suiteIn(contract([{ row_count: {} }])).warnings).toEqual([
      "Types of columns are not imported without a schema check: approve a table's columns with a Schema rule.",
    ]);
  });
});

describe("levels", () => {
  test("each becomes a rule; a warning is of severity Low", () => {
    expect(become({ "duplicate_count(id)": { warn: "when > 0" } })).toEqual([
      { type: "Uniqueness", column: "id", severity: "Low" },
    ]);
    expect(
      become({ "invalid_count(amount)": { "valid min": 0, warn: "when between 1 and 5", fail: "when > 5" } }),
    ).toEqual([
      { type: "Range", column: "amount", min: "0", maxFailingRows: 5 },
      { type: "CustomSql", sql: expect.stringContaining("not (checked.value >= 1"), severity: "Low" },
    ]);
  });

  test("a strict limit in percent is noted, because a rule's is not strict", () => {
    const { tables: found } = suiteIn({ "checks for orders": ["missing_percent(city) < 5%"] });
    expect(found[0]?.rules).toMatchObject([
      { configuration: { maxNullPercent: 5 }, notes: ["A rule also passes at exactly 5%."] },
    ]);
  });
});

describe("files", () => {
  test("filters of a partition, configurations, names, identities, and attributes", () => {
    const { tables: found } = suiteIn(
      {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Soda's syntax for variables
        "filter orders [daily]": { where: "created_at > '${since}'" },
        "configurations for orders": { "valid values for city": ["Rome"] },
        "checks for orders [daily]": [
          {
            "invalid_count(city) = 0": {
              name: "Cities",
              identity: "abc",
              attributes: { team: "sales" },
              filter: "id > 0",
            },
          },
        ],
      },
      { since: "2024-01-01" },
    );
    expect(found).toMatchObject([
      {
        contractName: "orders (Soda)",
        rules: [
          {
            ...{
              id: "checks for orders: abc [daily]",
              name: "Cities",
              tags: ["team: sales"],
              type: "AllowedValues",
            },
            configuration: { values: ["Rome"], where: "(created_at > '2024-01-01') and (id > 0)" },
          },
        ],
      },
    ]);
  });

  test("for each dataset, also by pattern", () => {
    const file = {
      "for each dataset T": { datasets: ["%", "exclude customers"], checks: ["row_count > 0"] },
    };
    expect(suiteIn(file).tables.map(({ tableName }) => tableName)).toEqual(["orders"]);
  });

  test("the same check twice is two rules, each recognized again", () => {
    const checks = ["row_count > 0", "row_count > 5"];
    expect(suiteIn({ "checks for orders": checks }).tables[0]?.rules.map(({ id }) => id)).toEqual([
      "checks for orders: row_count",
      "checks for orders: row_count~2",
    ]);
  });

  test("what is no file of Soda's is refused", () => {
    for (const content of [null, [], "x", { models: [] }, { name: "x", expectations: [] }])
      expect(() => suiteIn(content)).toThrow("The files cannot be imported");
  });
});

describe("data contracts", () => {
  const contract = (more: object) => ({ dataset: "warehouse/shop/public/orders", columns: [], ...more });
  const checksOf = (content: object) =>
    suiteIn(content).tables.flatMap(({ rules }) =>
      rules.map(({ type, column, configuration }) => ({ type, ...(column && { column }), ...configuration })),
    );

  test("checks of columns and of the dataset, with thresholds", () => {
    const columns = [
      { name: "id", checks: [{ missing: null }, { duplicate: null }] },
      {
        name: "city",
        checks: [
          { missing: { threshold: { metric: "percent", must_be_less_than_or_equal: 10 } } },
          { invalid: { valid_values: ["Rome"], filter: "id > 1" } },
          { invalid: { qualifier: "2", valid_reference_data: { dataset: "customers", column: "City" } } },
        ],
      },
      {
        name: "amount",
        checks: [
          {
            aggregate: {
              function: "avg",
              threshold: { must_be_between: { greater_than: 0, less_than_or_equal: 9 } },
            },
          },
        ],
      },
    ];
    const checks = [
      { row_count: null },
      { freshness: { column: "created_at", threshold: { unit: "hour", must_be_less_than: 24 } } },
      { duplicate: { columns: ["id", "city"] } },
      { failed_rows: { expression: "amount < 0", threshold: { must_be_less_than: 3, level: "warn" } } },
      { schema: null },
    ];
    expect(checksOf(contract({ columns, checks }))).toEqual([
      { type: "NullRate", column: "id", maxNullPercent: 0 },
      { type: "Uniqueness", column: "id" },
      { type: "NullRate", column: "city", maxNullPercent: 10 },
      { type: "AllowedValues", column: "city", values: ["Rome"], where: "id > 1" },
      { type: "Referential", column: "city", referenceTable: "customers", referenceColumn: "City" },
      { type: "CustomSql", sql: expect.stringContaining("checked.value > 0 and checked.value <= 9") },
      { type: "Volume", minRows: 1 },
      { type: "Freshness", column: "created_at", maxAgeMinutes: 1440 },
      { type: "UniqueCombination", columns: ["id", "city"] },
      { type: "RowCondition", condition: "not (\namount < 0\n)", maxFailingRows: 2 },
      { type: "CustomSql", sql: expect.stringContaining("3 - (select count(*)") },
      { type: "CustomSql", sql: expect.stringContaining("not (lower(COLUMN_NAME) in") },
    ]);
  });

  test("as version 3 wrote them", () => {
    const columns = [
      { name: "id", checks: [{ type: "no_missing_values" }, { type: "no_duplicate_values" }] },
      { name: "city", checks: [{ type: "invalid_percent", valid_values: ["a"], must_be_less_than: 1 }] },
    ];
    const checks = [
      { type: "rows_exist" },
      { type: "freshness_in_hours", column: "created_at", must_be_less_than: 6 },
    ];
    expect(checksOf({ dataset: "orders", columns, checks })).toEqual([
      { type: "NullRate", column: "id", maxNullPercent: 0 },
      { type: "Uniqueness", column: "id" },
      { type: "AllowedValues", column: "city", values: ["a"], maxFailingPercent: 1 },
      { type: "Volume", minRows: 1 },
      { type: "Freshness", column: "created_at", maxAgeMinutes: 360 },
    ]);
  });
});

describe("anomaly detection becomes a rule that learns", () => {
  test.each([
    ["anomaly detection for row_count", { type: "Volume", usual: "Both" }],
    ["anomaly score for row_count < default", { type: "Volume", usual: "Both" }],
    ["anomaly detection for avg(amount)", { type: "Mean", column: "amount", usual: "Both" }],
    ["anomaly detection for missing_percent(city)", { type: "NullRate", column: "city", usual: "Both" }],
    [
      { "anomaly detection for avg(amount)": { warn_only: true, filter: "id > 3" } },
      { type: "Mean", column: "amount", usual: "Both", where: "id > 3", severity: "Low" },
    ],
  ])("%j", (check, expected) => {
    expect(become(check)).toEqual([expected]);
  });
});

describe("checks by group", () => {
  const grouped = (query: string, checks: unknown[], fields = ["city"]) =>
    become({ "group by": { group_limit: 10, query, fields, checks } });
  test("of a mean or a number of rows become rules by group", () => {
    expect(
      grouped(
        "SELECT city, AVG(amount) AS mean_amount, count(*) as n\nFROM orders WHERE id > 3 GROUP BY city",
        [{ mean_amount: { fail: "when > 60", name: "Not too much" } }, "n >= 2"],
      ),
    ).toEqual([
      { type: "Mean", column: "amount", max: "60", where: "id > 3", groupBy: ["city"] },
      { type: "Volume", minRows: 2, where: "id > 3", groupBy: ["city"] },
    ]);
  });
  test("of anything else count the groups that are not within their limit", () => {
    const [rule] = grouped("select city, sum(amount) as total from orders group by city", [
      { total: { warn: "when < 10" } },
    ]) as { type: string; sql: string; severity: string }[];
    expect(rule).toMatchObject({ type: "CustomSql", severity: "Low" });
    expect(rule?.sql).toContain('where not (found."total" >= 10)');
    // Another table, groups that are no columns, and limits that a Mean rule cannot say.
    for (const [query, check] of [
      ["select city, avg(amount) as m from customers group by city", "m <= 3"],
      ["select upper(city) as city, avg(amount) as m from orders group by upper(city)", "m <= 3"],
      ["select city, avg(amount) as m from orders group by city having count(*) > 1", "m <= 3"],
      ["select city, avg(amount) as m from orders group by city", "m < 3"],
    ] as const)
      expect(grouped(query, [check])).toMatchObject([{ type: "CustomSql" }]);
  });
});

describe("what is not carried over has a reason", () => {
  test.each([
    ["anomaly detection for duplicate_count(id)", "No kind of rule learns what is usual of duplicate_count"],
    ["anomaly detection for avg", "Names no column"],
    ["change avg last 7 for row_count < 50", "Compares with earlier scans"],
    [{ "distribution_difference(amount) > 0.05": { method: "ks" } }, "Compares with earlier scans"],
    [{ "group by": { query: "select 1" } }, "Has no query, fields, and checks"],
    ["row_count same as orders in other_source", "a table of another data source"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Soda's syntax for variables
    ["row_count > ${LEAST}", "Uses the variable LEAST"],
    ["values in (city) must exist in ghosts (city)", "The data source has no table ghosts"],
    ["invalid_count(city) = 0", "Says nothing of which values are valid"],
    ["row_count", "Has no limit"],
    ["row_count ?? 3", "Its limit cannot be read"],
    [{ "own > 1": { "own sql_file": "a.sql" } }, "Its query is in another file"],
    [{ "invalid_count(city) = 0": { "valid format": "iban" } }, "valid format is not known: iban"],
    [3, "Is not written as Soda writes a check"],
  ])("%j", (check, reason) => {
    const { notCarried } = suiteIn({ "checks for orders": [check] });
    expect(notCarried).toMatchObject([{ reason: expect.stringContaining(reason) }]);
    expect(notCarried[0]?.path).toMatch(/^checks\.yml: checks for orders/);
  });

  test("also of a whole section", () => {
    const { notCarried } = suiteIn({ checks: ["a > 1"], "automated monitoring": { datasets: ["%"] } });
    expect(notCarried.map(({ path }) => path)).toEqual([
      "checks.yml: checks",
      "checks.yml: automated monitoring",
    ]);
  });

  test("regular expressions on SQL Server", () => {
    const check = { "invalid_count(city) = 0": { "valid regex": "^a" } };
    expect(become(check, { dialect: sqlserver })).toEqual([
      "This kind of database has no regular expressions",
    ]);
    expect(become(check, { dialect: mysql })).toEqual([{ type: "Pattern", column: "city", pattern: "^a" }]);
  });

  test("hostile names do no harm", () => {
    const content = JSON.parse(
      '{"checks for __proto__": ["constructor(toString) > 0", {"__proto__": {"x": 1}}]}',
    );
    expect(suiteIn(content).tables.flatMap(({ rules }) => rules)).toEqual([]);
    expect(Object.getOwnPropertyNames({})).toEqual([]);
  });
});
