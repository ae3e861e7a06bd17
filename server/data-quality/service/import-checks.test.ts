import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { mysql, mysqlConnection } from "../../test/mysql.ts";
import { rest } from "../../test/rest-client.ts";

/**
 * Checks of Soda and Great Expectations over REST, on PostgreSQL and on MySQL: what they become is measured, and passes
 * or fails as those tools say. Expected results are counted by hand.
 */

type Json = Awaited<ReturnType<typeof rest>>["body"];

const tables = `
  create table people (id int, city varchar(20), amount int, other int, born date, mail varchar(40));
  insert into people values
    (1, 'Rome', 10, 10, '2001-01-01', 'a@example.org'), (2, 'Oslo', 20, 1, '2002-01-01', 'b@example.org'),
    (2, 'Rome', -5, 0, '2003-01-01', 'none'), (4, null, 30, 3, '2004-01-01', null);
  create table cities (name varchar(20), spare int);
  insert into cities values ('Rome', 1), ('Bonn', 2);`;

const engines: Record<string, () => Promise<number>> = {
  PostgreSQL: async () => (await aDataSource()).id,
  MySQL: async () => (await aDataSource({ kind: "MySql", connection: mysqlConnection })).id,
};

let cookie: string;

beforeAll(async () => {
  cookie = await aSession("Editor");
  await sql.unsafe(tables);
  await mysql.query(tables);
});
afterAll(closeSources);

/** Every rule's result by its name, after an import; what could not run is its message. */
async function measure(path: string, json: Json): Promise<Record<string, boolean | string>> {
  const { status, body } = await rest("POST", `/data-quality/imports/${path}`, { cookie, json });
  expect([status, body.errors ?? body.notCarried]).toEqual([200, []]);
  const results: Record<string, boolean | string> = {};
  for (const { contractId } of body.tables) {
    const { body: evaluation } = await rest("POST", `/data-quality/contracts/${contractId}/evaluate`, {
      cookie,
    });
    // One of two rules of a check may fail.
    for (const { ruleName, passed, couldRun, message } of evaluation.ruleResults)
      results[ruleName] = couldRun ? passed && (results[ruleName] ?? true) : String(message);
  }
  return results;
}

/** Soda's checks by their result. */
const sodaChecks: [boolean, string][] = [
  [true, "row_count = 4"],
  [false, "row_count between 5 and 9"],
  [true, "row_count != 3"],
  [false, "missing_count(city) = 0"],
  [true, "missing_count(city) < 2"],
  [true, "missing_percent(city) <= 25%"],
  [false, "missing_percent(city) < 24"],
  [true, "missing_count(city) > 0"],
  [false, "missing_count(mail) = 1: {missing values: [none]}"],
  [true, "missing_count(mail) = 2: {missing values: [none]}"],
  [true, "invalid_count(city) = 0: {valid values: [Rome, Oslo]}"],
  [false, "invalid_count(city) = 0: {valid values: [Rome]}"],
  [true, "invalid_percent(city) = 25: {valid values: [Rome]}"],
  [true, "invalid_count(mail) <= 1: {valid format: email}"],
  [false, "invalid_count(mail) = 0: {valid format: email}"],
  [true, "invalid_count(mail) = 0: {valid format: email, missing values: [none]}"],
  [false, "invalid_count(mail) = 0: {invalid regex: '^n'}"],
  [true, "invalid_count(city) = 0: {valid length: 4}"],
  [false, "invalid_count(city) = 0: {valid max length: 3}"],
  [false, "invalid_count(amount) = 0: {valid min: 0}"],
  [true, "invalid_count(amount) = 0: {valid min: 0, filter: id <> 2}"],
  [false, "duplicate_count(id) = 0"],
  [true, "duplicate_count(id) = 1"],
  [true, "duplicate_percent(id) = 25"],
  [true, "duplicate_count(id, city) = 0"],
  [true, "max(amount) <= 30"],
  [false, "max(amount) < 30"],
  [false, "min(amount) >= 0"],
  [true, "min(amount) = -5"],
  [true, "avg(amount) = 13.75"],
  [true, "sum(amount) between 55 and 60"],
  [true, "stddev(amount) between 14 and 15"],
  [true, "avg_length(city) = 4"],
  [true, "freshness(born) < 90000d"],
  [false, "freshness(born) < 1d"],
  [false, "values in (city) must exist in cities (name)"],
  [false, "values in (city) must not exist in cities (name)"],
  [true, "values in (id, city) must not exist in cities (spare, name): {filter: id <> 1}"],
  [false, "row_count same as cities"],
  [false, "failed rows: {fail condition: amount < 0}"],
  [true, "failed rows: {fail condition: amount < 0, fail: when > 1}"],
  [false, "failed rows: {fail query: 'select id, city from people where amount < 0'}"],
  [true, "span = 35: {span expression: max(amount) - min(amount)}"],
  [true, "own = 4: {own query: select count(*) from people}"],
  [true, "schema: {fail: {when required column missing: [city, mail]}}"],
  [false, "schema: {fail: {when required column missing: [nothing]}}"],
  [false, "schema: {fail: {when forbidden column present: ['m%']}}"],
  [true, "schema: {fail: {when wrong column type: {born: date}}}"],
  [true, "schema: {fail: {when wrong column index: {id: 0, city: 1, mail: 5}}}"],
  [false, "schema: {fail: {when wrong column index: {id: 0, city: 2}}}"],
  [true, "schema: {fail: {when schema changes: any}}"],
];

