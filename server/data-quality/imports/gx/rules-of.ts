import { Decimal } from "../../decimal.ts";
import { catalogTypes } from "../catalog-types.ts";
import type { CheckedRows } from "../checked-rows.ts";
import { columnCountSql, inOrderSql, isOfType, missingColumnsSql, otherColumnsSql } from "../columns-sql.ts";
import type { CheckedTable } from "../destination.ts";
import { type Bound, exactly, type Limit, plainNumber } from "../limit.ts";
import { customSqlOf, type Draft } from "../suite.ts";
import { type Arguments, NotCarriedOver } from "./expectation.ts";

export type Target = { rows: CheckedRows; other(name: string): CheckedTable | null };
type Mapping = (given: Arguments, target: Target) => Draft[];

/** The rules that say what an expectation says. Throws NotCarriedOver with the reason. */
export function rulesOf(type: string, given: Arguments, target: Target): Draft[] {
  const mapping = Object.hasOwn(mappings, type) ? mappings[type] : undefined;
  if (!mapping) throw new NotCarriedOver("No kind of rule says that");
  return mapping(given, target);
}

const none = exactly("0");

/** How many of the rows may be otherwise: `mostly` is the share that must not. */
function allowedBy(given: Arguments): Limit {
  const mostly = given.number("mostly");
  if (mostly === null) return none;
  const percent = new Decimal(1).minus(mostly).times(100);
  if (percent.isNegative() || percent.greaterThanOrEqualTo(100))
    throw new NotCarriedOver("Its mostly is not a share from above 0 to 1");
  return { min: null, max: { value: percent.toFixed(), isStrict: false }, isOutside: false };
}

/** Missing values are left out of an expectation of values, also when a share is counted. */
function require(given: Arguments, { rows }: Target, good: string, rule?: Draft): Draft[] {
  const among = `${rows.quoted(given.text("column"))} is not null`;
  return [rows.require({ good, unit: "percent", limit: allowedBy(given), among, ...(rule && { rule }) })];
}

const ofValues =
  (condition: (value: string, given: Arguments, target: Target) => string): Mapping =>
  (given, target) =>
    require(given, target, condition(target.rows.quoted(given.text("column")), given, target));

function literal({ dialect }: CheckedRows, value: unknown): string {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  const written = isPlain ? dialect.literal(value as string | number | boolean) : null;
  if (written === null) throw new NotCarriedOver("One of its values is no text, number, or truth value");
  return written;
}

function listed(rows: CheckedRows, value: string, values: unknown[]): string {
  const set = values.filter((each) => each !== null);
  const areTexts = set.every((each) => typeof each === "string");
  return `${areTexts ? rows.dialect.asText(value) : value} in (${set.map((each) => literal(rows, each)).join(", ")})`;
}

const inSet: Mapping = (given, target) => {
  const { rows } = target;
  const column = given.text("column");
  const values = given.list("value_set").filter((each) => each !== null);
  const areTexts =
    values.length <= 1000 && values.every((each) => typeof each === "string" && each.length <= 500);
  const rule: Draft | undefined = areTexts
    ? { type: "AllowedValues", column: rows.column(column), configuration: { values: [...new Set(values)] } }
    : undefined;
  return require(given, target, listed(rows, rows.quoted(column), values), rule);
};

/** Each of the values occurs. */
const containSet: Mapping = (given, { rows }) => {
  const value = rows.quoted(given.text("column"));
  const values = [...new Set(given.list("value_set").filter((each) => each !== null))];
  const counted = `select ${values.length} - count(distinct case when ${listed(rows, value, values)} then ${value} end) from ${rows.from}`;
  return [rows.figure(counted, none)];
};

/** The bounds of a figure or of values; values of other types than numbers are written as literals. */
function boundsOf(given: Arguments, rows: CheckedRows): Limit {
  const bound = (end: "min" | "max"): Bound | null => {
    const value = given.get(`${end}_value`);
    return value === undefined || value === null
      ? null
      : {
          value: typeof value === "number" ? String(value) : literal(rows, value),
          isStrict: given.flag(`strict_${end}`),
        };
  };
  const [min, max] = [bound("min"), bound("max")];
  if (min === null && max === null) throw new NotCarriedOver("Has neither min_value nor max_value");
  return { min, max, isOutside: false };
}

