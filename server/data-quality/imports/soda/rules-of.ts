import type { CheckedRows } from "../checked-rows.ts";
import type { CheckedTable } from "../destination.ts";
import { exactly, type Limit, mostAllowed, mostRows } from "../limit.ts";
import type { Draft } from "../suite.ts";
import { isObject, NotCarriedOver, type SodaCheck, textOf } from "./check.ts";
import { groupedRule, meanWithin } from "./grouped-rules.ts";
import { learnedRule } from "./learned-rules.ts";
import { schemaRules } from "./schema-rules.ts";
import { validityOf } from "./validity.ts";

/** What a check's rules need besides the rows: other tables, by the names that Soda's files give them. */
export type Target = { rows: CheckedRows; other(name: string): CheckedTable | null };
type Mapping = (check: SodaCheck, limit: Limit, target: Target) => Draft[];

/** The rules that say what a check says, at one of its levels. Throws NotCarriedOver with the reason. */
export function rulesOf(check: SodaCheck, limit: Limit, target: Target): Draft[] {
  const mapping = Object.hasOwn(mappings, check.metric) ? mappings[check.metric] : undefined;
  return (mapping ?? userMetric)(check, limit, target);
}

const none = exactly("0");

const missing =
  (unit: "rows" | "percent"): Mapping =>
  (check, limit, { rows }) => {
    const [column] = columnsOf(check, 1);
    const { alsoMissing } = validityOf(rows, column, { ...check, settings: onlyMissing(check) });
    if (alsoMissing === null) return [rows.missing(column, unit, limit)];
    const value = rows.quoted(column);
    return [rows.require({ good: `${value} is not null and not (${alsoMissing})`, unit, limit })];
  };

/** Validity does not concern what is missing. */
const onlyMissing = ({ settings }: SodaCheck) =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith("missing ")));

const invalid =
  (unit: "rows" | "percent"): Mapping =>
  (check, limit, target) => {
    const { rows } = target;
    const [column] = columnsOf(check, 1);
    const reference = check.settings["valid reference data"];
    if (isObject(reference)) return [referenceRule(check, reference, unit, limit, target)];
    const { alsoMissing, valid, rule } = validityOf(rows, column, check);
    if (valid === null) throw new NotCarriedOver("Says nothing of which values are valid");
    const good = alsoMissing === null ? valid : `(${alsoMissing}) or (${valid})`;
    return [rows.require({ good, unit, limit, ...(rule && { rule }) })];
  };

function referenceRule(
  check: SodaCheck,
  reference: Record<string, unknown>,
  unit: "rows" | "percent",
  limit: Limit,
  { rows, other }: Target,
): Draft {
  const [column] = columnsOf(check, 1);
  const table = other(textOf(reference.dataset) ?? "");
  const field = textOf(reference.column);
  if (!table || !field) throw new NotCarriedOver("Its reference data are not in this data source");
  return existsIn({ rows, column, table, field, unit, limit });
}

function existsIn({
  rows,
  column,
  table,
  field,
  unit,
  limit,
}: {
  rows: CheckedRows;
  column: string;
  table: CheckedTable;
  field: string;
  unit: "rows" | "percent";
  limit: Limit;
}): Draft {
  const there = table.columns.find((each) => each.toLowerCase() === field.toLowerCase()) ?? field;
  const { quote } = rows.dialect;
  const rule: Draft = {
    ...{ type: "Referential", column: rows.column(column) },
    configuration: {
      referenceTable: table.tableName,
      referenceColumn: there,
      ...(table.schemaName !== rows.table.schemaName && { referenceSchema: table.schemaName }),
    },
  };
  const good = `${rows.quoted(column)} is null or exists (select 1 from ${rows.relation(table)} other where other.${quote(there)} = checked.${quote(rows.column(column))})`;
  return rows.require({ rule, good, unit, limit });
}

const duplicates =
  (unit: "rows" | "percent"): Mapping =>
  (check, limit, { rows }) => {
    const columns = columnsOf(check, 1, 16);
    const most = mostAllowed(limit);
    const isNone = most !== null && (unit === "rows" ? mostRows(most) === 0 : Number(most.value) === 0);
    if (isNone && !(unit === "percent" && most?.isStrict)) return [rows.unique(columns)];
    // Soda counts values that occur more than once, and not their rows.
    const listed = columns.map((each) => rows.quoted(each));
    const counted = `select ${rows.dialect.count()} from (
select 1 as one from ${rows.from}
where ${listed.map((each) => `${each} is not null`).join(" and ")}
group by ${listed.join(", ")} having count(*) > 1
) duplicated`;
    if (unit === "rows") return [rows.figure(counted, limit)];
    const all = `select ${rows.dialect.count()} from ${rows.from}`;
    return [rows.figure(`select coalesce(100.0 * (${counted}) / nullif((${all}), 0), 0)`, limit)];
  };