/** Great Expectations' by their result. */
const expectations: [boolean, string, object][] = [
  [false, "expect_column_values_to_not_be_null", { column: "city" }],
  [true, "expect_column_values_to_not_be_null", { column: "city", mostly: 0.75 }],
  [false, "expect_column_values_to_be_unique", { column: "id" }],
  [true, "expect_column_values_to_be_unique", { column: "id", mostly: 0.5 }],
  [false, "expect_column_values_to_be_unique", { column: "id", mostly: 0.6 }],
  [true, "expect_column_values_to_be_unique", { column: "id", row_condition: 'city == "Rome"' }],
  // Of three cities that are there, one is Oslo: a third, although it is a fourth of the rows.
  [false, "expect_column_values_to_be_in_set", { column: "city", value_set: ["Rome"], mostly: 0.7 }],
  [true, "expect_column_values_to_be_in_set", { column: "city", value_set: ["Rome"], mostly: 0.6 }],
  [true, "expect_column_values_to_be_in_set", { column: "id", value_set: [1, 2, 4] }],
  [false, "expect_column_values_to_not_be_in_set", { column: "city", value_set: ["Rome"] }],
  [false, "expect_column_distinct_values_to_contain_set", { column: "city", value_set: ["Bonn"] }],
  [true, "expect_column_distinct_values_to_contain_set", { column: "city", value_set: ["Rome"] }],
  [false, "expect_column_values_to_be_between", { column: "amount", min_value: 0 }],
  [true, "expect_column_values_to_be_between", { column: "born", min_value: "2000-12-31" }],
  [true, "expect_column_value_lengths_to_equal", { column: "city", value: 4 }],
  [false, "expect_column_values_to_match_regex", { column: "mail", regex: "@" }],
  [false, "expect_column_values_to_not_match_regex_list", { column: "mail", regex_list: ["^n", "^z"] }],
  [
    true,
    "expect_column_values_to_match_like_pattern_list",
    { column: "city", like_pattern_list: ["R%", "O%"] },
  ],
  [
    true,
    "expect_column_pair_values_a_to_be_greater_than_b",
    { column_A: "amount", column_B: "other", mostly: 0.5 },
  ],
  [
    false,
    "expect_column_pair_values_a_to_be_greater_than_b",
    { column_A: "amount", column_B: "other", or_equal: true },
  ],
  [true, "expect_compound_columns_to_be_unique", { column_list: ["id", "city"] }],
  [false, "expect_multicolumn_sum_to_equal", { column_list: ["amount", "other"], sum_total: 20 }],
  [true, "expect_column_mean_to_be_between", { column: "amount", min_value: 13.7, max_value: 13.8 }],
  [true, "expect_column_max_to_be_between", { column: "born", max_value: "2004-01-01" }],
  [true, "expect_column_unique_value_count_to_be_between", { column: "city", min_value: 2, max_value: 2 }],
  [true, "expect_column_proportion_of_unique_values_to_be_between", { column: "id", max_value: 0.75 }],
  [false, "expect_table_row_count_to_equal_other_table", { other_table_name: "cities" }],
  [true, "expect_table_column_count_to_equal", { value: 6 }],
  [true, "expect_column_to_exist", { column: "mail" }],
  [false, "expect_table_columns_to_match_set", { column_set: ["id", "city"] }],
  [true, "expect_table_columns_to_match_set", { column_set: ["id", "city"], exact_match: false }],
  [
    true,
    "expect_table_columns_to_match_ordered_list",
    { column_list: ["id", "city", "amount", "other", "born", "mail"] },
  ],
  [
    false,
    "expect_table_columns_to_match_ordered_list",
    { column_list: ["city", "id", "amount", "other", "born", "mail"] },
  ],
  [true, "expect_column_values_to_be_of_type", { column: "id", type_: "INTEGER" }],
  [true, "expect_column_values_to_be_in_type_list", { column: "city", type_list: ["VARCHAR", "TEXT"] }],
  // The distances from 13.75 are 0.25, 0.42, −1.26, and 1.09 standard deviations.
  [true, "expect_column_value_z_scores_to_be_less_than", { column: "amount", threshold: 1.2 }],
  [
    false,
    "expect_column_value_z_scores_to_be_less_than",
    { column: "amount", threshold: 1.2, double_sided: true },
  ],
  [
    true,
    "expect_column_value_z_scores_to_be_less_than",
    { column: "amount", threshold: 1.2, double_sided: true, mostly: 0.75 },
  ],
  [true, "expect_column_most_common_value_to_be_in_set", { column: "city", value_set: ["Rome"] }],
  [false, "expect_column_most_common_value_to_be_in_set", { column: "city", value_set: ["Oslo"] }],
  [false, "expect_column_most_common_value_to_be_in_set", { column: "other", value_set: [3] }],
  [
    true,
    "expect_column_most_common_value_to_be_in_set",
    { column: "other", value_set: [3], ties_okay: true },
  ],
  [false, "unexpected_rows_expectation", { unexpected_rows_query: "select * from {batch} where amount < 0" }],
];

