import { catalogTypes } from "../catalog-types.ts";
import {
  columnCountSql,
  inOrderSql,
  isNamed,
  isOfType,
  missingColumnsSql,
  otherColumnsSql,
} from "../columns-sql.ts";
import { plainNumber } from "../limit.ts";
import type { Check, Mapped } from "./check.ts";
import { neverNull, oneOf, recent, uniqueOf, uniqueTogether, within } from "./own-tests.ts";
import { comparedCounts, groupsOf } from "./utils-tests.ts";

/** The tests of the package dbt_expectations, by their arguments. */
export const expectationsTests: Record<string, (check: Check) => Mapped> = {
  // A rule on a column that is missing cannot run, and so fails.
  expect_column_to_exist: (check) =>
    check.column === null
      ? null
      : [
          {
            type: "NullRate",
            column: check.column,
            configuration: { maxNullPercent: 100 },
            notes: ["Fails if the column is missing, and allows NULLs."],
          },
        ],
  expect_column_values_to_be_of_type: (check) => typed(check, [check.text("column_type") ?? ""]),
  expect_column_values_to_be_in_type_list: (check) => typed(check, namesIn(check, "column_type_list")),
  expect_column_values_to_have_consistent_casing: () => null,
  expect_table_column_count_to_be_between(check) {
    const bounds = boundsOf(check, "found.n");
    return bounds === null ? null : columnsAre(check, columnCountSql(check), bounds);
  },
  expect_table_column_count_to_equal(check) {
    const count = check.number("value");
    return count === undefined ? null : columnsAre(check, columnCountSql(check), `found.n = ${count}`);
  },
  expect_table_column_count_to_equal_other_table(check) {
    const other = check.other("compare_model");
    if (!other) return null;
    const theirs = columnCountSql({ dialect: check.dialect, table: other });
    return columnsAre(check, columnCountSql(check), `found.n = (${theirs})`);
  },
  expect_table_columns_to_contain_set: (check) =>
    ofNames(check, "column_list", (names) =>
      columnsAre(check, missingColumnsSql(check, names), "found.n = 0"),
    ),
  expect_table_columns_to_not_contain_set: (check) =>
    ofNames(check, "column_list", (names) =>
      columnsAre(check, columnCountSql(check, isNamed(check.dialect, names)), "found.n = 0"),
    ),
  expect_table_columns_to_match_set: (check) =>
    ofNames(check, "column_list", (names) => {
      const missing = missingColumnsSql(check, names);
      return columnsAre(check, `select (${missing}) + (${otherColumnsSql(check, names)})`, "found.n = 0");
    }),
  expect_table_columns_to_match_ordered_list: (check) =>
    ofNames(check, "column_list", (names) => {
      const misplaced = `${names.length} - (${inOrderSql(check, names)})`;
      return columnsAre(check, `select ${misplaced} + (${otherColumnsSql(check, names)})`, "found.n = 0");
    }),

  expect_column_values_to_not_be_null: (check) => neverNull(check),
  expect_column_values_to_be_null: (check) =>
    check.value === null ? null : check.rowCondition(`${check.value} is null`),
  expect_column_values_to_be_unique: (check) => uniqueOf(check),
  expect_compound_columns_to_be_unique: (check) =>
    uniqueTogether(check, check.columns("column_list"), [
      "Rows with a NULL in one of the columns are not compared.",
    ]),
  expect_select_column_values_to_be_unique_within_record(check) {
    const columns = check.columns("column_list")?.map((each) => check.dialect.quote(each));
    if (!columns || columns.length < 2 || columns.length > 12) return null;
    const pairs = columns.flatMap((a, index) => columns.slice(index + 1).map((b) => `${a} <> ${b}`));
    return check.rowCondition(pairs.join(" and "));
  },

  expect_column_values_to_be_in_set: (check) => inSet(check),
  expect_column_distinct_values_to_be_in_set: (check) => inSet(check),
  expect_column_values_to_not_be_in_set: (check) => inSet(check, { not: true }),
  expect_column_values_to_be_between: (check) => between(check),
  expect_column_value_lengths_to_equal(check) {
    const length = check.number("value");
    return check.value === null || length === undefined
      ? null
      : check.rowCondition(`${check.dialect.length(check.value)} = ${length}`);
  },
  expect_column_value_lengths_to_be_between(check) {
    if (check.value === null) return null;
    const bounds = boundsOf(check, check.dialect.length(check.value));
    return bounds === null ? null : check.rowCondition(bounds);
  },
  expect_column_values_to_match_regex(check) {
    const regex = check.text("regex");
    if (regex === undefined || check.column === null || check.has("flags")) return null;
    if (check.dialect.pattern.language !== "regex") return noRegex;
    return [{ type: "Pattern", column: check.column, configuration: { pattern: regex } }];
  },
  expect_column_values_to_not_match_regex: (check) => regexes(check, [check.text("regex")], { not: true }),
  expect_column_values_to_match_regex_list: (check) =>
    regexes(check, check.list("regex_list"), { any: check.text("match_on") !== "all" }),
  expect_column_values_to_not_match_regex_list: (check) =>
    regexes(check, check.list("regex_list"), { not: true }),
  expect_column_values_to_match_like_pattern: (check) => like(check, [check.text("like_pattern")], "like"),
  expect_column_values_to_not_match_like_pattern: (check) =>
    like(check, [check.text("like_pattern")], "not like"),
  expect_column_values_to_match_like_pattern_list: (check) =>
    like(check, check.list("like_pattern_list"), "like"),
  expect_column_values_to_not_match_like_pattern_list: (check) =>
    like(check, check.list("like_pattern_list"), "not like"),
  expect_column_values_to_be_increasing: (check) => ordered(check, ">"),
  expect_column_values_to_be_decreasing: (check) => ordered(check, "<"),

  expect_column_pair_values_A_to_be_greater_than_B: (check) =>
    pair(check, check.flag("or_equal") ? ">=" : ">"),
  expect_column_pair_values_to_be_equal: (check) => pair(check, "="),
  expect_column_pair_values_to_be_in_set: () => null,

  expect_row_values_to_have_recent_data: (check) => recent(check, check.column ?? undefined),

  expect_table_row_count_to_equal(check) {
    const rows = check.number("value");
    return rows === undefined || check.has("group_by") ? null : volume(rows, rows);
  },
  expect_table_row_count_to_be_between(check) {
    if ((check.list("group_by")?.length ?? 0) > 0) return null;
    const [min, max] = [check.number("min_value"), check.number("max_value")];
    const step = check.flag("strictly") ? 1 : 0;
    return volume(min === undefined ? undefined : min + step, max === undefined ? undefined : max - step);
  },
  expect_table_row_count_to_equal_other_table(check) {
    const other = check.other("compare_model");
    const factor = check.number("factor") ?? 1;
    if (
      !other ||
      check.has("group_by") ||
      check.has("compare_group_by") ||
      check.has("compare_row_condition")
    )
      return null;
    return check.sql(comparedCounts(check, other, "<>", factor === 1 ? "" : ` * ${factor}`));
  },

  expect_column_distinct_count_to_equal: (check) => distinctCount(check, "="),
  expect_column_distinct_count_to_be_greater_than: (check) => distinctCount(check, ">"),
  expect_column_distinct_count_to_be_less_than: (check) => distinctCount(check, "<"),
  expect_column_unique_value_count_to_be_between: (check) => figure(check, (v) => `count(distinct ${v})`),
  expect_column_proportion_of_unique_values_to_be_between: (check) =>
    figure(check, (v) => `1.0 * count(distinct ${v}) / nullif(count(${v}), 0)`),
  expect_column_max_to_be_between: (check) => figure(check, (v) => `max(${v})`),
  expect_column_min_to_be_between: (check) => figure(check, (v) => `min(${v})`),
  expect_column_mean_to_be_between: (check) => figure(check, (v) => `avg(1.0 * ${v})`),
  expect_column_sum_to_be_between: (check) => figure(check, (v) => `sum(${v})`),
  expect_column_stdev_to_be_between: (check) =>
    figure(check, (v) => (check.dialect.name === "sqlserver" ? `stdev(${v})` : `stddev_samp(${v})`)),
  expect_column_median_to_be_between: (check) =>
    check.dialect.name === "postgresql"
      ? figure(check, (v) => `percentile_cont(0.5) within group (order by ${v})`)
      : null,
};

