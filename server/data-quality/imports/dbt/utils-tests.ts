import { Decimal } from "../../decimal.ts";
import type { CheckedTable } from "../destination.ts";
import type { Check, Mapped } from "./check.ts";
import { existsIn, Names, neverNull, oneOf, recent, uniqueTogether, within } from "./own-tests.ts";

/** Rows with a missing value: dbt's package compares them, and a rule does not. */
const nullsAside = "Rows with a NULL in one of the columns are not compared.";

/** The tests of the package dbt_utils, and of dbt_constraints, by their arguments. */
export const utilsTests: Record<string, (check: Check) => Mapped> = {
  unique_combination_of_columns: (check) =>
    uniqueTogether(check, check.columns("combination_of_columns"), [nullsAside]),
  not_accepted_values: (check) =>
    oneOf(check, check.list("values"), check.flag("quote", true), { not: true }),
  accepted_range: (check) =>
    within(check, check.text("min_value"), check.text("max_value"), !check.flag("inclusive", true)),
  not_empty_string: (check) =>
    check.value === null
      ? null
      : check.rowCondition(
          check.flag("trim_whitespace", true) ? `ltrim(rtrim(${check.value})) <> ''` : `${check.value} <> ''`,
        ),
  not_null_proportion(check) {
    const least = check.text("at_least");
    const isPlain = least !== undefined && /^(0?\.\d{1,15}|0|1(\.0*)?)$/.test(least);
    const isKnown = check.only("at_least", "at_most", "group_by_columns");
    if (!isPlain || !isKnown || (check.number("at_most") ?? 1) < 1) return null;
    return byGroups(check, neverNull(check, new Decimal(1).minus(least).times(100).toNumber()));
  },
  expression_is_true(check) {
    const expression = check.text("expression");
    const condition = check.text("condition");
    if (expression === undefined) return null;
    const whole = check.value === null ? expression : `${check.value} ${expression}`;
    const rest = condition === undefined || condition.replace(/\s/g, "") === "1=1" ? null : condition;
    return check.rowCondition(rest === null ? whole : `(not (${rest})) or (${whole})`);
  },
  recency: (check) =>
    check.only("datepart", "field", "interval", "ignore_time_component", "group_by_columns")
      ? byGroups(check, recent(check, check.text("field")))
      : null,
  relationships_where(check) {
    const conditions = [check.text("from_condition"), check.text("to_condition")];
    const [from, to] = conditions.map((each) => each?.replace(/\s/g, "") ?? "1=1");
    const field = check.text("field");
    const other = check.other("to");
    if (from === "1=1" && to === "1=1") return existsIn(check, "to", field);
    if (!field || !other || check.value === null) return null;
    return check.sql(`select source_rows.v from (
select ${check.value} as v from ${check.rows} where (\n${conditions[0] ?? "1 = 1"}\n) and ${check.value} is not null
) source_rows
where not exists (
select 1 from (select ${fieldOf(check, other, field)} as v from ${check.relation(other)} where (\n${conditions[1] ?? "1 = 1"}\n)) target_rows
where target_rows.v = source_rows.v)`);
  },
  unique_where: (check) =>
    filtered(
      check,
      (value) =>
        `select ${value} as v from ${rowsOf(check)} where ${value} is not null group by ${value} having count(*) > 1`,
    ),
  not_null_where: (check) =>
    filtered(check, (value) => `select 1 as v from ${rowsOf(check)} where ${value} is null`),
  not_constant: (check) => inEachGroup(check, (value) => `count(distinct ${value}) = 1`),
  at_least_one: (check) => inEachGroup(check, (value) => `count(${value}) = 0`),
  cardinality_equality(check) {
    const field = check.text("field");
    const other = check.other("to");
    if (!field || !other || check.value === null) return null;
    const ours = `select ${check.value} as v, count(*) as n from ${check.rows} group by ${check.value}`;
    const theirField = fieldOf(check, other, field);
    const theirs = `select ${theirField} as v, count(*) as n from ${check.relation(other)} group by ${theirField}`;
    return check.sql(bothWays(ours, theirs));
  },
  equal_rowcount(check) {
    const other = check.other("compare_model");
    if (!other || !check.only("compare_model")) return null;
    return check.sql(comparedCounts(check, other, "<>"));
  },
  fewer_rows_than(check) {
    const other = check.other("compare_model");
    if (!other || !check.only("compare_model")) return null;
    return check.sql(comparedCounts(check, other, ">="));
  },
  equality(check) {
    const other = check.other("compare_model");
    if (!other || !check.only("compare_model", "compare_columns", "exclude_columns")) return null;
    const excluded = check.list("exclude_columns")?.map((each) => String(each).toLowerCase()) ?? [];
    const columns = check.has("compare_columns")
      ? check.columns("compare_columns")
      : check.table.columns.filter((each) => !excluded.includes(each.toLowerCase()));
    if (!columns || columns.length === 0) return null;
    const selected = columns.map((each) => check.dialect.quote(each)).join(", ");
    const theirs = columns.map((each) => fieldOf(check, other, each)).join(", ");
    return check.sql(
      bothWays(`select ${selected} from ${check.rows}`, `select ${theirs} from ${check.relation(other)}`),
    );
  },
  sequential_values(check) {
    const { value } = check;
    const interval = check.text("interval") ?? "1";
    if (value === null || check.has("datepart") || !/^\d+(\.\d+)?$/.test(interval)) return null;
    const groups = groupsOf(check);
    if (groups === null) return null;
    return check.sql(`select v from (
select ${value} as v, lag(${value}) over (${groups}order by ${value}) as previous from ${check.rows}
) ordered
where not (v = previous + ${interval})`);
  },
  mutually_exclusive_ranges: exclusiveRanges,
};

