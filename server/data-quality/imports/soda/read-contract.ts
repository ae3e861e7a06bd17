import { type Limit, limitBetween, limitBy, plainNumber } from "../limit.ts";
import { isObject, NotCarriedOver, type SodaCheck, tagsOf, textOf } from "./check.ts";
import { bothOf } from "./read-checks.ts";

/**
 * A check of one of Soda's data contracts: `missing: {threshold: …}` as they are written now, or `type: missing_count`
 * as they were in version 3. Throws NotCarriedOver.
 */
export function readContractCheck(
  written: unknown,
  {
    column,
    path,
    filter,
    columns,
    types,
  }: {
    column: string | null;
    path: string;
    filter: string | null;
    columns: string[];
    types: Readonly<Record<string, string>>;
  },
): SodaCheck {
  if (!isObject(written)) throw new NotCarriedOver("Is not written as Soda writes a check");
  const [kind, own] = kindOf(written);
  const { name, qualifier, attributes, threshold, filter: ownFilter, ...rest } = own;
  const given = { ...(isObject(threshold) ? threshold : {}), ...mustsIn(own) };
  const metric = metricOf(kind, own, given);
  const named = Array.isArray(own.columns) ? own.columns.map(String) : [textOf(own.column) ?? column ?? ""];
  const unit = unitOf(kind, own, given);
  const { level, additional, limit } = limitOf(given, metric, unit);
  const isWarning = level === "warn";
  const other = additional && limitOf(additional, metric, unit);
  return {
    id: [metric, column ?? (named.join(", ") || null), textOf(qualifier)].filter(Boolean).join(" "),
    family: metric,
    path,
    name: textOf(name),
    metric,
    columns: ["row_count", "failed rows", "schema"].includes(metric) ? [] : named,
    fail: isWarning ? (other?.limit ?? null) : limit,
    warn: isWarning ? limit : (other?.limit ?? null),
    settings: { ...spaced(rest), ...settingsOf(metric, own, { columns, types }) },
    filter: bothOf(filter, textOf(ownFilter)),
    tags: tagsOf(attributes),
  };
}

function kindOf(written: Record<string, unknown>): [string, Record<string, unknown>] {
  const type = textOf(written.type);
  if (type !== null) return [type, written];
  const [entry, ...more] = Object.entries(written);
  if (!entry || more.length > 0) throw new NotCarriedOver("Is not written as Soda writes a check");
  const [kind, settings] = entry;
  return [kind, isObject(settings) ? settings : {}];
}

const formerNames: Readonly<Record<string, string>> = {
  no_missing_values: "missing_count",
  no_invalid_values: "invalid_count",
  no_duplicate_values: "duplicate_count",
  multi_column_duplicate_count: "duplicate_count",
  multi_column_no_duplicate_values: "duplicate_count",
  multi_column_duplicate_percent: "duplicate_percent",
  rows_exist: "row_count",
  freshness_in_days: "freshness",
  freshness_in_hours: "freshness",
  freshness_in_minutes: "freshness",
  user_defined_sql: "metric",
  metric_query: "metric",
  metric_expression: "metric",
  failed_rows: "failed rows",
};

const functions: Readonly<Record<string, string>> = {
  minLength: "min_length",
  maxLength: "max_length",
  avgLength: "avg_length",
};

function metricOf(kind: string, own: Record<string, unknown>, given: Record<string, unknown>): string {
  const former = Object.hasOwn(formerNames, kind) ? formerNames[kind] : undefined;
  if (former !== undefined) return former;
  if (["missing", "invalid", "duplicate"].includes(kind))
    return `${kind}_${given.metric === "percent" ? "percent" : "count"}`;
  if (kind !== "aggregate") return kind;
  const name = textOf(own.function) ?? "";
  return functions[name] ?? name;
}

