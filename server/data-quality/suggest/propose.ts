import type { Dialect } from "../../data-sources/engines/engine.ts";
import { counted, figure } from "../rules/figures.ts";
import type { ContractInput, Severity } from "../schema.ts";
import { Decimal } from "../score.ts";
import type { ColumnProfile, TableProfile } from "./profile.ts";
import { shapeOf, type TextShape } from "./text-shape.ts";

/**
 * From what a profile says to rules that hold today and would tell of a change, each with what speaks for it.
 * Pure. Bounds have some room, so that an ordinary day does not break them.
 */
export type Proposal = {
  rule: Required<Pick<RuleInput, "name" | "type" | "severity" | "weight" | "enabled">> & {
    column: string | null;
    configuration: Record<string, unknown>;
  };
  evidence: string;
  /** What is proposed where this one does not hold. */
  otherwise?: Proposal;
};
type RuleInput = ContractInput["rules"][number];

export type Proposing = {
  schemaName: string;
  dialect: Dialect;
  /** Of the whole table; null where it could not be counted. */
  totalRows: number | null;
};

/** Fewer values than these are unique, or within bounds, by chance. */
const least = { unique: 3, uniqueNumbers: 20, range: 5 };
/** Columns with more NULLs than this are not expected to be filled. */
const mostNullPercent = 20;
/** Older than this is not data that still comes. */
const mostAgeMinutes = 60 * 24 * 60;

export function propose(profile: TableProfile, context: Proposing): Proposal[] {
  if (profile.rows === 0) return [];
  const soleKey = profile.columns.filter(({ isPrimaryKey }) => isPrimaryKey).length === 1;
  const seen = profile.isWhole
    ? `all ${counted(profile.rows, "row")}`
    : `${counted(profile.rows, "row")} of the table that were read`;
  return [
    ...volume(context.totalRows),
    ...profile.columns.flatMap((column) => [
      ...freshness(column, seen),
      ...nullRate(column, profile.rows, seen),
      ...uniqueness(column, soleKey && column.isPrimaryKey, seen),
      ...referential(column, context),
      ...range(column, seen),
      ...pattern(column, context.dialect),
    ]),
  ];
}

function proposal(
  type: Proposal["rule"]["type"],
  column: string | null,
  name: string,
  configuration: Record<string, unknown>,
  evidence: string,
  severity: Severity = "Medium",
): Proposal {
  const shown = name.length > 200 ? `${name.slice(0, 199)}…` : name;
  return {
    rule: {
      ...{ name: shown, type, column, severity, weight: 1, enabled: true },
      configuration: column === null ? configuration : { column, ...configuration },
    },
    evidence,
  };
}

function volume(rows: number | null): Proposal[] {
  if (rows === null || rows < 1) return [];
  const minRows = Math.max(1, Number(rounded(new Decimal(rows).dividedBy(2), "down")));
  const maxRows = Number(rounded(new Decimal(rows).times(2), "up"));
  const name = `Between ${figure(minRows)} and ${figure(maxRows)} rows`;
  const evidence = `${counted(rows, "row")} today; half and double of that are allowed`;
  return [proposal("Volume", null, name, { minRows, maxRows }, evidence)];
}

/** Twice the age that it has now, on this ladder: an hour, a few hours, days. */
const ages = [60, 120, 360, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200, 86_400, 172_800];

function freshness({ name, sort, newest, ageSeconds }: ColumnProfile, seen: string): Proposal[] {
  if ((sort !== "date" && sort !== "time") || ageSeconds === null || newest === null) return [];
  const minutes = ageSeconds / 60;
  // What lies in the future is a plan, and no trace of data that came.
  if (minutes < 0 || minutes > mostAgeMinutes) return [];
  // A date is as old as its midnight.
  const needed = sort === "date" ? Math.max(minutes * 2, 2880) : minutes * 2;
  const maxAgeMinutes = ages.find((age) => age >= needed) ?? Math.ceil(needed);
  const evidence = `The newest of ${seen} is ${newest}, ${duration(minutes)} old; ${duration(maxAgeMinutes)} are allowed`;
  return [
    proposal(
      "Freshness",
      name,
      `${name} is at most ${duration(maxAgeMinutes)} old`,
      { maxAgeMinutes },
      evidence,
    ),
  ];
}

