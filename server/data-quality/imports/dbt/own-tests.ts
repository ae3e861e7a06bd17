import type { Check, Mapped } from "./check.ts";

/** dbt's own four tests, and helpers that other packages share. */
export const ownTests: Record<string, (check: Check) => Mapped> = {
  unique: (check) => uniqueOf(check),
  not_null: (check) => neverNull(check),
  accepted_values: (check) => oneOf(check, check.list("values"), check.flag("quote", true)),
  relationships: (check) => existsIn(check, "to", check.text("field")),
};

export function uniqueOf(check: Check): Mapped {
  const { column, value } = check;
  if (value === null) return null;
  const failing = `select ${value} as v from ${check.rows}
where ${value} is not null
group by ${value}
having count(*) > 1`;
  if (column === null) return check.sql(failing);
  return [{ type: "Uniqueness", column, configuration: {}, failing }];
}

export function neverNull(check: Check, maxNullPercent = 0): Mapped {
  const { column, value } = check;
  if (value === null) return null;
  if (column === null) return maxNullPercent === 0 ? check.rowCondition(`${value} is not null`) : null;
  const failing = `select 1 as v from ${check.rows} where ${value} is null`;
  return [
    {
      type: "NullRate",
      column,
      configuration: { maxNullPercent },
      ...(maxNullPercent === 0 && { failing }),
    },
  ];
}

/**
 * Texts are compared as they are. Numbers are left to the database, which knows that 1 is 1.00, and so is what dbt is
 * told not to quote.
 */
export function oneOf(
  check: Check,
  written: (string | number | boolean)[] | null,
  isQuoted: boolean,
  { not = false } = {},
): Mapped {
  const { column, value } = check;
  if (!written || written.length === 0 || value === null) return null;
  const values = isQuoted ? written.map(withinQuotes) : written;
  const isText = values.every((each) => typeof each === "string" && !/^[\s+\-.\d]*$/.test(each));
  const literals = values.map((each) => check.literal(each, isQuoted));
  if (literals.includes(null)) return null;
  const listed = [...new Set(literals)].join(", ");
  const failing = `select ${value} as v from ${check.rows}
where ${value} is not null and ${value} ${not ? "" : "not "}in (${listed})
group by ${value}`;
  if (not || !isText || !isQuoted || column === null)
    return check.rowCondition(`${value} ${not ? "not in" : "in"} (${listed})`, { failing });
  return [{ type: "AllowedValues", column, configuration: { values: [...new Set(values)] }, failing }];
}

/** dbt writes a value between quotes as it is, so people double the quotes in it. */
const withinQuotes = <Value extends string | number | boolean>(value: Value) =>
  typeof value === "string" ? value.replaceAll("''", "'") : value;

export function existsIn(check: Check, table: string, field: string | undefined): Mapped {
  const { column, value } = check;
  const other = check.other(table);
  if (!other || !field || value === null) return null;
  const there = { ...other };
  const target = new Names(there.columns).find(field);
  if (column === null || target === null)
    return check.sql(`select ${value} as v from ${check.rows}
where ${value} is not null and ${value} not in (
select ${target === null ? `(${field})` : check.dialect.quote(target)} from ${check.relation(other)}
where ${target === null ? `(${field})` : check.dialect.quote(target)} is not null)`);
  return [
    {
      type: "Referential",
      column,
      configuration: {
        referenceTable: other.tableName,
        referenceColumn: target,
        ...(other.schemaName !== check.table.schemaName && { referenceSchema: other.schemaName }),
      },
    },
  ];
}

/** The names of another table's columns. */
export class Names {
  readonly #columns: readonly string[];
  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }
  /** As the table writes it; null for an expression. */
  find(text: string): string | null {
    const name = text.trim().replace(/^["`[](.+)["`\]]$/, "$1");
    if (this.#columns.includes(name)) return name;
    const similar = this.#columns.filter((each) => each.toLowerCase() === name.toLowerCase());
    if (similar.length === 1) return similar[0] ?? null;
    return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) ? name : null;
  }
}

/** No combination twice. */
export function uniqueTogether(check: Check, columns: string[] | null, notes: string[] = []): Mapped {
  if (!columns || columns.length === 0) return null;
  const quoted = columns.map((each) => check.dialect.quote(each));
  const failing = `select ${quoted.join(", ")} from ${check.rows}
group by ${quoted.join(", ")}
having count(*) > 1`;
  const [only, ...more] = columns;
  if (more.length === 0)
    return [{ type: "Uniqueness", column: only ?? "", configuration: {}, notes, failing }];
  if (new Set(columns).size < columns.length || columns.length > 16) return check.sql(failing);
  return [{ type: "UniqueCombination", configuration: { columns }, notes, failing }];
}

/** Every row is between two bounds, which may be expressions. */
export function within(
  check: Check,
  min: string | undefined,
  max: string | undefined,
  isStrict: boolean,
): Mapped {
  const { column, value } = check;
  if (value === null || (min === undefined && max === undefined)) return null;
  const isPlain = [min, max].every((each) => each === undefined || isDecimal(each));
  if (column !== null && isPlain && !isStrict && isOrdered(min, max))
    return [
      {
        type: "Range",
        column,
        configuration: {
          ...(min !== undefined && { min: min.trim() }),
          ...(max !== undefined && { max: max.trim() }),
        },
      },
    ];
  const than = isStrict ? "" : "=";
  const parts = [
    ...(min === undefined ? [] : [`${value} >${than} ${min}`]),
    ...(max === undefined ? [] : [`${value} <${than} ${max}`]),
  ];
  return check.rowCondition(parts.join(" and "));
}

const isDecimal = (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()) && text.length <= 100;
const isOrdered = (min?: string, max?: string) =>
  min === undefined || max === undefined || Number(min) <= Number(max);

const minutesOf: Readonly<Record<string, number>> = {
  second: 1 / 60,
  minute: 1,
  hour: 60,
  day: 1440,
  week: 10_080,
  month: 44_640,
  quarter: 132_480,
  year: 527_040,
};

/** The newest value is recent. A month has 31 days, and a year 366, so that no test becomes stricter. */
export function recent(check: Check, field: string | undefined): Mapped {
  const minutes = minutesOf[(check.text("datepart") ?? "").toLowerCase().replace(/s$/, "")];
  const interval = check.number("interval");
  const column = field === undefined ? null : check.columnIn(field);
  if (minutes === undefined || interval === undefined || interval <= 0 || column === null) return null;
  return [{ type: "Freshness", column, configuration: { maxAgeMinutes: interval * minutes } }];
}