/** Of an age, in minutes. */
function unitOf(kind: string, own: Record<string, unknown>, given: Record<string, unknown>): number {
  const unit =
    /^freshness_in_(day|hour|minute)s$/.exec(kind)?.[1] ?? textOf(given.unit ?? own.unit) ?? "hour";
  return { day: 1440, hour: 60, minute: 1 }[unit] ?? 60;
}

const settingsOf = (
  metric: string,
  own: Record<string, unknown>,
  { columns, types }: { columns: string[]; types: Readonly<Record<string, string>> },
) => ({
  ...(metric === "metric" && {
    "metric expression": own.expression ?? own.expression_sql,
    "metric query": own.query ?? own.query_sql,
  }),
  ...(metric === "schema" && {
    fail: { columns, types, allowExtra: own.allow_extra_columns === true },
  }),
});

const spaced = (settings: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([key]) => !key.startsWith("must_"))
      .map(([key, value]) => [
        key.replaceAll("_", " ").replace(/^(in)?valid .*regex.*$/, "$1valid regex"),
        value,
      ]),
  );

const mustsIn = (own: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(own).filter(([key]) => key.startsWith("must_")));

const signs: Readonly<Record<string, string>> = {
  must_be: "=",
  must_not_be: "!=",
  must_be_greater_than: ">",
  must_be_greater_than_or_equal: ">=",
  must_be_greater_than_or_equal_to: ">=",
  must_be_less_than: "<",
  must_be_less_than_or_equal: "<=",
  must_be_less_than_or_equal_to: "<=",
};

function limitOf(
  given: Record<string, unknown>,
  metric: string,
  unit: number,
): { limit: Limit; level: unknown; additional: Record<string, unknown> | null } {
  const { level, additional, metric: _, unit: __, ...musts } = given;
  const [entry, ...more] = Object.entries(musts).filter(([key]) => key.startsWith("must_"));
  const rest = { level, additional: isObject(additional) ? additional : null };
  if (!entry) return { ...rest, limit: defaultLimit(metric) };
  const [key, value] = entry;
  if (more.length > 0) throw new NotCarriedOver("Has more than one limit");
  const inUnit = (each: unknown) => {
    const text = textOf(each)?.trim() ?? "";
    if (!plainNumber.test(text)) throw new NotCarriedOver(`Its ${key} is not a number`);
    return metric === "freshness" ? String(Number(text) * unit) : text;
  };
  const sign = Object.hasOwn(signs, key) ? signs[key] : undefined;
  const one = sign === undefined ? null : limitBy(sign, inUnit(value));
  if (one) return { ...rest, limit: one };
  const isOutside = /not_between/.test(key);
  if (Array.isArray(value) && value.length === 2)
    return { ...rest, limit: limitBetween(inUnit(value[0]), inUnit(value[1]), { isOutside }) };
  if (isObject(value) && /between/.test(key)) return { ...rest, limit: rangeOf(value, isOutside, inUnit) };
  throw new NotCarriedOver(`Its ${key} cannot be read`);
}

function rangeOf(
  range: Record<string, unknown>,
  isOutside: boolean,
  inUnit: (value: unknown) => string,
): Limit {
  const bound = (key: string, isStrict: boolean) =>
    range[key] === undefined ? null : { value: inUnit(range[key]), isStrict };
  // What must not be between is written the other way around: less than the lower bound, greater than the upper one.
  const [from, to] = isOutside
    ? (["less_than", "greater_than"] as const)
    : (["greater_than", "less_than"] as const);
  const min = bound(from, !isOutside) ?? bound(`${from}_or_equal`, isOutside);
  const max = bound(to, !isOutside) ?? bound(`${to}_or_equal`, isOutside);
  if (!min || !max) throw new NotCarriedOver("Its range has one end only");
  return { min, max, isOutside };
}

function defaultLimit(metric: string): Limit {
  const limit = metric === "row_count" ? limitBy(">", "0") : limitBy("=", "0");
  if (metric === "freshness" || !limit) throw new NotCarriedOver("Has no limit");
  return limit;
}