const between: Mapping = (given, target) => {
  const { rows } = target;
  const column = given.text("column");
  const { min, max } = boundsOf(given, rows);
  const value = rows.quoted(column);
  const conditions = [
    min && `${value} >${min.isStrict ? "" : "="} ${min.value}`,
    max && `${value} <${max.isStrict ? "" : "="} ${max.value}`,
  ].filter((each) => each !== null);
  const isPlain = [min, max].every((each) => !each || (!each.isStrict && /^[+-]?[\d.]+$/.test(each.value)));
  const rule: Draft = {
    ...{ type: "Range", column: rows.column(column) },
    configuration: { ...(min && { min: min.value }), ...(max && { max: max.value }) },
  };
  return require(given, target, conditions.join(" and "), isPlain ? rule : undefined);
};

const figure =
  (expression: (value: string, rows: CheckedRows) => string | null): Mapping =>
  (given, { rows }) => {
    const written = expression(rows.quoted(given.text("column")), rows);
    if (written === null) throw new NotCarriedOver("This kind of database has no such function");
    return [rows.aggregate(written, boundsOf(given, rows))];
  };

const mean: Mapping = (given, target) => {
  const { rows } = target;
  const limit = boundsOf(given, rows);
  const { min, max } = limit;
  const isPlain = [min, max].every((each) => !each || (!each.isStrict && plainNumber.test(each.value)));
  if (!isPlain) return figure((value) => `avg(1.0 * ${value})`)(given, target);
  const bounds = { ...(min && { min: min.value }), ...(max && { max: max.value }) };
  return [rows.rule({ type: "Mean", column: rows.column(given.text("column")), configuration: bounds })];
};

/** The value that occurs most often, which may be several, is one of a set. */
const mostCommon: Mapping = (given, { rows }) => {
  const value = rows.quoted(given.text("column"));
  const counted = `select ${value} as v, ${rows.dialect.count()} as n from ${rows.from} where ${value} is not null group by ${value}`;
  const most = `(${counted}) often where often.n = (select max(counts.n) from (${counted}) counts)`;
  const isListed = listed(rows, "often.v", given.list("value_set"));
  const found = (condition: string) => `select ${rows.dialect.count()} from ${most}${condition}`;
  return [
    rows.figure(found(` and ${isListed}`), { ...exactly("1"), max: null }),
    ...(given.flag("ties_okay") ? [] : [rows.figure(found(""), exactly("1"))]),
  ];
};

/** How many standard deviations a value is from the mean of all. */
const zScores: Mapping = (given, target) => {
  const { rows } = target;
  if (rows.dialect.name === "sqlserver")
    throw new NotCarriedOver("This kind of database does not count what a query inside a condition says");
  const value = rows.quoted(given.text("column"));
  const from = (expression: string) => `(select ${expression} from ${rows.from})`;
  const distance = `${value} - ${from(`avg(1.0 * ${value})`)}`;
  const far = given.flag("double_sided") ? `abs(${distance})` : distance;
  return require(given, target, `${far} < ${required(given, "threshold")} * ${from(`stddev_samp(${value})`)}`);
};

function matching(target: Target, value: string, patterns: readonly string[], word: "and" | "or"): string {
  const { dialect } = target.rows;
  const parts = patterns.map((pattern) =>
    dialect.pattern.matches(dialect.asText(value), literal(target.rows, pattern)),
  );
  if (parts.includes(null)) throw new NotCarriedOver("This kind of database has no regular expressions");
  return parts.length === 1 ? String(parts[0]) : parts.map((part) => `(${part})`).join(` ${word} `);
}

const like = (target: Target, value: string, patterns: readonly string[]) =>
  patterns.map((pattern) => `${target.rows.dialect.asText(value)} like ${literal(target.rows, pattern)}`);

const anyOrAll = (given: Arguments) => (given.get("match_on") === "all" ? "and" : "or");

const regex: Mapping = (given, target) => {
  const { rows } = target;
  const column = given.text("column");
  const pattern = given.text("regex");
  const good = matching(target, rows.quoted(column), [pattern], "and");
  return require(given, target, good, {
    ...{ type: "Pattern", column: rows.column(column) },
    configuration: { pattern },
  });
};