function duration(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} min`;
  if (minutes < 2880) return `${figure(Number((minutes / 60).toFixed(1)))} h`;
  return `${figure(Number((minutes / 1440).toFixed(1)))} days`;
}

function nullRate(
  { name, values, nullable, isPrimaryKey }: ColumnProfile,
  rows: number,
  seen: string,
): Proposal[] {
  const nulls = rows - values;
  if (nulls === 0) {
    const enforced = nullable ? "" : ", and the table is declared so";
    const evidence = `Never NULL in ${seen}${enforced}`;
    const severity = isPrimaryKey ? "High" : "Medium";
    return [proposal("NullRate", name, `${name} is never NULL`, { maxNullPercent: 0 }, evidence, severity)];
  }
  const percent = (100 * nulls) / rows;
  if (percent > mostNullPercent) return [];
  const maxNullPercent = Math.ceil(percent + Math.max(1, percent / 2));
  const evidence = `${figure(nulls)} of ${seen} are NULL (${percent.toFixed(2)}%); ${maxNullPercent}% are allowed`;
  return [proposal("NullRate", name, `${name} is rarely NULL`, { maxNullPercent }, evidence, "Low")];
}

function uniqueness(
  { name, sort, values, different, references }: ColumnProfile,
  isKey: boolean,
  seen: string,
): Proposal[] {
  const isUnique = different !== null && values > 0 && different === values;
  const enough = sort === "integer" && !isNamedLikeKey(name) ? least.uniqueNumbers : least.unique;
  if (!isKey && (!isUnique || references || values < enough)) return [];
  if (different !== null && !isUnique) return [];
  const figures = different === null ? "" : `${counted(values, "value")} in ${seen}, all different`;
  const evidence = [isKey ? "The primary key" : "", figures].filter(Boolean).join("; ");
  return [proposal("Uniqueness", name, `${name} is unique`, {}, evidence, "High")];
}

const isNamedLikeKey = (name: string) =>
  /(^|_|\b)(id|key|code|number|no|uuid)$|(Id|Key|Code|Number|No)$/.test(name);

function referential(
  { name, references, values, isPrimaryKey }: ColumnProfile,
  { schemaName }: Proposing,
): Proposal[] {
  if (!references || (values === 0 && !isPrimaryKey)) return [];
  const { tableName, columnName } = references;
  const isElsewhere = references.schemaName !== schemaName;
  const configuration = {
    referenceTable: tableName,
    referenceColumn: columnName,
    ...(isElsewhere && { referenceSchema: references.schemaName }),
  };
  const place = [isElsewhere ? references.schemaName : "", tableName, columnName].filter(Boolean).join(".");
  const evidence = `A foreign key to ${place}, and every value of today is found there`;
  return [proposal("Referential", name, `${name} exists in ${place}`, configuration, evidence, "High")];
}

function range(column: ColumnProfile, seen: string): Proposal[] {
  const { name, sort, values, least: lowest, greatest: highest, isPrimaryKey, references } = column;
  if (lowest === null || highest === null || values < least.range) return [];
  const isIdentity = isPrimaryKey || references !== undefined || (sort === "integer" && isNamedLikeKey(name));
  const [from, to] = [decimalIn(lowest), decimalIn(highest)];
  if (isIdentity || !from || !to) return [];
  const { min, max } = boundsAround(from, to);
  const evidence = `From ${figure(from.toFixed())} to ${figure(to.toFixed())} in ${seen}; ${figure(min)} to ${figure(max)} are allowed`;
  return [
    proposal("Range", name, `${name} is between ${figure(min)} and ${figure(max)}`, { min, max }, evidence),
  ];
}

/** null for what is no finite number. */
function decimalIn(text: string): Decimal | null {
  try {
    const value = new Decimal(text.trim());
    return value.isFinite() && value.abs().lessThan("1e60") ? value : null;
  } catch {
    return null;
  }
}

/** A tenth of the span on either side, rounded outwards; what is never negative stays so. */
export function boundsAround(from: Decimal, to: Decimal): { min: string; max: string } {
  const span = to.minus(from);
  const size = span.isZero() ? Decimal.max(to.abs(), 1) : span;
  const slack = size.dividedBy(10);
  const unit = new Decimal(10).pow(size.log(10).floor());
  const low = from.minus(slack).dividedBy(unit).floor().times(unit);
  const high = to.plus(slack).dividedBy(unit).ceil().times(unit);
  const min = from.isNegative() && !from.isZero() ? low : Decimal.max(low, 0);
  return { min: min.toFixed(), max: high.toFixed() };
}

/** To two digits. */
function rounded(value: Decimal, direction: "up" | "down"): string {
  return value
    .toSignificantDigits(2, direction === "up" ? Decimal.ROUND_CEIL : Decimal.ROUND_FLOOR)
    [direction === "up" ? "ceil" : "floor"]()
    .toFixed();
}

function pattern(column: ColumnProfile, dialect: Dialect): Proposal[] {
  if (column.sort !== "text" || column.references) return [];
  const shape = shapeOf(column.samples);
  const strict = shape && patternOf(column, shape, dialect);
  const looser = shape?.looser && patternOf(column, shape.looser, dialect);
  if (!strict) return looser ? [looser] : [];
  return [looser ? { ...strict, otherwise: looser } : strict];
}

function patternOf(column: ColumnProfile, shape: TextShape, dialect: Dialect): Proposal | null {
  const { name, samples, shortest, longest } = column;
  const pattern = dialect === "sqlserver" ? shape.like : shape.regex;
  if (pattern === null) return null;
  const length =
    shortest === longest
      ? `all ${counted(longest ?? 0, "character")} long`
      : `${shortest} to ${longest} characters long`;
  const evidence = `Each of ${counted(samples.length, "value")} that were looked at is like ${shape.name}; ${length}; the whole table was then checked`;
  return proposal("Pattern", name, `${name} looks like ${shape.name}`, { pattern }, evidence);
}