const aggregate =
  (expression: (value: string, target: Target) => string | null): Mapping =>
  (check, limit, target) => {
    const [column] = columnsOf(check, 1);
    const { rows } = target;
    const written = expression(figuredValue(check, rows, column), target);
    if (written === null) throw new NotCarriedOver("This kind of database has no such function");
    return [rows.aggregate(written, limit)];
  };

/** With settings for missing or valid values, only those that are neither missing nor invalid. */
function figuredValue(check: SodaCheck, rows: CheckedRows, column: string): string {
  const value = rows.quoted(column);
  const { alsoMissing, valid } = validityOf(rows, column, check);
  const parts = [alsoMissing === null ? null : `not (${alsoMissing})`, valid].filter((part) => part !== null);
  return parts.length === 0 ? value : `case when ${parts.join(" and ")} then ${value} end`;
}

const mean: Mapping = (check, limit, target) => {
  const [column] = columnsOf(check, 1);
  const { rows } = target;
  const isWhole = figuredValue(check, rows, column) === rows.quoted(column);
  const rule = isWhole ? meanWithin(rows, column, limit) : null;
  return rule ? [rule] : aggregate((value) => `avg(1.0 * ${value})`)(check, limit, target);
};

/** If only the smallest or the largest value is limited, every value is. */
const extreme =
  (name: "min" | "max"): Mapping =>
  (check, limit, { rows }) => {
    const [column] = columnsOf(check, 1);
    const value = rows.quoted(column);
    const figured = figuredValue(check, rows, column);
    const bound = name === "min" ? limit.min : limit.max;
    const isOneSided = !limit.isOutside && (name === "min" ? limit.max : limit.min) === null;
    if (!bound || !isOneSided || figured !== value) return [rows.aggregate(`${name}(${figured})`, limit)];
    const sign = name === "min" ? ">" : "<";
    if (bound.isStrict)
      return [rows.require({ good: `${value} ${sign} ${bound.value}`, unit: "rows", limit: none })];
    const configuration = { [name]: bound.value };
    return [rows.rule({ type: "Range", column: rows.column(column), configuration })];
  };

const freshness: Mapping = (check, limit, { rows }) => {
  const [column] = columnsOf(check, 1);
  const { max, min, isOutside } = limit;
  const minutes = Number(max?.value);
  if (!max || min || isOutside || !(minutes > 0))
    throw new NotCarriedOver("A Freshness rule has a greatest age, and no other limit");
  const name = column.replace(/::\w+(\s*\(\d+\))?$/, "");
  const [known] = columnsOf({ ...check, columns: [name] }, 1);
  return [
    rows.rule({ type: "Freshness", column: rows.column(known), configuration: { maxAgeMinutes: minutes } }),
  ];
};

const mustExist: Mapping = (check, limit, { rows, other }) => {
  const columns = columnsOf(check, 1, 16);
  const { table: name, columns: fields, isForbidden } = check.settings as unknown as ReferenceSettings;
  const table = other(name);
  if (!table) throw new NotCarriedOver(`The data source has no table ${name}`);
  if (fields.length !== columns.length) throw new NotCarriedOver("Compares unequal numbers of columns");
  const [column = "", ...more] = columns;
  const [field = ""] = fields;
  if (!isForbidden && more.length === 0)
    return [existsIn({ rows, column, table, field, unit: "rows", limit })];
  const { quote } = rows.dialect;
  const ours = columns.map((each) => rows.quoted(each));
  const theirs = fields.map((each) =>
    quote(table.columns.find((known) => known.toLowerCase() === each.toLowerCase()) ?? each),
  );
  const pairs = ours.map((each, index) => `other.${theirs[index] ?? ""} = checked.${each}`);
  const filledIn = ours.map((each) => `checked.${each} is not null`);
  return [
    rows.figure(
      `select ${rows.dialect.count()} from ${rows.from}
where ${filledIn.join(" and ")} and ${isForbidden ? "" : "not "}exists (select 1 from ${rows.relation(table)} other where ${pairs.join(" and ")})`,
      limit,
    ),
  ];
};

export type ReferenceSettings = { table: string; columns: string[]; isForbidden: boolean };

const sameRowCount: Mapping = (check, _, { rows, other }) => {
  const name = String(check.settings.table ?? "");
  const table = other(name);
  if (!table) throw new NotCarriedOver(`The data source has no table ${name}`);
  const count = rows.dialect.count();
  return [
    rows.figure(
      `select (select ${count} from ${rows.from}) - (select ${count} from ${rows.relation(table)})`,
      none,
    ),
  ];
};