const pair =
  (condition: (a: string, b: string, given: Arguments, rows: CheckedRows) => string): Mapping =>
  (given, { rows }) => {
    const [a, b] = [rows.quoted(given.text("column_A")), rows.quoted(given.text("column_B"))];
    const ignores = String(given.get("ignore_row_if") ?? "both_values_are_missing");
    const among =
      ignores === "either_value_is_missing"
        ? `${a} is not null and ${b} is not null`
        : `not (${a} is null and ${b} is null)`;
    return [
      rows.require({ good: condition(a, b, given, rows), unit: "percent", limit: allowedBy(given), among }),
    ];
  };

const together: Mapping = (given, { rows }) => {
  if (given.has("mostly") && given.number("mostly") !== "1")
    throw new NotCarriedOver(
      "A rule for combinations allows no share of duplicates as Great Expectations counts it",
    );
  return [
    rows.unique(given.texts("column_list"), ["Rows with a NULL in one of the columns are not compared."]),
  ];
};

const differentWithin: Mapping = (given, { rows }) => {
  const columns = given.texts("column_list").map((each) => rows.quoted(each));
  if (columns.length > 12) throw new NotCarriedOver("Compares more than 12 columns with each other");
  const pairs = columns.flatMap((a, index) => columns.slice(index + 1).map((b) => `${a} <> ${b}`));
  return [rows.require({ good: pairs.join(" and "), unit: "percent", limit: allowedBy(given) })];
};

const rowCount: Mapping = (given, { rows }) => {
  const value = given.number("value");
  return [rows.rowCount(value === null ? boundsOf(given, rows) : exactly(value))];
};

const columnsAre =
  (
    judge: (
      given: Arguments,
      catalog: { dialect: CheckedRows["dialect"]; table: CheckedTable },
    ) => [string, Limit][],
  ): Mapping =>
  (given, { rows }) =>
    judge(given, rows).map(([sql, limit]) => rows.figure(sql, limit));

const ofType =
  (key: string): Mapping =>
  (given, { rows }) => {
    const names = key === "type_" ? [given.text("type_")] : given.texts(key);
    const types = names.flatMap((name) => catalogTypes(name));
    if (types.length === 0)
      throw new NotCarriedOver(`The type ${names.join(", ").slice(0, 100)} is not known`);
    const sql = columnCountSql(rows, isOfType(rows.dialect, given.text("column"), types));
    return [
      rows.figure(sql, exactly("1"), ["The type is compared with its name in the database's catalog."]),
    ];
  };

const quantiles: Mapping = (given, { rows }) => {
  const ranges = given.get("quantile_ranges") as { quantiles?: unknown; value_ranges?: unknown } | null;
  const [shares, bounds] = [ranges?.quantiles, ranges?.value_ranges];
  if (rows.dialect.name !== "postgresql")
    throw new NotCarriedOver("This kind of database has no such function");
  if (!Array.isArray(shares) || !Array.isArray(bounds)) throw new NotCarriedOver("Has no quantile_ranges");
  const value = rows.quoted(given.text("column"));
  return shares.flatMap((share: unknown, index) => {
    const [min, max]: unknown[] = Array.isArray(bounds[index]) ? bounds[index] : [];
    if (typeof share !== "number" || share < 0 || share > 1)
      throw new NotCarriedOver("A quantile is from 0 to 1");
    const bound = (each: unknown) => (each == null ? null : { value: literal(rows, each), isStrict: false });
    const limit = { min: bound(min), max: bound(max), isOutside: false };
    if (limit.min === null && limit.max === null) return [];
    return [rows.aggregate(`percentile_disc(${share}) within group (order by ${value})`, limit)];
  });
};

const unexpectedRows: Mapping = (given, { rows }) => {
  const query = given
    .text("unexpected_rows_query")
    .trim()
    .replace(/[;\s]{1,100}$/, "")
    .replaceAll(
      "{batch}",
      rows.where === null ? rows.relation() : `(select * from ${rows.relation()} where (\n${rows.where}\n))`,
    );
  if (!rows.dialect.nestsWith && /^with\b/i.test(query))
    throw new NotCarriedOver(
      `${rows.dialect.label} does not allow a query that begins with WITH inside another`,
    );
  return [{ type: "CustomSql", configuration: { sql: customSqlOf(query) } }];
};

