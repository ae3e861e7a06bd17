import { ruleDefinitions } from "../rules/rules.ts";
import type { QualityCheck } from "./document.ts";
import type { Comparison, Literal, MetricCheck } from "./metric-check.ts";
import { type CheckPlace, comparisonIn, type Measure, NotRead, queryMeasure } from "./reading.ts";
import {
  anyOf,
  badValuesSql,
  checkSql,
  doesNotMatch,
  duplicatesSql,
  isNoneOf,
  isNull,
  isOneOf,
  isOutside,
  type Predicate,
  rowCountSql,
} from "./sql-of-metric.ts";

/**
 * The standard's library metrics. A metric that matches a rule type becomes that rule; with any other operator or
 * argument it becomes Custom SQL that counts and compares.
 */
type Read = { measure: Measure; used: readonly string[]; ignored?: readonly string[] };

/** Their names in version 3.0, where the property was `rule`. */
const formerNames: Readonly<Record<string, string>> = {
  nullCheck: "nullValues",
  nullCount: "nullValues",
  missingCount: "missingValues",
  validValues: "invalidValues",
  invalidCount: "invalidValues",
  uniqueCheck: "duplicateValues",
  duplicateCount: "duplicateValues",
  countCheck: "rowCount",
};

/** Throws NotRead. */
export function libraryMeasure(check: QualityCheck, place: CheckPlace): Read {
  const named = check.metric ?? check.rule ?? "";
  const former = Object.hasOwn(formerNames, named) ? formerNames[named] : undefined;
  const metric = check.metric ? named : (former ?? named);
  const read = Object.hasOwn(metrics, metric) ? metrics[metric as MetricCheck["metric"]] : undefined;
  if (!read) throw new NotRead(named ? `The metric ${named} is not known` : "Names no metric");
  const unit = check.unit ?? "rows";
  if (!["rows", "percent"].includes(unit)) throw new NotRead(`The unit ${unit} is not known`);
  if (unit === "percent" && metric === "rowCount") throw new NotRead("A row count has no percentage");
  // In 3.0 the list was next to the rule, without an operator.
  const own = {
    ...check,
    ...(Array.isArray(check.validValues) && {
      arguments: { ...check.arguments, validValues: check.validValues },
    }),
    ...(named === "validValues" && !hasComparison(check) && { mustBe: 0 }),
    ...(named === "nullCheck" && !hasComparison(check) && { mustBe: 0 }),
    ...(named === "uniqueCheck" && !hasComparison(check) && { mustBe: 0 }),
  };
  const { key } = comparisonIn(own);
  return {
    ...read(own, place),
    used: ["metric", "rule", "unit", "arguments", "validValues", key],
  };
}

const hasComparison = (check: QualityCheck) => Object.keys(check).some((key) => key.startsWith("must"));

type Metric = (check: QualityCheck, place: CheckPlace) => Omit<Read, "used">;

const rowCount: Metric = (check, place) => {
  const read = { metric: "rowCount", columns: [] } as const;
  const ignored = argumentsBeside(check, []);
  return { measure: asRule(check, read) ?? compared(rowCountSql(place.target), check, place), ignored };
};

const nullValues: Metric = (check, place) => {
  const column = columnOf(place);
  const ignored = argumentsBeside(check, []);
  const read = { metric: "nullValues", columns: [column] } as const;
  return { measure: asRule(check, read) ?? bad(check, place, column, isNull), ignored };
};

const missingValues: Metric = (check, place) => {
  const values = listIn(check, "missingValues") ?? [null];
  if (values.every((value) => value === null)) return nullValues({ ...check, arguments: null }, place);
  const column = columnOf(place);
  const read = { metric: "missingValues", columns: [column], valid: { values } } as const;
  return {
    measure: asRule(check, read) ?? bad(check, place, column, isOneOf(values)),
    ignored: argumentsBeside(check, ["missingValues"]),
  };
};