const failedRows: Mapping = (check, limit, { rows }) => {
  const { settings } = check;
  const condition = textOf(settings["fail condition"] ?? settings["warn condition"] ?? settings.expression);
  const query = textOf(settings["fail query"] ?? settings["warn query"] ?? settings.query);
  if (condition) {
    const failing = condition.trim();
    const isCount = Object.hasOwn(settings, "percent") ? "percent" : "rows";
    return [rows.require({ good: `not (\n${failing}\n)`, unit: isCount, limit })];
  }
  if (!query) throw new NotCarriedOver("Has neither a condition nor a query");
  return [rows.figure(`select ${rows.dialect.count()} from (\n${nested(query, rows)}\n) found`, limit)];
};

/** A metric of the person's own: its settings are named after it. */
const userMetric: Mapping = (check, limit, { rows }) => {
  const { settings, metric } = check;
  const expression = textOf(settings[`${metric} expression`]);
  const query = textOf(settings[`${metric} query`]);
  if (expression) return [rows.aggregate(expression.trim(), limit)];
  if (query) return [rows.figure(nested(query, rows), limit)];
  if (settings[`${metric} sql_file`] !== undefined)
    throw new NotCarriedOver("Its query is in another file: write it into the check");
  throw new NotCarriedOver(`No kind of rule says ${metric}`);
};

function nested(query: string, { dialect }: CheckedRows): string {
  const own = query.trim().replace(/[;\s]{1,100}$/, "");
  if (!dialect.nestsWith && /^with\b/i.test(own))
    throw new NotCarriedOver(`${dialect.label} does not allow a query that begins with WITH inside another`);
  return own;
}

const schema: Mapping = (check, _, { rows }) => schemaRules(check.settings.level, rows);

const standardDeviation = (name: "stddev_samp" | "stddev_pop") =>
  aggregate((value, { rows }) => {
    const own = { stddev_samp: "stdev", stddev_pop: "stdevp" }[name];
    return `${rows.dialect.name === "sqlserver" ? own : name}(${value})`;
  });
const variance = (name: "var_samp" | "var_pop") =>
  aggregate((value, { rows }) => {
    const own = { var_samp: "var", var_pop: "varp" }[name];
    return `${rows.dialect.name === "sqlserver" ? own : name}(${value})`;
  });
const ofLength = (name: "avg" | "min" | "max") =>
  aggregate((value, { rows }) => `${name}(${name === "avg" ? "1.0 * " : ""}${rows.dialect.length(value)})`);

const mappings: Readonly<Record<string, Mapping>> = {
  row_count: (_, limit, { rows }) => [rows.rowCount(limit)],
  "row_count same as": sameRowCount,
  missing_count: missing("rows"),
  missing_percent: missing("percent"),
  invalid_count: invalid("rows"),
  invalid_percent: invalid("percent"),
  duplicate_count: duplicates("rows"),
  duplicate_percent: duplicates("percent"),
  min: extreme("min"),
  max: extreme("max"),
  avg: mean,
  sum: aggregate((value) => `sum(${value})`),
  stddev: standardDeviation("stddev_samp"),
  stddev_samp: standardDeviation("stddev_samp"),
  stddev_pop: standardDeviation("stddev_pop"),
  variance: variance("var_samp"),
  var_samp: variance("var_samp"),
  var_pop: variance("var_pop"),
  avg_length: ofLength("avg"),
  min_length: ofLength("min"),
  max_length: ofLength("max"),
  percentile: (check, limit, target) => {
    const [column, share = ""] = check.columns;
    if (!/^(0?\.\d{1,10}|0|1)$/.test(share))
      throw new NotCarriedOver("Its percentile is not between 0 and 1");
    return aggregate((value, { rows }) =>
      rows.dialect.name === "postgresql"
        ? `percentile_disc(${share}) within group (order by ${value})`
        : null,
    )({ ...check, columns: [column ?? ""] }, limit, target);
  },
  freshness,
  "values in": mustExist,
  "failed rows": failedRows,
  "anomaly detection": (check, _, { rows }) => [
    learnedRule(rows, String(check.settings.of), check.columns[0]),
  ],
  "group by": (check, limit, { rows }) => {
    const { query, fields, figure } = check.settings as { query: string; fields: string[]; figure: string };
    return [groupedRule(rows, { query: nested(query, rows), fields, figure, limit })];
  },
  schema,
};

function columnsOf({ columns }: SodaCheck, min: 1, max = 1): [string, ...string[]] {
  const [first, ...more] = columns;
  if (first === undefined || first === "") throw new NotCarriedOver("Names no column");
  if (columns.length > max) throw new NotCarriedOver(`Names more than ${Math.max(min, max)} columns`);
  return [first, ...more];
}
