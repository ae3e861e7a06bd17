import type { QualityCheck } from "./document.ts";
import { comparisonIn, NotRead } from "./reading.ts";
import type { CheckPlace, Measure } from "./rule-of.ts";
import {
  anyOf,
  badValuesSql,
  type Comparison,
  checkSql,
  doesNotMatch,
  duplicatesSql,
  isNoneOf,
  isNull,
  isOneOf,
  isOutside,
  type Literal,
  type Predicate,
  rowCountSql,
} from "./sql-of-metric.ts";

/**
 * The standard's library metrics. Where a type of rule says the same, it is that rule; with any other operator or
 * argument it is Custom SQL that counts and compares.
 */
type Read = { measure: Measure; used: readonly string[]; ignored?: readonly string[] };

/** What they were called in version 3.0, where the property was `rule`. */
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
  const metrics: Readonly<Record<string, (check: QualityCheck, place: CheckPlace) => Omit<Read, "used">>> = {
    rowCount,
    nullValues,
    missingValues,
    invalidValues,
    duplicateValues,
  };
  const read = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined;
  if (!read) throw new NotRead(named ? `The metric ${named} is not known` : "Names no metric");
  const unit = check.unit ?? "rows";
  if (!["rows", "percent"].includes(unit)) throw new NotRead(`The unit ${unit} is not known`);
  if (unit === "percent" && metric === "rowCount") throw new NotRead("A number of rows has no percentage");
  // In 3.0 the list stood beside the rule, and no operator beside it.
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

function rowCount(check: QualityCheck, { target }: CheckPlace): Omit<Read, "used"> {
  const { comparison } = comparisonIn(check);
  const bounds = wholeBounds(comparison);
  const ignored = argumentsBeside(check, []);
  if (bounds && (bounds.minRows ?? 0) >= 0 && (bounds.maxRows ?? 0) >= 0)
    return { measure: { type: "Volume", configuration: bounds }, ignored };
  return { measure: compared(rowCountSql(target), comparison, target), ignored };
}

/** What a whole number must be, as bounds; null where it is not one span. */
function wholeBounds({ operator, value }: Comparison): { minRows?: number; maxRows?: number } | null {
  if (typeof value === "object")
    return operator === "mustBeBetween"
      ? { minRows: Math.ceil(value[0]), maxRows: Math.floor(value[1]) }
      : null;
  if (typeof value !== "number") return null;
  switch (operator) {
    case "mustBe":
      return Number.isInteger(value) ? { minRows: value, maxRows: value } : null;
    case "mustBeGreaterThan":
      return { minRows: Math.floor(value) + 1 };
    case "mustBeGreaterOrEqualTo":
      return { minRows: Math.ceil(value) };
    case "mustBeLessThan":
      return { maxRows: Math.ceil(value) - 1 };
    case "mustBeLessOrEqualTo":
      return { maxRows: Math.floor(value) };
    default:
      return null;
  }
}

function nullValues(check: QualityCheck, place: CheckPlace): Omit<Read, "used"> {
  const column = columnOf(place);
  const ignored = argumentsBeside(check, []);
  const { comparison } = comparisonIn(check);
  const maxNullPercent = mostPercent(check, comparison);
  if (maxNullPercent !== null)
    return { measure: { type: "NullRate", configuration: { column, maxNullPercent } }, ignored };
  return { measure: bad(check, place, column, isNull), ignored };
}

function missingValues(check: QualityCheck, place: CheckPlace): Omit<Read, "used"> {
  const values = listIn(check, "missingValues") ?? [null];
  if (values.every((value) => value === null)) return nullValues({ ...check, arguments: null }, place);
  const column = columnOf(place);
  return {
    measure: bad(check, place, column, isOneOf(values)),
    ignored: argumentsBeside(check, ["missingValues"]),
  };
}

function invalidValues(check: QualityCheck, place: CheckPlace): Omit<Read, "used"> {
  const column = columnOf(place);
  const pattern = check.arguments?.pattern;
  if (pattern != null && typeof pattern !== "string") throw new NotRead("The pattern must be text");
  const valid = listIn(check, "validValues");
  const min = boundIn(check, "min") ?? boundIn(check, "minimum");
  const max = boundIn(check, "max") ?? boundIn(check, "maximum");
  const isBounded = min !== undefined || max !== undefined;
  const ignored = argumentsBeside(check, ["pattern", "validValues", "min", "max", "minimum", "maximum"]);
  const conditions: Predicate[] = [
    ...(pattern ? [doesNotMatch(pattern)] : []),
    ...(valid ? [isNoneOf(valid)] : []),
    ...(isBounded ? [isOutside({ min, max })] : []),
  ];
  if (conditions.length === 0)
    throw new NotRead("Says nothing about valid values that is known: pattern, validValues, min, max");
  if (pattern && place.target.engine.dialect === "sqlserver")
    throw new NotRead("SQL Server knows no regular expressions, and LIKE has patterns of its own");
  if (conditions.length === 1 && !valid && mustBeNone(check)) {
    const configuration = pattern
      ? { column, pattern }
      : { column, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    return { measure: { type: pattern ? "Pattern" : "Range", configuration }, ignored };
  }
  return { measure: bad(check, place, column, anyOf(conditions)), ignored };
}

function duplicateValues(check: QualityCheck, place: CheckPlace): Omit<Read, "used"> {
  const named = listIn(check, "properties")?.filter((each) => typeof each === "string");
  const columns = place.column === null ? (named ?? []) : [place.column];
  const [column] = columns;
  if (column === undefined) throw new NotRead("Names no columns: arguments.properties does");
  const ignored = argumentsBeside(check, place.column === null ? ["properties"] : []);
  if (columns.length === 1 && mustBeNone(check))
    return { measure: { type: "Uniqueness", configuration: { column } }, ignored };
  const { comparison } = comparisonIn(check);
  const counted = duplicatesSql(place.target, columns, check.unit === "percent");
  return { measure: compared(counted, comparison, place.target), ignored };
}

function bad(check: QualityCheck, { target }: CheckPlace, column: string, isBad: Predicate): Measure {
  const { comparison } = comparisonIn(check);
  const counted = badValuesSql(target, column, isBad, check.unit === "percent");
  if (counted === null) throw new NotRead("The data source's engine has no SQL for it");
  return compared(counted, comparison, target);
}

function compared(valueSql: string, comparison: Comparison, { engine }: CheckPlace["target"]): Measure {
  if (typeof comparison.value === "string" || typeof comparison.value === "boolean")
    throw new NotRead(`${comparison.operator} must be a number for a library metric`);
  const sql = checkSql(valueSql, comparison, engine.dialect);
  if (sql === null) throw new NotRead("The metric cannot be compared with this");
  return { type: "CustomSql", configuration: { sql } };
}

/** Whether not a single one may be bad, in whatever way that is said. */
function mustBeNone(check: QualityCheck): boolean {
  return mostPercent(check, comparisonIn(check).comparison) === 0;
}

/** The percentage that is allowed, where the check says one; none at all is 0 in every unit. */
function mostPercent({ unit }: QualityCheck, { operator, value }: Comparison): number | null {
  if (typeof value !== "number") return null;
  if (value === 0 && (operator === "mustBe" || operator === "mustBeLessOrEqualTo")) return 0;
  if (unit !== "percent") return operator === "mustBeLessThan" && value === 1 ? 0 : null;
  return operator === "mustBeLessOrEqualTo" && value >= 0 && value <= 100 ? value : null;
}

function columnOf({ column }: CheckPlace): string {
  if (column === null) throw new NotRead("The metric is one of a column, and stands at no column");
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
