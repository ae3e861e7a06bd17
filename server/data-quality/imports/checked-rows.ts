import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { Decimal } from "../decimal.ts";
import { type CheckedTable, columnIn } from "./destination.ts";
import { type Limit, limitSql, mostAllowed, mostRows } from "./limit.ts";
import type { Draft } from "./suite.ts";

/** What some rows of a table must be like, and how many of them may be otherwise. */
export type Requirement = {
  /** The rule that says so of every row; without one, a row condition. */
  rule?: Draft;
  /** The condition in SQL: true, or unknown, for a row as it should be. */
  good: string;
  unit: "rows" | "percent";
  /** Of the rows that are not. */
  limit: Limit;
  /** Which rows a percentage is of, besides those of the check. */
  among?: string;
};

/**
 * The rows of a table that another tool's check looks at, and the rules of ours that say the same. Whatever no kind of
 * rule can say becomes Custom SQL that counts and compares.
 */
export class CheckedRows {
  readonly dialect: Dialect;
  readonly table: CheckedTable;
  readonly where: string | null;

  constructor(dialect: Dialect, table: CheckedTable, where: string | null) {
    this.dialect = dialect;
    this.table = table;
    this.where = where;
  }

  /** A column as the table writes it. */
  column(name: string): string {
    return columnIn(this.table, name) ?? name;
  }

  quoted(name: string): string {
    return this.dialect.quote(this.column(name));
  }

  relation({ schemaName, tableName }: CheckedTable = this.table): string {
    return `${this.dialect.quote(schemaName)}.${this.dialect.quote(tableName)}`;
  }

  /** For a query's FROM. */
  get from(): string {
    return this.where === null
      ? `${this.relation()} checked`
      : `(select * from ${this.relation()} where (\n${this.where}\n)) checked`;
  }

  /** A rule as it is, about these rows only. */
  rule(draft: Draft, among?: string): Draft {
    const where = [this.where, among].filter((each) => each != null);
    if (where.length === 0) return draft;
    const findsDuplicates = draft.type === "Uniqueness" || draft.type === "UniqueCombination";
    const condition = where.length === 1 ? where[0] : where.map((each) => `(${each})`).join(" and ");
    const rows = { where: condition, ...(findsDuplicates && { duplicatesAmong: "Rows" }) };
    return { ...draft, configuration: { ...draft.configuration, ...rows } };
  }

  /** A figure that must be within a limit. `valueSql` is a query with one value. */
  figure(valueSql: string, limit: Limit, notes: string[] = []): Draft {
    const sql = `select case when ${limitSql("checked.value", limit)} then 1 else 0 end as passed, checked.value as actual_value
from (select (
${valueSql}
) as value) checked`;
    return { type: "CustomSql", configuration: { sql }, notes };
  }

  /** A figure of the rows, such as a sum. */
  aggregate(expression: string, limit: Limit): Draft {
    return this.figure(`select ${expression} from ${this.from}`, limit);
  }

  rowCount(limit: Limit): Draft {
    const { min, max, isOutside } = limit;
    const least = min && new Decimal(min.value);
    const minRows = least && (min?.isStrict ? least.floor().plus(1) : least.ceil()).toNumber();
    const maxRows = max && mostRows(max);
    const isPlain =
      !isOutside &&
      [minRows, maxRows].every((each) => each === null || (Number.isSafeInteger(each) && each >= 0)) &&
      (max === null) === (maxRows === null) &&
      (minRows === null || maxRows === null || minRows <= maxRows);
    if (!isPlain) return this.aggregate(this.dialect.count(), limit);
    const configuration = { ...(minRows !== null && { minRows }), ...(maxRows !== null && { maxRows }) };
    return this.rule({ type: "Volume", configuration });
  }

  /** How many values are missing. */
  missing(column: string, unit: Requirement["unit"], limit: Limit): Draft {
    const name = this.column(column);
    const good = `${this.dialect.quote(name)} is not null`;
    const most = mostAllowed(limit);
    const isNone = most !== null && unit === "rows" && mostRows(most) === 0;
    if (most === null || (unit === "rows" && !isNone)) return this.require({ good, unit, limit });
    const maxNullPercent = isNone ? 0 : Math.min(100, Number(most.value));
    if (maxNullPercent < 0 || (most.isStrict && !isNone && maxNullPercent === 0))
      return this.require({ good, unit, limit });
    const notes = !isNone && most.isStrict ? [strictNote(most.value)] : [];
    return this.rule({ type: "NullRate", column: name, configuration: { maxNullPercent }, notes });
  }

  /** No value, or no combination of values, twice; null if a limit is not about none. */
  unique(columns: readonly string[], notes: string[] = []): Draft {
    const names = columns.map((each) => this.column(each));
    const [only = ""] = names;
    if (names.length === 1) return this.rule({ type: "Uniqueness", column: only, configuration: {}, notes });
    return this.rule({ type: "UniqueCombination", configuration: { columns: names }, notes });
  }

  /** Rows that must be as they should be, up to a limit. */
  require({ rule, good, unit, limit, among }: Requirement): Draft {
    const most = mostAllowed(limit);
    const options = most && optionsFor(unit, most);
    if (options === null) return this.#countBad(good, unit, limit, among);
    const { notes, ...configuration } = options;
    const own = rule ?? { type: "RowCondition" as const, configuration: { condition: good } };
    return this.rule(
      {
        ...own,
        configuration: { ...own.configuration, ...configuration },
        notes: [...(own.notes ?? []), ...notes],
      },
      configuration.maxFailingPercent === undefined ? undefined : among,
    );
  }

  #countBad(good: string, unit: Requirement["unit"], limit: Limit, among?: string): Draft {
    const { dialect } = this;
    const bad = dialect.count(`case when not (\n${good}\n) then 1 end`);
    if (unit === "rows") return this.figure(`select ${bad} from ${this.from}`, limit);
    const all = among === undefined ? dialect.count() : dialect.count(`case when ${among} then 1 end`);
    return this.figure(`select coalesce(100.0 * ${bad} / nullif(${all}, 0), 0) from ${this.from}`, limit);
  }
}

const strictNote = (value: string) => `A rule also passes at exactly ${value}%.`;

function optionsFor(unit: Requirement["unit"], most: { value: string; isStrict: boolean }) {
  if (unit === "rows") {
    const rows = mostRows(most);
    return rows === null ? null : { notes: [], ...(rows > 0 && { maxFailingRows: rows }) };
  }
  const percent = new Decimal(most.value).toNumber();
  if (percent === 0 && !most.isStrict) return { notes: [] };
  if (percent <= 0 || percent >= 100) return null;
  return { notes: most.isStrict ? [strictNote(most.value)] : [], maxFailingPercent: percent };
}