/** A figure of which columns the table has is as it should be. */
const columnsAre = (check: Check, figureSql: string, isRight: string): Mapped =>
  check.sql(`select found.n from (select (\n${figureSql}\n) as n) found where not (${isRight})`);

const namesIn = (check: Check, key: string) => check.list(key)?.map(String) ?? [];

function ofNames(check: Check, key: string, map: (names: string[]) => Mapped): Mapped {
  const names = namesIn(check, key);
  return names.length === 0 ? null : map(names);
}

function typed(check: Check, types: readonly string[]): Mapped {
  const named = types.filter((type) => type.trim() !== "");
  if (check.column === null || named.length === 0) return null;
  const known = named.flatMap((type) => [type, ...catalogTypes(type)]);
  const note = "The type is compared with its name in the database's catalog.";
  const drafts = columnsAre(
    check,
    columnCountSql(check, isOfType(check.dialect, check.column, known)),
    "found.n = 1",
  );
  return Array.isArray(drafts) ? drafts.map((draft) => ({ ...draft, notes: [note] })) : drafts;
}

const noRegex = { reason: "This kind of database has no regular expressions" };

const inSet = (check: Check, options: { not?: boolean } = {}) =>
  oneOf(check, check.list("value_set"), check.flag("quote_values", true), options);