/** dbt's, with those that become a statement of ours, by their result. */
const dbtTests: [boolean, string, string, object][] = [
  [false, "dbt_utils", "expression_is_true", { expression: "amount >= 0" }],
  [true, "dbt_utils", "not_constant", { column_name: "amount" }],
  [false, "dbt_utils", "not_constant", { column_name: "city", group_by_columns: ["id"] }],
  [true, "dbt_utils", "at_least_one", { column_name: "city" }],
  [false, "dbt_utils", "at_least_one", { column_name: "city", group_by_columns: ["id"] }],
  [true, "dbt_utils", "not_null_proportion", { column_name: "city", at_least: 0.75 }],
  [
    false,
    "dbt_utils",
    "not_null_proportion",
    { column_name: "city", at_least: 0.75, group_by_columns: ["id"] },
  ],
  [false, "dbt_utils", "equal_rowcount", { compare_model: "ref('cities')" }],
  [false, "dbt_utils", "fewer_rows_than", { compare_model: "ref('cities')" }],
  [false, "dbt_utils", "cardinality_equality", { column_name: "city", field: "name", to: "ref('cities')" }],
  [true, "dbt_utils", "equality", { compare_model: "ref('people')" }],
  [true, "dbt_utils", "equality", { compare_model: "ref('people')", exclude_columns: ["mail"] }],
  [false, "dbt_utils", "sequential_values", { column_name: "id" }],
  [
    false,
    "dbt_utils",
    "relationships_where",
    { column_name: "city", field: "name", to: "ref('cities')", to_condition: "spare > 1" },
  ],
  [
    false,
    "dbt_utils",
    "mutually_exclusive_ranges",
    { lower_bound_column: "other", upper_bound_column: "amount" },
  ],
  [
    true,
    "dbt_expectations",
    "expect_column_mean_to_be_between",
    { column_name: "amount", min_value: 13, max_value: 14 },
  ],
  [true, "dbt_expectations", "expect_table_column_count_to_equal", { value: 6 }],
  [true, "dbt_expectations", "expect_table_column_count_to_be_between", { min_value: 6 }],
  [
    false,
    "dbt_expectations",
    "expect_table_column_count_to_equal_other_table",
    { compare_model: "ref('cities')" },
  ],
  [false, "dbt_expectations", "expect_table_columns_to_match_set", { column_list: ["id"] }],
  [true, "dbt_expectations", "expect_table_columns_to_contain_set", { column_list: ["ID", "city"] }],
  [true, "dbt_expectations", "expect_table_columns_to_not_contain_set", { column_list: ["nothing"] }],
  [
    true,
    "dbt_expectations",
    "expect_table_columns_to_match_ordered_list",
    { column_list: ["id", "city", "amount", "other", "born", "mail"] },
  ],
  [
    true,
    "dbt_expectations",
    "expect_column_values_to_be_of_type",
    { column_name: "born", column_type: "date" },
  ],
  [
    false,
    "dbt_expectations",
    "expect_column_values_to_be_in_type_list",
    { column_name: "born", column_type_list: ["text"] },
  ],
];