const distribution: Mapping = () => {
  throw new NotCarriedOver("Is about a distribution of values, which no kind of rule compares");
};
const order: Mapping = () => {
  throw new NotCarriedOver("The rows of a database table have no order");
};
const content: Mapping = () => {
  throw new NotCarriedOver("Parses each value, which SQL cannot do alike in every database");
};

const mappings: Readonly<Record<string, Mapping>> = {
  expect_column_values_to_not_be_null: (given, { rows }) => [
    rows.missing(given.text("column"), "percent", allowedBy(given)),
  ],
  expect_column_values_to_be_null: (given, { rows }) => [
    rows.require({
      good: `${rows.quoted(given.text("column"))} is null`,
      ...{ unit: "percent", limit: allowedBy(given) },
    }),
  ],
  // Every row whose value occurs more than once is unexpected, which is what the rule counts.
  expect_column_values_to_be_unique: (given, { rows }) => {
    const name = rows.column(given.text("column"));
    const rule: Draft = { type: "Uniqueness", column: name, configuration: {} };
    const among = `${rows.dialect.quote(name)} is not null`;
    return [rows.require({ rule, good: among, unit: "percent", limit: allowedBy(given), among })];
  },
  expect_column_values_to_be_in_set: inSet,
  expect_column_distinct_values_to_be_in_set: inSet,
  expect_column_distinct_values_to_contain_set: containSet,
  expect_column_distinct_values_to_equal_set: (given, target) => [
    ...inSet(given, target),
    ...containSet(given, target),
  ],
  expect_column_values_to_not_be_in_set: ofValues(
    (value, given, { rows }) => `not (${listed(rows, value, given.list("value_set"))})`,
  ),
  expect_column_values_to_be_between: between,
  expect_column_value_lengths_to_equal: ofValues(
    (value, given, { rows }) => `${rows.dialect.length(value)} = ${required(given, "value")}`,
  ),
  expect_column_value_lengths_to_be_between: ofValues((value, given, { rows }) => {
    const { min, max } = boundsOf(given, rows);
    const length = rows.dialect.length(value);
    return [
      min && `${length} >${min.isStrict ? "" : "="} ${min.value}`,
      max && `${length} <${max.isStrict ? "" : "="} ${max.value}`,
    ]
      .filter(Boolean)
      .join(" and ");
  }),
  expect_column_values_to_match_regex: regex,
  expect_column_values_to_not_match_regex: ofValues(
    (value, given, target) => `not (${matching(target, value, [given.text("regex")], "and")})`,
  ),
  expect_column_values_to_match_regex_list: ofValues((value, given, target) =>
    matching(target, value, given.texts("regex_list"), anyOrAll(given)),
  ),
  expect_column_values_to_not_match_regex_list: ofValues(
    (value, given, target) => `not (${matching(target, value, given.texts("regex_list"), "or")})`,
  ),
  expect_column_values_to_match_like_pattern: ofValues((value, given, target) =>
    like(target, value, [given.text("like_pattern")]).join(""),
  ),
  expect_column_values_to_not_match_like_pattern: ofValues(
    (value, given, target) => `not (${like(target, value, [given.text("like_pattern")]).join("")})`,
  ),
  expect_column_values_to_match_like_pattern_list: ofValues((value, given, target) =>
    like(target, value, given.texts("like_pattern_list")).join(` ${anyOrAll(given)} `),
  ),
  expect_column_values_to_not_match_like_pattern_list: ofValues(
    (value, given, target) => `not (${like(target, value, given.texts("like_pattern_list")).join(" or ")})`,
  ),
  expect_column_values_to_be_increasing: order,
  expect_column_values_to_be_decreasing: order,
  expect_column_values_to_be_json_parseable: content,
  expect_column_values_to_be_dateutil_parseable: content,
  expect_column_values_to_match_strftime_format: content,
  expect_column_values_to_match_json_schema: content,
  expect_column_values_to_be_of_type: ofType("type_"),
  expect_column_values_to_be_in_type_list: ofType("type_list"),
  expect_column_value_z_scores_to_be_less_than: zScores,
  expect_column_kl_divergence_to_be_less_than: distribution,
  expect_column_pair_cramers_phi_value_to_be_less_than: distribution,
  expect_column_chisquare_test_p_value_to_be_greater_than: distribution,

  expect_column_max_to_be_between: figure((value) => `max(${value})`),
  expect_column_min_to_be_between: figure((value) => `min(${value})`),
  expect_column_sum_to_be_between: figure((value) => `sum(${value})`),
  expect_column_mean_to_be_between: mean,
  expect_column_most_common_value_to_be_in_set: mostCommon,
  expect_column_stdev_to_be_between: figure(
    (value, { dialect }) => `${dialect.name === "sqlserver" ? "stdev" : "stddev_samp"}(${value})`,
  ),
  expect_column_median_to_be_between: figure((value, { dialect }) =>
    dialect.name === "postgresql" ? `percentile_cont(0.5) within group (order by ${value})` : null,
  ),
  expect_column_quantile_values_to_be_between: quantiles,
  expect_column_unique_value_count_to_be_between: figure((value) => `count(distinct ${value})`),
  expect_column_proportion_of_unique_values_to_be_between: figure(
    (value) => `1.0 * count(distinct ${value}) / nullif(count(${value}), 0)`,
  ),

  expect_column_pair_values_a_to_be_greater_than_b: pair(
    (a, b, given) => `${a} >${given.flag("or_equal") ? "=" : ""} ${b}`,
  ),
  expect_column_pair_values_to_be_equal: pair((a, b) => `${a} = ${b}`),
  expect_column_pair_values_to_be_in_set: pair((a, b, given, rows) =>
    given
      .list("value_pairs_set")
      .map((each) => {
        const [one, other]: unknown[] = Array.isArray(each) ? each : [];
        return `(${a} = ${literal(rows, one)} and ${b} = ${literal(rows, other)})`;
      })
      .join(" or "),
  ),
  expect_compound_columns_to_be_unique: together,
  expect_multicolumn_values_to_be_unique: differentWithin,
  expect_select_column_values_to_be_unique_within_record: differentWithin,
  expect_multicolumn_sum_to_equal: (given, { rows }) => [
    rows.require({
      good: `${given
        .texts("column_list")
        .map((each) => rows.quoted(each))
        .join(" + ")} = ${required(given, "sum_total")}`,
      ...{ unit: "percent", limit: allowedBy(given) },
    }),
  ],

  expect_table_row_count_to_be_between: rowCount,
  expect_table_row_count_to_equal: rowCount,
  expect_table_row_count_to_equal_other_table: (given, { rows, other }) => {
    const name = given.text("other_table_name");
    const table = other(name);
    if (!table) throw new NotCarriedOver(`The data source has no table ${name}`);
    const count = rows.dialect.count();
    const [ours, theirs] = [rows.from, rows.relation(table)];
    return [rows.figure(`select (select ${count} from ${ours}) - (select ${count} from ${theirs})`, none)];
  },
  expect_table_column_count_to_equal: columnsAre((given, catalog) => [
    [columnCountSql(catalog), exactly(required(given, "value"))],
  ]),
  expect_table_column_count_to_be_between: (given, { rows }) => [
    rows.figure(columnCountSql(rows), boundsOf(given, rows)),
  ],
  expect_column_to_exist: columnsAre((given, catalog) => {
    if (given.has("column_index"))
      throw new NotCarriedOver("No kind of rule says which position a column has");
    return [[missingColumnsSql(catalog, [given.text("column")]), none]];
  }),
  expect_table_columns_to_match_set: columnsAre((given, catalog) => {
    const names = given.texts("column_set");
    const missing: [string, Limit] = [missingColumnsSql(catalog, names), none];
    return given.flag("exact_match", true) ? [missing, [otherColumnsSql(catalog, names), none]] : [missing];
  }),
  expect_table_columns_to_match_ordered_list: columnsAre((given, catalog) => {
    const names = given.texts("column_list");
    return [
      [inOrderSql(catalog, names), exactly(String(names.length))],
      [columnCountSql(catalog), exactly(String(names.length))],
    ];
  }),
  unexpected_rows_expectation: unexpectedRows,
};

function required(given: Arguments, key: string): string {
  const value = given.number(key);
  if (value === null) throw new NotCarriedOver(`Has no ${key}`);
  return value;
}