const between = (check: Check) =>
  within(check, check.text("min_value"), check.text("max_value"), check.flag("strictly"));

/** A condition for bounds that are numbers or expressions; null without any. */
function boundsOf(check: Check, value: string): string | null {
  const than = check.flag("strictly") ? "" : "=";
  const [min, max] = [check.text("min_value"), check.text("max_value")];
  const parts = [
    ...(min === undefined ? [] : [`${value} >${than} ${min}`]),
    ...(max === undefined ? [] : [`${value} <${than} ${max}`]),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}

/** A figure of a whole column is within bounds. Without values it has none, which passes, as in dbt. */
function figure(check: Check, expression: (value: string) => string): Mapped {
  if (check.value === null || (check.list("group_by")?.length ?? 0) > 0) return null;
  const bounds = boundsOf(check, "figure");
  if (bounds === null) return null;
  return check.sql(`select figure from (
select ${expression(check.value)} as figure from ${check.rows}
) figures
where not (${bounds})`);
}

function distinctCount(check: Check, operator: string): Mapped {
  const value = check.text("value");
  if (check.value === null || value === undefined || !plainNumber.test(value)) return null;
  if ((check.list("group_by")?.length ?? 0) > 0) return null;
  return check.sql(`select figure from (
select count(distinct ${check.value}) as figure from ${check.rows}
) figures
where not (figure ${operator} ${value})`);
}

function volume(minRows: number | undefined, maxRows: number | undefined): Mapped {
  const isWhole = [minRows, maxRows].every(
    (each) => each === undefined || (Number.isSafeInteger(each) && each >= 0),
  );
  if (!isWhole || (minRows === undefined && maxRows === undefined)) return null;
  return [
    {
      type: "Volume",
      configuration: { ...(minRows !== undefined && { minRows }), ...(maxRows !== undefined && { maxRows }) },
    },
  ];
}

function pair(check: Check, operator: string): Mapped {
  const [a, b] = [check.text("column_A"), check.text("column_B")];
  return !a || !b ? null : check.rowCondition(`${check.sqlOf(a)} ${operator} ${check.sqlOf(b)}`);
}

function regexes(
  check: Check,
  given: readonly unknown[] | null,
  { not = false, any = false }: { not?: boolean; any?: boolean },
): Mapped {
  const { dialect, value } = check;
  if (!given || value === null || check.has("flags")) return null;
  if (dialect.pattern.language !== "regex") return noRegex;
  const parts = given.map((each) => {
    const literal = typeof each === "string" ? dialect.literal(each) : null;
    return literal === null ? null : dialect.pattern.matches(value, literal);
  });
  if (parts.length === 0 || parts.includes(null)) return null;
  const conditions = parts.map((part) => (not ? `not (${part})` : part));
  return check.rowCondition(conditions.join(any ? " or " : " and "));
}

function like(check: Check, given: readonly unknown[] | null, operator: "like" | "not like"): Mapped {
  const literals = given?.map((each) => (typeof each === "string" ? check.dialect.literal(each) : null));
  if (!literals || literals.length === 0 || literals.includes(null) || check.value === null) return null;
  const isAny = operator === "like" && check.text("match_on") !== "all";
  return check.rowCondition(
    literals.map((literal) => `${check.value} ${operator} ${literal}`).join(isAny ? " or " : " and "),
  );
}

function ordered(check: Check, operator: ">" | "<"): Mapped {
  const { value } = check;
  const sort = check.text("sort_column");
  const groups = groupsOf(check, "group_by");
  if (value === null || groups === null || check.has("step")) return null;
  const than = check.flag("strictly", true) ? operator : `${operator}=`;
  return check.sql(`select v from (
select ${value} as v, lag(${value}) over (${groups}order by ${sort === undefined ? value : check.sqlOf(sort)}) as previous
from ${check.rows}
) ordered
where not (v ${than} previous)`);
}