const invalidValues: Metric = (check, place) => {
  const column = columnOf(place);
  const pattern = check.arguments?.pattern || null;
  if (pattern !== null && typeof pattern !== "string") throw new NotRead("The pattern must be text");
  const values = listIn(check, "validValues");
  const min = boundIn(check, "min") ?? boundIn(check, "minimum");
  const max = boundIn(check, "max") ?? boundIn(check, "maximum");
  const isBounded = min !== undefined || max !== undefined;
  const ignored = argumentsBeside(check, ["pattern", "validValues", "min", "max", "minimum", "maximum"]);
  const conditions: Predicate[] = [
    ...(pattern !== null ? [doesNotMatch(pattern)] : []),
    ...(values ? [isNoneOf(values)] : []),
    ...(isBounded ? [isOutside({ min, max })] : []),
  ];
  if (conditions.length === 0)
    throw new NotRead("Has no supported constraint on valid values: pattern, validValues, min, max");
  const { label, pattern: patterns } = place.target.dialect;
  if (pattern !== null && patterns.language !== "regex")
    throw new NotRead(`${label} does not support regular expressions, and LIKE patterns differ`);
  const valid = {
    ...(pattern !== null && { pattern }),
    ...(values && { values }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
  const read = { metric: "invalidValues", columns: [column], valid } as const;
  return { measure: asRule(check, read) ?? bad(check, place, column, anyOf(conditions)), ignored };
};

const duplicateValues: Metric = (check, place) => {
  const named = listIn(check, "properties")?.filter((each) => typeof each === "string");
  const columns = place.column === null ? (named ?? []) : [place.column];
  if (columns.length === 0) throw new NotRead("Names no columns: use arguments.properties");
  const ignored = argumentsBeside(check, place.column === null ? ["properties"] : []);
  const counted = duplicatesSql(place.target, columns, check.unit === "percent");
  const read = { metric: "duplicateValues", columns } as const;
  return { measure: asRule(check, read) ?? compared(counted, check, place), ignored };
};

const metrics: Readonly<Record<MetricCheck["metric"], Metric>> = {
  rowCount,
  nullValues,
  missingValues,
  invalidValues,
  duplicateValues,
};

/** The equivalent rule; null if no rule type matches. */
function asRule(
  check: QualityCheck,
  read: Pick<MetricCheck, "metric" | "columns"> & { valid?: MetricCheck["valid"] },
): Measure | null {
  const { comparison } = comparisonIn(check);
  const whole: MetricCheck = { valid: {}, ...read, comparison, maxPercent: maxPercent(check, comparison) };
  for (const { type, odcs } of ruleDefinitions) {
    const configuration = odcs.library?.metric === read.metric ? odcs.library.read(whole) : null;
    if (configuration) return { type, configuration };
  }
  return null;
}

function bad(check: QualityCheck, place: CheckPlace, column: string, isBad: Predicate): Measure {
  const counted = badValuesSql(place.target, column, isBad, check.unit === "percent");
  if (counted === null) throw new NotRead("The data source's engine does not support it");
  return compared(counted, check, place);
}

function compared(valueSql: string, check: QualityCheck, { target }: CheckPlace): Measure {
  const { comparison } = comparisonIn(check);
  if (typeof comparison.value === "string" || typeof comparison.value === "boolean")
    throw new NotRead(`${comparison.operator} must be a number for a library metric`);
  const sql = checkSql(valueSql, comparison, target.dialect);
  if (sql === null) throw new NotRead("The metric cannot be compared with this");
  return queryMeasure(sql);
}

/** The allowed percentage, if the check has one; a limit of 0 is the same in every unit. */
function maxPercent({ unit }: QualityCheck, { operator, value }: Comparison): number | null {
  if (typeof value !== "number") return null;
  if (value === 0 && (operator === "mustBe" || operator === "mustBeLessOrEqualTo")) return 0;
  if (unit !== "percent") return operator === "mustBeLessThan" && value === 1 ? 0 : null;
  return operator === "mustBeLessOrEqualTo" && value >= 0 && value <= 100 ? value : null;
}

function columnOf({ column }: CheckPlace): string {
  if (column === null) throw new NotRead("The metric needs a column");
  return column;
}

function listIn({ arguments: given }: QualityCheck, name: string): (Literal | null)[] | null {
  const list = given?.[name];
  if (list == null) return null;
  const isLiteral = (value: unknown): value is Literal | null =>
    value === null || ["string", "number", "boolean"].includes(typeof value);
  if (!Array.isArray(list) || list.length === 0 || !list.every(isLiteral))
    throw new NotRead(`${name} must be a list of values`);
  return list;
}

/** A plain decimal as text. */
function boundIn({ arguments: given }: QualityCheck, name: string): string | undefined {
  const bound = given?.[name];
  if (bound == null) return undefined;
  const text =
    typeof bound === "number"
      ? bound.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 })
      : String(bound).trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new NotRead(`${name} must be a decimal number`);
  return text;
}

function argumentsBeside({ arguments: given }: QualityCheck, known: readonly string[]): string[] {
  return Object.keys(given ?? {}).flatMap((name) => (known.includes(name) ? [] : `arguments.${name}`));
}