export const constraintTests: Record<string, (check: Check) => Mapped> = {
  primary_key(check) {
    const columns = check.columns("column_names") ?? (check.column === null ? null : [check.column]);
    const unique = uniqueTogether(check, columns);
    if (!columns || !Array.isArray(unique)) return null;
    const filled = columns.map((column) => ({
      type: "NullRate" as const,
      column,
      configuration: { maxNullPercent: 0 },
    }));
    return [...unique, ...filled];
  },
  unique_key: (check) =>
    uniqueTogether(check, check.columns("column_names") ?? (check.column === null ? null : [check.column])),
  foreign_key(check) {
    const field = check.text("pk_column_name");
    return check.column === null ? null : existsIn(check, "pk_table_name", field);
  },
};

/** How many rows two tables have, if that is not as it should be. */
export const comparedCounts = (check: Check, other: CheckedTable, fails: string, factor = "") =>
  `select ours.n from (select count(*) as n from ${check.rows}) ours
cross join (select count(*)${factor} as n from ${check.relation(other)}) theirs
where ours.n ${fails} theirs.n`;

/** The rows of either query that the other lacks. */
function bothWays(ours: string, theirs: string): string {
  return `select * from (${ours} except ${theirs}) only_here
union all
select * from (${theirs} except ${ours}) only_there`;
}

function fieldOf(check: Check, other: CheckedTable, field: string): string {
  const name = new Names(other.columns).find(field);
  return name === null ? `(${field})` : check.dialect.quote(name);
}

/** The package's old tests whose rows are an argument of their own. */
function filtered(check: Check, failing: (value: string) => string): Mapped {
  return check.value === null ? null : check.sql(failing(check.value));
}

function rowsOf(check: Check): string {
  const where = check.text("where");
  return where === undefined ? check.rows : `(select * from ${check.rows} where (\n${where}\n)) filtered`;
}

/** All rows, or each group of them, must not be like this. */
function inEachGroup(check: Check, isBad: (value: string) => string): Mapped {
  const groups = check.has("group_by_columns") ? check.columns("group_by_columns") : [];
  if (check.value === null || groups === null) return null;
  const grouped = groups.map((each) => check.dialect.quote(each)).join(", ");
  const by = groups.length === 0 ? "" : ` group by ${grouped}`;
  return check.sql(`select count(*) as n from ${check.rows}${by} having ${isBad(check.value)}`);
}

/** The same rule for each group; null if they are too many for one. */
function byGroups(check: Check, drafts: Mapped): Mapped {
  const groups = check.has("group_by_columns") ? check.columns("group_by_columns") : [];
  if (groups === null || groups.length > 3) return null;
  if (groups.length === 0 || !Array.isArray(drafts)) return drafts;
  return drafts.map(({ failing: _, ...draft }) => ({
    ...draft,
    configuration: { ...draft.configuration, groupBy: groups },
  }));
}

/** `partition by …`, empty without groups; null if they cannot be read. */
export function groupsOf(check: Check, key = "group_by_columns"): string | null {
  if (!check.has(key)) return "";
  const columns = check.columns(key);
  if (!columns) return null;
  if (columns.length === 0) return "";
  return `partition by ${columns.map((each) => check.dialect.quote(each)).join(", ")} `;
}

function exclusiveRanges(check: Check): Mapped {
  const [lower, upper] = [check.text("lower_bound_column"), check.text("upper_bound_column")];
  const gaps = check.text("gaps") ?? "allowed";
  const compare = { allowed: "<=", not_allowed: "=", required: "<" }[gaps];
  if (!lower || !upper || !compare) return null;
  const partition = check.text("partition_by");
  const groups = partition === undefined ? "" : `partition by ${check.sqlOf(partition)} `;
  const [from, to] = [check.sqlOf(lower), check.sqlOf(upper)];
  const within = check.flag("zero_length_range_allowed") ? "<=" : "<";
  return check.sql(`select lower_bound from (
select ${from} as lower_bound, ${to} as upper_bound,
  lead(${from}) over (${groups}order by ${from}, ${to}) as next_lower_bound,
  row_number() over (${groups}order by ${from} desc, ${to} desc) as from_the_end
from ${check.rows}
) ranges
where not (
  coalesce(case when lower_bound ${within} upper_bound then 1 else 0 end, 0) = 1
  and (from_the_end = 1 or coalesce(case when upper_bound ${compare} next_lower_bound then 1 else 0 end, 0) = 1)
)`);
}