describe.each(Object.entries(engines))("on %s", (_, aSource) => {
  test("Soda's checks", async () => {
    const named = sodaChecks.map(([, check]) => {
      const [, line, settings] = /^(.*?)(?:: (\{.*))?$/.exec(check) ?? [];
      return `  - ${line}: {name: ${JSON.stringify(check)}, ${settings?.slice(1) ?? "}"}`;
    });
    const yaml = `checks for people:\n${named.join("\n")}`;
    const results = await measure("soda", {
      dataSourceId: await aSource(),
      files: [{ path: "a.yml", yaml }],
    });
    expect(results).toEqual(Object.fromEntries(sodaChecks.map(([passes, check]) => [check, passes])));
  });

  test("Great Expectations'", async () => {
    const nameOf = (type: string, kwargs: object) => `${type} ${JSON.stringify(kwargs)}`;
    const suite = {
      name: "people",
      expectations: expectations.map(([, type, kwargs]) => ({
        type,
        kwargs,
        description: nameOf(type, kwargs),
      })),
    };
    const results = await measure("gx", {
      dataSourceId: await aSource(),
      files: [{ path: "a.json", suite }],
    });
    expect(results).toEqual(
      Object.fromEntries(expectations.map(([passes, type, kwargs]) => [nameOf(type, kwargs), passes])),
    );
  });

  test("dbt's tests", async () => {
    const model = (name: string) => ({
      ...{ resource_type: "model", name, package_name: "shop", alias: name, columns: {} },
    });
    const nodes = dbtTests.map(([, namespace, name, kwargs], index) => [
      `test.shop.${index}`,
      {
        ...{ resource_type: "test", name: `${index} ${name}`, package_name: "shop", config: {} },
        ...{ original_file_path: "a.yml", attached_node: "model.shop.people" },
        test_metadata: { name, namespace, kwargs },
        depends_on: { nodes: ["model.shop.people"], macros: [] },
      },
    ]);
    const models = { "model.shop.people": model("people"), "model.shop.cities": model("cities") };
    const manifest = {
      metadata: { project_name: "shop" },
      nodes: { ...models, ...Object.fromEntries(nodes) },
    };
    const results = await measure("dbt", { dataSourceId: await aSource(), manifest });
    expect(results).toEqual(
      Object.fromEntries(dbtTests.map(([passes, , name], index) => [`${index} ${name}`, passes])),
    );
  });
});

test.each(Object.entries(engines))("on %s, Soda's checks by group", async (_, aSource) => {
  const groups = (query: string, ...checks: string[]) =>
    `  - group by:\n      query: ${query}\n      fields: [city]\n      checks:\n${checks.map((each) => `        - ${each}\n`).join("")}`;
  // Rome has 10 and −5, Oslo 20, and one without a city 30.
  const yaml = `checks for people:\n${groups(
    "select city, avg(amount) as m, count(*) as n from people group by city",
    "m <= 30: {name: mean}",
    "m <= 29: {name: lower mean}",
    "n >= 1: {name: rows}",
  )}${groups("select city, max(amount) as most from people group by city", "most: {fail: when > 29, name: most}")}`;
  const results = await measure("soda", { dataSourceId: await aSource(), files: [{ path: "a.yml", yaml }] });
  expect(results).toEqual({ mean: true, "lower mean": false, rows: true, most: false });
});

test("imported again, files change what they name, and leave other tables alone", async () => {
  const dataSourceId = await engines.PostgreSQL?.();
  const send = async (yaml: string) => {
    const json = { dataSourceId, files: [{ path: "a.yml", yaml }] };
    const { body } = await rest("POST", "/data-quality/imports/soda", { cookie, json });
    return [body.totals.contracts, body.totals.rules];
  };
  const people = "checks for people: [row_count > 0, duplicate_count(id) = 0]";
  const none = { new: 0, updated: 0, unchanged: 0, kept: 0, removed: 0 };
  const both = `${people}\nchecks for cities: [row_count > 0]`;
  expect(await send(both)).toEqual([
    { new: 2, updated: 0, archived: 0 },
    { ...none, new: 3 },
  ]);
  expect(await send(both)).toEqual([
    { new: 0, updated: 0, archived: 0 },
    { ...none, unchanged: 3 },
  ]);
  // A limit changed, a check is gone, and the other file was not given.
  expect(await send("checks for people: [row_count > 3]")).toEqual([
    { new: 0, updated: 1, archived: 0 },
    { ...none, updated: 1, removed: 1 },
  ]);
  expect(await send(both)).toEqual([
    { new: 0, updated: 1, archived: 0 },
    { ...none, new: 1, updated: 1, unchanged: 1 },
  ]);
});

test("a file that is not YAML, a bomb, and no file at all are refused, and the file is named", async () => {
  const json = (yaml: string) => ({ dataSourceId: 1, files: [{ path: "b.yml", yaml }] });
  const dataSourceId = await engines.PostgreSQL?.();
  const send = async (body: object) => {
    const sent = await rest("POST", "/data-quality/imports/soda/preview", {
      cookie,
      json: { ...body, dataSourceId },
    });
    return [sent.status, sent.body.errors?.[0]?.path];
  };
  expect(await send(json("checks for a: [}"))).toEqual([400, expect.stringMatching(/^b\.yml: line 1/)]);
  const bomb = Array.from(
    { length: 12 },
    (_, n) => `l${n}: &l${n} [${n === 0 ? "x" : `${`*l${n - 1},`.repeat(9)}`}]`,
  );
  expect(await send(json(bomb.join("\n")))).toEqual([400, "b.yml"]);
  expect(await send({ files: [] })).toEqual([400, "files"]);
});

test("changes of columns fail until a person approves them, also when the file is imported again", async () => {
  await sql.unsafe("create table plants (id int not null, name text)");
  const dataSourceId = (await aDataSource()).id;
  const yaml =
    "checks for plants:\n  - schema:\n      fail:\n        when schema changes: [column add, column delete]";
  const json = { dataSourceId, files: [{ path: "plants.yml", yaml }] };
  const imported = async () => {
    const { status, body } = await rest("POST", "/data-quality/imports/soda", { cookie, json });
    expect([status, body.notCarried]).toEqual([200, []]);
    return body;
  };
  const evaluated = async (contractId: number) => {
    const path = `/data-quality/contracts/${contractId}/evaluate`;
    const { body } = await rest("POST", path, { cookie });
    return body.ruleResults.map((result: Json) => [result.passed, result.message]);
  };
  const { tables: created } = await imported();
  const [{ contractId }] = created;
  expect(created[0].rules[0].sentence).toContain("The columns are as approved");
  expect(await evaluated(contractId)).toEqual([[true, null]]);

  // Another type is none of the changes that the check names.
  await sql.unsafe("alter table plants alter column id type bigint");
  expect(await evaluated(contractId)).toEqual([[true, null]]);
  await sql.unsafe("alter table plants add column height int");
  await rest("POST", `/data-sources/${dataSourceId}/refresh-schema`, { cookie });
  expect((await imported()).totals.rules).toMatchObject({ unchanged: 1, updated: 0, kept: 0 });
  expect(await evaluated(contractId)).toEqual([[false, "height (integer) was added"]]);
});
